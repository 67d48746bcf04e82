/* The translation itself: each statement that other threads could notice becomes a call of the bookkeeping, or is
 * enclosed by two calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bound/privacy.h"
#include "bound/runtime.h"
#include "ir/sync.h"
#include "util/memory.h"

struct translation {
    struct runtime runtime;
    const struct program *program;
    struct builder *builder;
    struct diagnostics *diagnostics;
    uint32_t function;      /* the one being translated */
    uint32_t saved_locals;  /* register with the number of shared locals at the beginning of the function */
    uint32_t *starts;       /* by old instruction: index of its translation */
    uint32_t *wrappers;     /* by function: the one with which threads that run it begin, 0 if none */
    struct privacy privacy; /* if the result must be portable */
    bool gives_up;          /* the function has locals that are no longer private */
    struct vector globals;  /* of const struct global *: those of all threads */
    struct vector branches; /* of uint32_t: new indices of instructions whose targets are old ones */
};

static uint32_t value(struct translation *at, uint64_t value) {
    return emit_constant(&at->runtime.out, value);
}

static void refuse(struct translation *at, const struct instruction *instruction, const char *what) {
    const struct position *position = &at->program->positions[instruction->pos];
    diagnostics_add(at->diagnostics, program_string(at->program, position->file), position->line, position->column,
                    "%s", what);
}

/* Copies an instruction with its operands. */
static void copy(struct translation *at, struct instruction instruction) {
    const char *shape = op_table[instruction.op].shape;
    uint32_t *fields[] = {&instruction.dst, &instruction.a, &instruction.b, &instruction.c};
    for (int i = 0; i < 3; i++) {
        if (shape[i] == 'p' || shape[i] == 'q') {
            size_t count = (size_t)*fields[i + 1] * (shape[i] == 'q' ? 2 : 1);
            *fields[i] = builder_operands(at->builder, at->program->operands + *fields[i], count);
        }
    }
    uint32_t index = builder_emit(at->builder, instruction);
    if (strchr(shape, 't') || strchr(shape, 'q')) {
        vector_push(&at->branches, &index);
    }
}

static void emit_step(struct translation *at) {
    emit_marker(&at->runtime, MARKER_STEP, value(at, 0));
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static enum bound_function for_size(enum bound_function first, unsigned size) {
    return first + (size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4);
}

/* Does a constant address lie in a global that is never written?  Globals ascend by address. */
static bool is_constant_object(const struct translation *at, uint32_t operand) {
    if (!(operand & OPERAND_CONSTANT)) {
        return false;
    }
    uint64_t address = at->program->constants[operand & ~OPERAND_CONSTANT];
    size_t low = 0;
    size_t high = at->globals.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct global *global = *(const struct global *const *)vector_at(&at->globals, middle);
        if (address < global->address) {
            high = middle;
        } else if (address - global->address >= global->size) {
            low = middle + 1;
        } else {
            return global->flags & GLOBAL_CONSTANT;
        }
    }
    return false;
}

/* Is the access known to be to memory that no other thread accesses? */
static bool is_private(const struct translation *at, const struct instruction *access) {
    return at->runtime.options.portable && privacy_holds(&at->privacy, at->function, access->a);
}

static void translate_load(struct translation *at, const struct instruction *load) {
    if (is_constant_object(at, load->a) || is_private(at, load)) {
        copy(at, *load);
        return;
    }
    builder_emit(at->builder, (struct instruction){.op = OP_CALL,
                                                   .dst = load->dst,
                                                   .a = at->runtime.functions[for_size(FUNCTION_load_1, load->width)],
                                                   .b = builder_operands(at->builder, &load->a, 1),
                                                   .c = 1,
                                                   .pos = load->pos});
}

static void translate_store(struct translation *at, const struct instruction *store) {
    uint32_t arguments[4] = {store->a, store->b};
    uint32_t count = 2;
    if (is_private(at, store)) {
        copy(at, *store);
        return;
    }
    if (store->width > 8) {
        arguments[count++] = store->b + 1;
    }
    arguments[count++] = value(at, (store->flags & INSTRUCTION_AWAIT) != 0);
    emit_call(&at->runtime.out, at->runtime.functions[for_size(FUNCTION_store_1, store->width)], arguments, count);
}

/* Read-modify-writes access memory directly, when nothing is pending.  The result may overwrite the address. */
static void translate_rmw(struct translation *at, const struct instruction *rmw) {
    struct assembler *out = &at->runtime.out;
    if (is_private(at, rmw)) {
        copy(at, *rmw);
        return;
    }
    uint32_t address = emit_register(out);
    emit_move(out, address, rmw->a);
    call_1(&at->runtime, FUNCTION_before, address);
    copy(at, *rmw);
    const uint32_t arguments[] = {address, rmw->op == OP_CAS ? rmw->dst + (rmw->width > 8 ? 2 : 1) : value(at, 1)};
    emit_call(out, at->runtime.functions[FUNCTION_after], arguments, 2);
}

/* --- Objects ------------------------------------------------------------------------------------------------------ */

static bool is_given_up(const struct translation *at, const struct instruction *alloca) {
    return at->runtime.options.portable && at->privacy.given_up[alloca - at->program->code];
}

static void translate_alloca(struct translation *at, const struct instruction *alloca) {
    if ((alloca->flags & INSTRUCTION_PRIVATE) && !is_given_up(at, alloca)) {
        copy(at, *alloca);
        return;
    }
    builder_emit(at->builder, (struct instruction){.op = OP_MALLOC,
                                                   .flags = INSTRUCTION_UNASSUMED,
                                                   .dst = alloca->dst,
                                                   .a = alloca->a,
                                                   .b = value(at, alloca->b),
                                                   .pos = alloca->pos});
    call_1(&at->runtime, FUNCTION_local, alloca->dst);
}

static void translate_malloc(struct translation *at, const struct instruction *allocation) {
    struct assembler *out = &at->runtime.out;
    struct label fails = {0};
    struct label done = {0};
    emit_dirty(&at->runtime);
    if (!at->runtime.options.malloc_fail) {
        copy(at, *allocation);
        return;
    }
    emit_jump_if(out, emit_nondet(out, 1, value(at, 0), value(at, 1)), &fails);
    copy(at, *allocation);
    emit_jump(out, &done);
    label_put(out, &fails);
    emit_move(out, allocation->dst, value(at, 0));
    label_put(out, &done);
    emit_step(at);
}

/* The number of shared locals is in the upper 32 bits, as on the machine. */
static void translate_stack_save(struct translation *at, const struct instruction *save) {
    struct assembler *out = &at->runtime.out;
    copy(at, *save);
    if (at->runtime.has_locals) {
        uint32_t locals = emit_binary(out, OP_SHL, cell_get(&at->runtime, CELL_locals), value(at, 32));
        emit_move(out, save->dst, emit_binary(out, OP_OR, save->dst, locals));
    }
}

static void translate_stack_restore(struct translation *at, const struct instruction *restore) {
    if (at->runtime.has_locals) {
        call_1(&at->runtime, FUNCTION_leave, emit_binary(&at->runtime.out, OP_LSHR, restore->a, value(at, 32)));
    }
    copy(at, *restore);
}

/* --- Operations on threads and locks ------------------------------------------------------------------------------ */

/* A thread is joined in a round in which it has ended; in an atomic section the operation is unchanged. */
static void translate_join(struct translation *at, struct instruction join) {
    struct assembler *out = &at->runtime.out;
    struct label inside = {0};
    struct label done = {0};
    if (join.dst == NO_REGISTER || join.sub == 0) {
        join.dst = emit_register(out);
        join.sub = 1;
    }
    emit_jump_if(out, cell_get(&at->runtime, CELL_section), &inside);
    struct instruction tries = join;
    tries.width = SYNC_THREAD_TRYJOIN;
    copy(at, tries);
    emit_assume(out, emit_compare(out, PREDICATE_NE, join.dst, value(at, EBUSY)));
    emit_jump(out, &done);
    label_put(out, &inside);
    copy(at, join);
    label_put(out, &done);
}

/* The function with which a thread is created; -1 if it is unknown. */
static int64_t created_function(const struct program *program, const struct instruction *create) {
    return create->a & OPERAND_CONSTANT ? function_at(program, program->constants[create->a & ~OPERAND_CONSTANT]) : -1;
}

/* A new thread begins with a function of its own, which begins and ends the rounds around the thread's function. */
static void translate_create(struct translation *at, struct instruction create) {
    int64_t function = created_function(at->program, &create);
    if (function < 0) {
        refuse(at, &create, "cannot be translated: a thread is created with a function that is not known before");
        return;
    }
    create.a = builder_address(at->builder, function_address(at->wrappers[function]));
    copy(at, create);
    cell_set(&at->runtime, CELL_company, value(at, 1));
}

/* The last round of a thread ends, and the thread in its next step.  In an atomic section of the program that would
 * keep all others waiting. */
static void emit_last_end(struct translation *at, bool leaves_locals) {
    struct runtime *runtime = &at->runtime;
    call_0(runtime, FUNCTION_thread_end);
    emit_not_in_section(runtime);
    if (leaves_locals && runtime->has_locals) {
        call_0(runtime, FUNCTION_abandon);
    }
    emit_plain(&runtime->out, OP_ATOMIC_END);
}

static void translate_exit(struct translation *at, const struct instruction *exit) {
    struct runtime *runtime = &at->runtime;
    if (exit->op == OP_EXIT) {
        call_0(runtime, FUNCTION_point);
        call_0(runtime, FUNCTION_thread_end);
        copy(at, *exit);
        return;
    }
    emit_last_end(at, true);
    copy(at, *exit);
}

/* A thread that stops may still drain some or all of its stores; then it lets the others continue. */
static void emit_stay(struct translation *at) {
    struct assembler *out = &at->runtime.out;
    struct label again = {0};
    struct label done = {0};
    label_put(out, &again);
    emit_jump_unless(out, cell_get(&at->runtime, CELL_distance), &done);
    emit_jump_unless(out, emit_nondet(out, CHOICE_END, value(at, 0), value(at, 1)), &done);
    call_0(&at->runtime, FUNCTION_next_round);
    emit_jump(out, &again);
    label_put(out, &done);
    emit_plain(out, OP_ATOMIC_END);
}

/* An assumption, or a cut.  If it fails, the thread stops, and what the others do before that counts; not in an atomic
 * section of the program, in which they do nothing. */
static void translate_assume(struct translation *at, const struct instruction *assume) {
    struct assembler *out = &at->runtime.out;
    struct label holds = {0};
    struct label inside = {0};
    if (assume->op == OP_ASSUME) {
        emit_jump_if(out, assume->a, &holds);
    }
    emit_jump_if(out, cell_get(&at->runtime, CELL_section), &inside);
    emit_stay(at);
    label_put(out, &inside);
    copy(at, *assume);
    label_put(out, &holds);
}

static void translate_sync(struct translation *at, const struct instruction *sync) {
    struct assembler *out = &at->runtime.out;
    switch (sync->width) {
    case SYNC_THREAD_EXIT:
        translate_exit(at, sync);
        return;
    case SYNC_BUS_LOCK:
    case SYNC_BUS_UNLOCK:
        refuse(at, sync, "cannot be translated: a lock of the bus");
        return;
    default:
        break;
    }
    uint32_t wrote = value(at, 1);
    if (sync_is_thread(sync->width)) {
        call_1(&at->runtime, FUNCTION_before, value(at, 0));
    }
    if (sync->width == SYNC_THREAD_CREATE) {
        translate_create(at, *sync);
    } else if (sync->width == SYNC_THREAD_JOIN) {
        translate_join(at, *sync);
    } else if (sync_is_thread(sync->width)) {
        copy(at, *sync);
    } else {
        wrote = emit_inlined(&at->runtime, sync);
    }
    const uint32_t arguments[] = {value(at, 0), wrote};
    emit_call(out, at->runtime.functions[FUNCTION_after], arguments, 2);
}

/* --- Sections, loops, the rest ------------------------------------------------------------------------------------ */

static void translate_atomic(struct translation *at, bool begin) {
    struct assembler *out = &at->runtime.out;
    call_1(&at->runtime, FUNCTION_before, value(at, 0));
    uint32_t depth = cell_get(&at->runtime, CELL_section);
    if (begin) {
        depth = emit_binary(out, OP_ADD, depth, value(at, 1));
    } else {
        uint32_t less = emit_binary(out, OP_SUB, depth, value(at, 1));
        depth = emit_select(out, depth, less, value(at, 0));
    }
    cell_set(&at->runtime, CELL_section, depth);
    emit_step(at);
}

static uint32_t await_name(struct translation *at, uint32_t index) {
    return value(at, ((uint64_t)at->function << 32 | index) + 1);
}

static void translate_again(struct translation *at, const struct instruction *again) {
    uint32_t waited = call_1(&at->runtime, FUNCTION_await_again, await_name(at, again->a));
    copy(
        at,
        (struct instruction){
            .op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = waited, .b = again->a, .c = again->b, .pos = again->pos});
}

static void translate_nondet(struct translation *at, const struct instruction *nondet) {
    copy(at, *nondet);
    emit_dirty(&at->runtime);
    cell_set(&at->runtime, CELL_acted, value(at, 1));
    emit_step(at);
}

static void translate_library(struct translation *at, const struct instruction *library) {
    switch (library->a) {
    case LIB_PRINT:
    case LIB_WRITE:
        emit_dirty(&at->runtime);
        break;
    case LIB_FORMAT:
    case LIB_STRTOD:
        call_0(&at->runtime, FUNCTION_format);
        break;
    default:
        break;
    }
    copy(at, *library);
}

static void translate_instruction(struct translation *at, const struct instruction *instruction, uint32_t index) {
    switch (instruction->op) {
    case OP_LOAD:
        translate_load(at, instruction);
        break;
    case OP_STORE:
        translate_store(at, instruction);
        break;
    case OP_RMW:
    case OP_CAS:
        translate_rmw(at, instruction);
        break;
    case OP_FENCE:
        if (instruction->sub == ORDER_SEQ_CST) {
            call_1(&at->runtime, FUNCTION_before, value(at, 0));
            emit_step(at);
        }
        break;
    case OP_STORE_BARRIER:
        break;
    case OP_ALLOCA:
        translate_alloca(at, instruction);
        break;
    case OP_MALLOC:
        translate_malloc(at, instruction);
        break;
    case OP_FREE:
        call_1(&at->runtime, FUNCTION_free, instruction->a);
        break;
    case OP_STACK_SAVE:
        translate_stack_save(at, instruction);
        break;
    case OP_STACK_RESTORE:
        translate_stack_restore(at, instruction);
        break;
    case OP_LEAVE:
        if (at->runtime.has_locals) {
            call_1(&at->runtime, FUNCTION_leave, at->saved_locals);
        }
        break;
    case OP_RET:
        if (at->gives_up) {
            call_1(&at->runtime, FUNCTION_leave, at->saved_locals);
        }
        copy(at, *instruction);
        break;
    case OP_SYNC:
        translate_sync(at, instruction);
        break;
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
        translate_atomic(at, instruction->op == OP_ATOMIC_BEGIN);
        break;
    case OP_NONDET:
        translate_nondet(at, instruction);
        break;
    case OP_AWAIT:
        call_1(&at->runtime, FUNCTION_await_begin, await_name(at, index));
        break;
    case OP_AGAIN:
        translate_again(at, instruction);
        break;
    case OP_LIB:
        translate_library(at, instruction);
        break;
    case OP_EXIT:
        translate_exit(at, instruction);
        break;
    case OP_HALT:
        emit_stay(at);
        copy(at, *instruction);
        break;
    case OP_ASSUME:
    case OP_CUT:
        translate_assume(at, instruction);
        break;
    default:
        copy(at, *instruction);
        break;
    }
}

/* --- Functions ---------------------------------------------------------------------------------------------------- */

static bool has_operation(const struct program *program, enum op op) {
    for (size_t i = 0; i < program->code_count; i++) {
        if (program->code[i].op == op) {
            return true;
        }
    }
    return false;
}

static bool has_shared_locals(const struct translation *at) {
    const struct program *program = at->program;
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *code = &program->code[i];
        if (code->op == OP_ALLOCA && (!(code->flags & INSTRUCTION_PRIVATE) || is_given_up(at, code))) {
            return true;
        }
    }
    return false;
}

static void declare_wrappers(struct translation *at) {
    const struct program *program = at->program;
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *code = &program->code[i];
        bool creates = code->op == OP_SYNC && code->width == SYNC_THREAD_CREATE;
        int64_t function = creates ? created_function(program, code) : -1;
        if (function >= 0 && !at->wrappers[function]) {
            at->wrappers[function] = builder_function(at->builder, "bound_start", 2, 1, FUNCTION_LIBRARY);
        }
    }
}

static void resolve(struct translation *at, uint32_t index) {
    struct instruction *instruction = builder_at(at->builder, index);
    const char *shape = op_table[instruction->op].shape;
    uint32_t *fields[] = {&instruction->dst, &instruction->a, &instruction->b, &instruction->c};
    for (int i = 0; i < 4; i++) {
        if (shape[i] == 't') {
            *fields[i] = at->starts[*fields[i]];
        }
        for (uint32_t k = 0; shape[i] == 'q' && k < *fields[i + 1]; k++) {
            uint32_t *target = vector_at(&at->builder->operands, *fields[i] + 2 * k + 1);
            *target = at->starts[*target];
        }
    }
}

static void translate_function(struct translation *at, uint32_t function) {
    const struct function *from = &at->program->functions[function];
    const struct instruction *code = function_code(at->program, function);
    struct assembler *out = &at->runtime.out;
    uint32_t most = from->registers;
    at->function = function;
    at->branches.count = 0;
    at->gives_up = false;
    for (uint32_t i = 0; i < from->count; i++) {
        at->gives_up = at->gives_up || is_given_up(at, &code[i]);
    }
    /* Its steps are no longer those of the original, for which a call could be printed. */
    builder_function_at(at->builder, function)->flags &= ~(uint32_t)FUNCTION_WHOLE;
    builder_begin(at->builder, function);
    uint32_t base = from->registers;
    out->pos = 0;
    out->registers = base;
    if (at->runtime.has_locals) {
        at->saved_locals = emit_register(out);
        base = out->registers;
        emit_move(out, at->saved_locals, cell_get(&at->runtime, CELL_locals));
        most = out->registers;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        at->starts[i] = builder_here(at->builder);
        out->pos = code[i].pos;
        out->registers = base;
        translate_instruction(at, &code[i], i);
        most = out->registers > most ? out->registers : most;
    }
    for (size_t i = 0; i < at->branches.count; i++) {
        resolve(at, *(uint32_t *)vector_at(&at->branches, i));
    }
    builder_end(at->builder, most);
}

static void emit_wrapper(struct translation *at, uint32_t wrapper) {
    struct assembler *out = &at->runtime.out;
    uint32_t function = 0;
    while (at->wrappers[function] != wrapper) {
        function++;
    }
    const struct function *inner = &at->program->functions[function];
    builder_begin(at->builder, wrapper);
    out->registers = 2;
    out->pos = inner->pos;
    call_0(&at->runtime, FUNCTION_thread_begin);
    const uint32_t arguments[] = {0, 1};
    uint32_t count = inner->parameters < 2 ? inner->parameters : 2;
    uint32_t result = emit_call(out, function, arguments, count);
    emit_last_end(at, false);
    result = result == NO_REGISTER ? value(at, 0) : result;
    emit_return(out, &result, 1);
    builder_end(at->builder, out->registers);
}

static void emit_start(struct translation *at) {
    struct assembler *out = &at->runtime.out;
    uint32_t start = builder_function(at->builder, "bound_main", 0, 0, FUNCTION_LIBRARY);
    builder_begin(at->builder, start);
    out->registers = 0;
    out->pos = 0;
    call_0(&at->runtime, FUNCTION_thread_begin);
    emit_call(out, at->builder->entry, NULL, 0);
    emit_last_end(at, false);
    emit_return(out, NULL, 0);
    builder_end(at->builder, out->registers);
    at->builder->entry = start;
}

uint64_t bound_last_address(const struct program *translated, const struct program *original) {
    return translated->globals[original->globals_count + CELL_COUNT + ARRAY_COUNT + SHARED_last].address;
}

bool bound_refuses(const struct program *translated, uint32_t pos, const char *message,
                   struct diagnostics *diagnostics) {
    static const char *const messages[] = {BOUND_NO_COPY, BOUND_NO_LOCAL, BOUND_NO_WAITER, BOUND_NO_FORMAT};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (strcmp(message, messages[i]) == 0) {
            const struct position *position = &translated->positions[pos];
            diagnostics_add(diagnostics, program_string(translated, position->file), position->line, position->column,
                            "%s", message);
            return true;
        }
    }
    return false;
}

bool bound_translate(const struct program *program, const struct bound_options *options, struct program *result,
                     struct diagnostics *diagnostics) {
    struct builder builder;
    struct translation at = {.program = program, .builder = &builder, .diagnostics = diagnostics};
    uint32_t extra = options->probe;
    at.runtime.options = *options;
    at.runtime.slots = options->bound + extra + (options->kind == BOUND_AGE);
    at.runtime.rounds = options->kind == BOUND_AGE ? 0 : options->bound + extra;
    at.runtime.copies = options->copies ? options->copies : BOUND_COPIES;
    at.runtime.has_awaits = has_operation(program, OP_AWAIT);
    if (options->portable) {
        privacy_init(&at.privacy, program);
    }
    at.runtime.has_locals = has_shared_locals(&at);
    builder_init_from(&builder, program);
    at.wrappers = memory_allocate((program->functions_count + 1) * sizeof *at.wrappers);
    declare_wrappers(&at);
    runtime_declare(&at.runtime, &builder);
    uint32_t longest = 0;
    for (size_t f = 0; f < program->functions_count; f++) {
        longest = program->functions[f].count > longest ? program->functions[f].count : longest;
    }
    at.starts = memory_allocate(((size_t)longest + 1) * sizeof *at.starts);
    vector_init(&at.branches, sizeof(uint32_t));
    vector_init(&at.globals, sizeof(const struct global *));
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (!(global->flags & GLOBAL_THREAD_LOCAL)) {
            vector_push(&at.globals, &global);
        }
    }
    for (uint32_t f = 0; f < program->functions_count; f++) {
        translate_function(&at, f);
    }
    for (uint32_t w = (uint32_t)program->functions_count; w < at.runtime.functions[0]; w++) {
        emit_wrapper(&at, w);
    }
    runtime_emit(&at.runtime);
    emit_start(&at);
    vector_delete(&at.branches);
    vector_delete(&at.globals);
    if (options->portable) {
        privacy_delete(&at.privacy);
    }
    free(at.starts);
    free(at.wrappers);
    if (!diagnostics_empty(diagnostics)) {
        builder_delete(&builder);
        return false;
    }
    builder_finish(&builder, result);
    return true;
}
