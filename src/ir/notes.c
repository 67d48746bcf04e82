/* Finds the code of annotations, drops it, or makes it part of the program. */
#include "ir/notes.h"

#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

bool program_has_notes(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        if (program->code[i].op == OP_NOTE) {
            return true;
        }
    }
    return false;
}

/* --- The code of one annotation ----------------------------------------------------------------------------------- */

/* A search through the code of an annotation. */
struct region {
    const struct program *program;
    const struct function *function;
    const struct instruction *code;
    struct diagnostics *diagnostics;
    const struct instruction *note;
    uint8_t *seen;       /* by instruction */
    struct vector stack; /* of uint32_t: instructions */
    bool *written;       /* by register: some instruction of the code writes it */
    bool good;
};

static void complain(struct region *region, const struct instruction *at, const char *what) {
    const struct position *position = &region->program->positions[at->pos ? at->pos : region->note->pos];
    region->good = false;
    diagnostics_add(region->diagnostics, program_string(region->program, position->file), position->line,
                    position->column, "the condition of an annotation %s", what);
}

static void region_visit(void *data, uint32_t target) {
    struct region *region = data;
    if (!region->seen[target]) {
        region->seen[target] = 1;
        vector_push(&region->stack, &target);
    }
}

static void check_operation(struct region *region, const struct instruction *code) {
    switch (code->op) {
    case OP_STORE:
        complain(region, code, "must not store");
        break;
    case OP_RMW:
    case OP_CAS:
        complain(region, code, "must not read and modify");
        break;
    case OP_CALL:
    case OP_CALL_INDIRECT:
    case OP_LIB:
    case OP_MALLOC:
        complain(region, code, "must not call a function");
        break;
    case OP_ASSERT:
    case OP_ASSUME:
    case OP_ERROR:
    case OP_NONDET:
    case OP_NOTE:
    case OP_RET:
        complain(region, code, "must be an expression without effects");
        break;
    default:
        if (op_table[code->op].class == OP_VISIBLE && code->op != OP_LOAD) {
            complain(region, code, "must not wait or end anything");
        }
        break;
    }
}

static void check_register(void *data, uint32_t operand) {
    struct region *region = data;
    if (!(operand & OPERAND_CONSTANT) && !region->written[operand]) {
        complain(region, region->note, "that always holds must not use local variables");
    }
}

static void check_note(struct region *region, uint32_t note) {
    region->note = &region->code[note];
    memset(region->seen, 0, region->function->count);
    memset(region->written, 0, region->function->registers);
    region_visit(region, region->note->a);
    bool ends = false;
    while (region->stack.count > 0) {
        uint32_t at = *(uint32_t *)vector_at(&region->stack, --region->stack.count);
        const struct instruction *code = &region->code[at];
        check_operation(region, code);
        for (uint32_t i = 0, count = instruction_writes(region->program, code); i < count; i++) {
            region->written[code->dst + i] = true;
        }
        ends = ends || code->op == OP_NOTED;
        instruction_targets(region->program, code, region_visit, region);
        if (!instruction_ends_block(code) && region->good) {
            region_visit(region, at + 1);
        }
    }
    if (!ends && region->good) {
        complain(region, region->note, "has no end");
    }
    for (uint32_t i = 0; region->note->sub == NOTE_INVARIANT && i < region->function->count && region->good; i++) {
        if (region->seen[i]) {
            instruction_reads(region->program, &region->code[i], check_register, region);
        }
    }
}

bool notes_check(const struct program *program, struct diagnostics *diagnostics) {
    bool good = true;
    for (size_t f = 0; f < program->functions_count; f++) {
        struct region region = {.program = program,
                                .function = &program->functions[f],
                                .code = function_code(program, (uint32_t)f),
                                .diagnostics = diagnostics,
                                .good = true};
        region.seen = memory_allocate((size_t)region.function->count + 1);
        region.written = memory_allocate((size_t)region.function->registers + 1);
        vector_init(&region.stack, sizeof(uint32_t));
        for (uint32_t i = 0; i < region.function->count && region.good; i++) {
            if (region.code[i].op == OP_NOTE) {
                check_note(&region, i);
            }
        }
        good = good && region.good;
        free(region.seen);
        free(region.written);
        vector_delete(&region.stack);
    }
    return good;
}

struct end_search {
    uint8_t *seen;
    struct vector stack; /* of uint32_t: instructions */
};

static void search_go(void *data, uint32_t target) {
    struct end_search *search = data;
    if (!search->seen[target]) {
        search->seen[target] = 1;
        vector_push(&search->stack, &target);
    }
}

uint32_t note_end(const struct program *program, uint32_t function, uint32_t note) {
    const struct instruction *code = function_code(program, function);
    struct end_search search = {.seen = memory_allocate((size_t)program->functions[function].count + 1)};
    uint32_t end = UINT32_MAX;
    vector_init(&search.stack, sizeof(uint32_t));
    search_go(&search, code[note].a);
    while (search.stack.count > 0 && end == UINT32_MAX) {
        uint32_t at = *(uint32_t *)vector_at(&search.stack, --search.stack.count);
        end = code[at].op == OP_NOTED ? at : UINT32_MAX;
        instruction_targets(program, &code[at], search_go, &search);
        if (!instruction_ends_block(&code[at])) {
            search_go(&search, at + 1);
        }
    }
    free(search.seen);
    vector_delete(&search.stack);
    return end;
}

/* Does the instruction only pass on its first operand, in another width, or test whether it is 0? */
static bool hands_on(const struct instruction *code) {
    return code->op == OP_MOV || code->op == OP_SEXT || code->op == OP_TRUNC ||
           ((code->op == OP_AND || (code->op == OP_ICMP && code->sub == PREDICATE_NE)) && (code->b & OPERAND_CONSTANT));
}

static bool is_access(const struct instruction *code, unsigned kind) {
    return kind == NOTE_READS ? code->op == OP_LOAD : code->op == OP_RMW || code->op == OP_CAS;
}

uint32_t note_access(const struct flow *flow, uint32_t note, uint32_t *result) {
    const struct instruction *code = flow->code;
    uint32_t reg = code[note].c;
    uint32_t first = flow->blocks[flow->block_of[note]].first;
    for (uint32_t i = note; i-- > first && !(reg & OPERAND_CONSTANT);) {
        uint32_t count = instruction_writes(flow->program, &code[i]);
        bool sets = count > 0 && reg - code[i].dst < count;
        if (sets && is_access(&code[i], code[note].sub)) {
            *result = reg - code[i].dst;
            return i;
        }
        if (sets && hands_on(&code[i])) {
            reg = code[i].a;
        } else if (sets || (!instruction_is_pure(&code[i]) && code[i].op != OP_NOP)) {
            return UINT32_MAX;
        }
    }
    return UINT32_MAX;
}

/* --- Dropping them ------------------------------------------------------------------------------------------------ */

static void drop_note(struct instruction *code) {
    if (code->op == OP_NOTE) {
        *code = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = code->b, .pos = code->pos};
    } else if (code->op == OP_NOTED) {
        *code = (struct instruction){.op = OP_HALT, .dst = NO_REGISTER, .pos = code->pos};
    }
}

static void drop_notes(struct rewrite *rewrite, void *data) {
    (void)data;
    for (uint32_t i = 0; i < rewrite->program->functions[rewrite->function].count; i++) {
        drop_note(&rewrite->code[i]);
    }
}

void pass_notes_drop(struct program *program) {
    if (program_has_notes(program)) {
        program_rewrite(program, drop_notes, NULL);
    }
}

/* --- Making them part of the program ------------------------------------------------------------------------------ */

/* An invariant, and the new function in which a thread asserts it. */
struct invariant {
    uint32_t function; /* the one that contains it */
    uint32_t note;
};

static void find_invariants(const struct program *program, struct vector *invariants) {
    vector_init(invariants, sizeof(struct invariant));
    for (size_t f = 0; f < program->functions_count; f++) {
        const struct instruction *code = function_code(program, (uint32_t)f);
        for (uint32_t i = 0; i < program->functions[f].count; i++) {
            if (code[i].op == OP_NOTE && code[i].sub == NOTE_INVARIANT) {
                vector_push(invariants, &(struct invariant){(uint32_t)f, i});
            }
        }
    }
}

static void copy_code(struct builder *builder, const struct program *program, uint32_t from, uint32_t to) {
    const struct function *function = &program->functions[from];
    builder_begin(builder, to);
    for (uint32_t i = 0; i < function->count; i++) {
        builder_emit(builder, function_code(program, from)[i]);
    }
    builder_end(builder, function->registers > 2 ? function->registers : 2);
}

/* Adds a function for each invariant, with the code of the one that contains it. */
static void add_functions(struct program *program, const struct vector *invariants) {
    struct builder builder;
    struct program larger;
    builder_init_from(&builder, program);
    builder_operands(&builder, program->operands, program->operands_count);
    for (size_t i = 0; i < invariants->count; i++) {
        const struct invariant *invariant = vector_at(invariants, i);
        builder_function(&builder, "picket_invariant", 2, program->functions[invariant->function].results, 0);
    }
    for (size_t f = 0; f < program->functions_count; f++) {
        copy_code(&builder, program, (uint32_t)f, (uint32_t)f);
    }
    for (size_t i = 0; i < invariants->count; i++) {
        const struct invariant *invariant = vector_at(invariants, i);
        copy_code(&builder, program, invariant->function, (uint32_t)(program->functions_count + i));
    }
    builder_finish(&builder, &larger);
    program_delete(program);
    *program = larger;
}

struct applying {
    bool claims;
    bool abstractions;
    const struct vector *invariants;
    uint32_t functions; /* their number before those of invariants were added */
};

static void put(struct rewrite *rewrite, uint32_t before, struct instruction code) {
    code.pos = rewrite->code[before].pos;
    rewrite_insert(rewrite, before, code);
}

/* Creates the thread that asserts an invariant; no thread waits for it. */
static void create_thread(struct rewrite *rewrite, uint32_t at, uint32_t function) {
    uint32_t number = rewrite->registers;
    uint32_t zero = builder_constant(rewrite->builder, 0);
    rewrite->registers += 2;
    put(rewrite, at,
        (struct instruction){.op = OP_SYNC,
                             .width = SYNC_THREAD_CREATE,
                             .sub = 1,
                             .dst = number,
                             .a = builder_address(rewrite->builder, function_address(function)),
                             .b = zero,
                             .c = zero});
    put(rewrite, at,
        (struct instruction){.op = OP_SYNC,
                             .width = SYNC_THREAD_DETACH,
                             .sub = 1,
                             .dst = number + 1,
                             .a = number,
                             .b = zero,
                             .c = zero});
}

static void check_condition(struct rewrite *rewrite, uint32_t at, const struct instruction *note, bool thread) {
    struct instruction *code = &rewrite->code[at];
    uint32_t text =
        builder_string(rewrite->builder, thread ? "the invariant does not hold" : "the claim does not hold");
    put(rewrite, at, (struct instruction){.op = OP_ASSERT, .dst = NO_REGISTER, .a = code->a, .b = text});
    put(rewrite, at, (struct instruction){.op = OP_ATOMIC_END, .dst = NO_REGISTER});
    uint32_t zero = builder_constant(rewrite->builder, 0);
    *code = thread ? (struct instruction){.op = OP_SYNC,
                                          .width = SYNC_THREAD_EXIT,
                                          .dst = NO_REGISTER,
                                          .a = zero,
                                          .b = zero,
                                          .c = zero,
                                          .pos = code->pos}
                   : (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = note->b, .pos = code->pos};
}

static struct instruction any_value(struct rewrite *rewrite, uint32_t dst, unsigned bits) {
    uint64_t most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (struct instruction){.op = OP_NONDET,
                                .width = (uint8_t)bits,
                                .dst = dst,
                                .a = builder_constant(rewrite->builder, 0),
                                .b = builder_constant(rewrite->builder, most)};
}

/* Skips a read-modify-write that may leave memory unchanged, if the register `fails` is not 0. */
static void skip_update(struct rewrite *rewrite, uint32_t at, uint32_t fails) {
    const struct instruction code = rewrite->code[at];
    uint32_t first = (uint32_t)rewrite->insertions.count;
    put(rewrite, at, any_value(rewrite, fails, 1));
    put(rewrite, at,
        (struct instruction){.op = OP_BR,
                             .width = 1,
                             .dst = NO_REGISTER,
                             .a = fails,
                             .b = REWRITE_INSERTED | (first + 2),
                             .c = REWRITE_PAST | at});
    put(rewrite, at, (struct instruction){.op = OP_LOAD, .width = code.width, .dst = code.dst, .a = code.a});
    if (code.op == OP_CAS) {
        put(rewrite, at,
            (struct instruction){.op = OP_ICMP,
                                 .width = (uint8_t)(8 * code.width),
                                 .sub = PREDICATE_EQ,
                                 .dst = code.dst + 1,
                                 .a = code.dst,
                                 .b = code.b});
    }
}

/* Makes the access and the condition an atomic section: any value, and the assumption that the condition holds. */
static void abstract_access(struct rewrite *rewrite, const struct flow *flow, uint32_t index) {
    const struct instruction note = rewrite->code[index];
    uint32_t end = note_end(rewrite->program, rewrite->function, index);
    uint32_t result = 0;
    uint32_t access = note_access(flow, index, &result);
    if (access == UINT32_MAX || rewrite->code[access].width > 8) {
        return;
    }
    const struct instruction code = rewrite->code[access];
    struct instruction any = any_value(rewrite, code.dst + result, 8u * code.width);
    uint32_t condition = rewrite->code[end].a;
    put(rewrite, access, (struct instruction){.op = OP_ATOMIC_BEGIN, .dst = NO_REGISTER});
    if (note.sub == NOTE_READS) {
        put(rewrite, access + 1, any);
    } else {
        uint32_t fails = rewrite->registers++;
        uint32_t both = rewrite->registers++;
        skip_update(rewrite, access, fails);
        put(rewrite, access, any);
        put(rewrite, access, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = access + 1});
        put(rewrite, end,
            (struct instruction){
                .op = OP_XOR, .width = 64, .dst = both, .a = fails, .b = builder_constant(rewrite->builder, 1)});
        put(rewrite, end, (struct instruction){.op = OP_OR, .width = 64, .dst = both, .a = both, .b = condition});
        condition = both;
    }
    put(rewrite, end, (struct instruction){.op = OP_ASSUME, .dst = NO_REGISTER, .a = condition});
    put(rewrite, end, (struct instruction){.op = OP_ATOMIC_END, .dst = NO_REGISTER});
    rewrite->code[end] = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = note.b, .pos = note.pos};
    rewrite->code[index] = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = note.a, .pos = note.pos};
}

static void apply_abstractions(struct rewrite *rewrite) {
    struct flow flow;
    flow_init(&flow, rewrite->program, rewrite->function);
    for (uint32_t i = 0; i < rewrite->program->functions[rewrite->function].count; i++) {
        if (rewrite->code[i].op == OP_NOTE && rewrite->code[i].sub > NOTE_INVARIANT) {
            abstract_access(rewrite, &flow, i);
        }
    }
    flow_delete(&flow);
}

static void apply_notes(struct rewrite *rewrite, void *data) {
    const struct applying *applying = data;
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    bool added = rewrite->function >= applying->functions;
    const struct invariant *own =
        added ? vector_at(applying->invariants, rewrite->function - applying->functions) : NULL;
    if (own) {
        put(rewrite, 0, (struct instruction){.op = OP_ATOMIC_BEGIN, .dst = NO_REGISTER});
        put(rewrite, 0, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = rewrite->code[own->note].a});
    }
    for (uint32_t i = 0; i < count; i++) {
        struct instruction note = rewrite->code[i];
        if (note.op == OP_NOTE && own && own->note == i) {
            check_condition(rewrite, note_end(rewrite->program, rewrite->function, i), &note, true);
        } else if (note.op == OP_NOTE && note.sub == NOTE_CLAIM && !own && applying->claims) {
            check_condition(rewrite, note_end(rewrite->program, rewrite->function, i), &note, false);
            put(rewrite, i, (struct instruction){.op = OP_ATOMIC_BEGIN, .dst = NO_REGISTER});
            rewrite->code[i] = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = note.a, .pos = note.pos};
        } else if (note.op == OP_NOTE && note.sub == NOTE_INVARIANT && !own && applying->claims) {
            for (size_t k = 0; k < applying->invariants->count; k++) {
                const struct invariant *invariant = vector_at(applying->invariants, k);
                if (invariant->function == rewrite->function && invariant->note == i) {
                    create_thread(rewrite, i, applying->functions + (uint32_t)k);
                }
            }
        }
    }
    if (applying->abstractions) {
        apply_abstractions(rewrite);
    }
    drop_notes(rewrite, NULL);
}

void pass_notes_apply(struct program *program, bool claims, bool abstractions) {
    struct vector invariants;
    if (!program_has_notes(program)) {
        return;
    }
    find_invariants(program, &invariants);
    struct applying applying = {.claims = claims,
                                .abstractions = abstractions,
                                .invariants = &invariants,
                                .functions = (uint32_t)program->functions_count};
    if (invariants.count > 0 && claims) {
        add_functions(program, &invariants);
    }
    program_rewrite(program, apply_notes, &applying);
    vector_delete(&invariants);
}
