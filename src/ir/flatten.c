/* Inlines callees into their callers.
 *
 * A callee gets registers of its own after the caller's.  Its private locals live until it returns, so a call is
 * enclosed by STACK_SAVE and STACK_RESTORE if the callee has any, and its LEAVE becomes a STACK_RESTORE: that ends the
 * same objects one step at a time.  A call through a pointer becomes a switch over the functions whose address is taken
 * and that have the same number of parameters; for any other value it stays a call through a pointer.
 *
 * Marks of waiting loops are removed first and found again at the end, since a loop and its callees are one function
 * then. */
#include "ir/flatten.h"

#include <stdlib.h>
#include <string.h>

#include "ir/builder.h"
#include "ir/flow.h"
#include "ir/passes.h"
#include "util/memory.h"

#define MOST_INSTRUCTIONS 400000u
#define MOST_REGISTERS 200000u

/* One call in progress: an inlined function. */
struct instance {
    uint32_t function;
    uint32_t base;    /* its register 0 */
    bool is_root;     /* the thread starts with it: its RETs stay */
    uint32_t dst;     /* else: the caller's register for the results */
    uint32_t results; /* number of results */
    uint32_t saved;   /* register with the number of locals at the call, NO_REGISTER if the function makes none */
    const struct instance *caller;
    uint32_t pos;         /* of the call, in the program's own text */
    uint32_t *where;      /* by instruction: its new index */
    struct vector jumps;  /* of uint32_t: instructions whose targets are old indices of this function */
    struct vector leaves; /* of uint32_t: JMPs to the instruction after the call */
};

struct flattener {
    const struct program *program;
    struct builder *builder;
    uint32_t recursion;
    bool *address_taken;
    uint32_t registers; /* number in the function being made */
    uint32_t registers_used;
    const char *refusal;
};

/* --- Roots ----------------------------------------------------------------------------------------------------- */

static bool function_operand(const struct program *program, uint32_t operand, uint32_t *function) {
    int64_t found =
        operand & OPERAND_CONSTANT ? function_at(program, program->constants[operand & ~OPERAND_CONSTANT]) : -1;
    *function = (uint32_t)found;
    return found >= 0;
}

bool program_starts_thread(const struct program *program, uint32_t function) {
    if (function == program->entry) {
        return true;
    }
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *code = &program->code[i];
        uint32_t created;
        if (code->op == OP_SYNC && code->width == SYNC_THREAD_CREATE &&
            (!function_operand(program, code->a, &created) || created == function)) {
            return true;
        }
    }
    return false;
}

static void take_address(void *data, uint32_t operand) {
    struct flattener *flattener = data;
    uint32_t function;
    if (function_operand(flattener->program, operand, &function)) {
        flattener->address_taken[function] = true;
    }
}

/* Functions whose address occurs in the program, other than as the start of a thread. */
static void find_addresses(struct flattener *flattener) {
    const struct program *program = flattener->program;
    for (size_t i = 0; i < program->code_count; i++) {
        struct instruction code = program->code[i];
        if (code.op == OP_SYNC && code.width == SYNC_THREAD_CREATE) {
            code.a = code.b;
        }
        instruction_reads(program, &code, take_address, flattener);
    }
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        for (uint64_t i = 0; i < global->initial_size; i++) {
            uint64_t left = global->initial_size - i; /* zeros at the end are not stored */
            uint64_t value = 0;
            memcpy(&value, program->bytes + global->initial + i, left < sizeof value ? left : sizeof value);
            int64_t function = function_at(program, value);
            if (function >= 0) {
                flattener->address_taken[function] = true;
            }
        }
    }
}

/* --- Putting functions into functions -------------------------------------------------------------------------- */

static uint32_t emit(struct flattener *flattener, struct instruction instruction) {
    if (builder_here(flattener->builder) >= MOST_INSTRUCTIONS) {
        flattener->refusal = "its threads are too large when all calls are expanded";
        return 0;
    }
    return builder_emit(flattener->builder, instruction);
}

static uint32_t new_registers(struct flattener *flattener, uint32_t base, uint32_t count) {
    if (base + count > MOST_REGISTERS) {
        flattener->refusal = "its threads have too many variables when all calls are expanded";
    }
    if (base + count > flattener->registers) {
        flattener->registers = base + count;
    }
    return base;
}

static uint32_t shifted(const struct instance *instance, uint32_t operand) {
    return (operand & OPERAND_CONSTANT) || operand == NO_REGISTER ? operand : operand + instance->base;
}

static uint32_t copy_pool(struct flattener *flattener, const struct instance *instance, uint32_t start, uint32_t count,
                          bool pairs) {
    uint32_t *pool = memory_allocate(((size_t)count + 1) * sizeof *pool);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t operand = flattener->program->operands[start + i];
        pool[i] = pairs && i % 2 ? operand : shifted(instance, operand);
    }
    uint32_t copied = builder_operands(flattener->builder, pool, count);
    free(pool);
    return copied;
}

static void emit_shifted(struct flattener *flattener, struct instance *instance, struct instruction code) {
    const char *shape = op_table[code.op].shape;
    uint32_t *fields[] = {&code.dst, &code.a, &code.b, &code.c, NULL};
    bool jumps = false;
    for (int i = 0; i < 4; i++) {
        switch (shape[i]) {
        case 't':
            jumps = true;
            break;
        case 'q':
            jumps = true;
            *fields[i] = copy_pool(flattener, instance, *fields[i], 2 * *fields[i + 1], true);
            break;
        case 'p':
            *fields[i] = copy_pool(flattener, instance, *fields[i], *fields[i + 1], false);
            break;
        case '-':
        case 'i':
        case 'f':
        case 'g':
        case 's':
        case 'y':
        case 'n':
            break;
        default:
            *fields[i] = shifted(instance, *fields[i]);
            break;
        }
    }
    uint32_t at = emit(flattener, code);
    if (jumps) {
        vector_push(&instance->jumps, &at);
    }
}

/* Sets the new targets of the instance's own branches. */
static void settle_jumps(struct flattener *flattener, struct instance *instance) {
    for (size_t k = 0; k < instance->jumps.count && !flattener->refusal; k++) {
        struct instruction *code = builder_at(flattener->builder, *(uint32_t *)vector_at(&instance->jumps, k));
        const char *shape = op_table[code->op].shape;
        uint32_t *fields[] = {&code->dst, &code->a, &code->b, &code->c};
        for (int i = 0; i < 4; i++) {
            if (shape[i] == 't') {
                *fields[i] = instance->where[*fields[i]];
            }
            for (uint32_t p = 0; i < 3 && shape[i] == 'q' && p < *fields[i + 1]; p++) {
                uint32_t *pair = vector_at(&flattener->builder->operands, *fields[i] + 2 * p);
                pair[1] = instance->where[pair[1]];
            }
        }
    }
}

static void put(struct flattener *flattener, struct instance *instance);

static uint32_t depth_of(const struct instance *instance, uint32_t function) {
    uint32_t depth = 0;
    for (; instance; instance = instance->caller) {
        depth += instance->function == function;
    }
    return depth;
}

static bool makes_locals(const struct program *program, uint32_t function) {
    const struct instruction *code = function_code(program, function);
    for (uint32_t i = 0; i < program->functions[function].count; i++) {
        if (code[i].op == OP_ALLOCA) {
            return true;
        }
    }
    return false;
}

/* A call of a known function: its arguments, body, and return. */
static void put_call(struct flattener *flattener, const struct instance *caller, const struct instruction *call,
                     uint32_t function, uint32_t results) {
    const struct program *program = flattener->program;
    const struct function *callee = &program->functions[function];
    if (depth_of(caller, function) > flattener->recursion) {
        emit(flattener, (struct instruction){.op = OP_CUT, .dst = NO_REGISTER, .pos = call->pos});
        return;
    }
    uint32_t base = caller->base + program->functions[caller->function].registers + (caller->saved != NO_REGISTER);
    struct instance instance = {
        .function = function,
        .base = new_registers(flattener, base, callee->registers + 1),
        .dst = shifted(caller, call->dst),
        .results = results,
        .saved = makes_locals(program, function) ? base + callee->registers : NO_REGISTER,
        .caller = caller,
        .pos = program->positions[call->pos].line > 0 ? call->pos : caller->pos,
    };
    if (flattener->refusal) {
        return;
    }
    for (uint32_t i = 0; i < callee->parameters; i++) {
        uint32_t argument =
            i < call->c ? shifted(caller, program->operands[call->b + i]) : builder_constant(flattener->builder, 0);
        emit(flattener,
             (struct instruction){.op = OP_MOV, .width = 64, .dst = base + i, .a = argument, .pos = call->pos});
    }
    if (instance.saved != NO_REGISTER) {
        emit(flattener, (struct instruction){.op = OP_STACK_SAVE, .dst = instance.saved, .pos = call->pos});
    }
    put(flattener, &instance);
}

static void put_return(struct flattener *flattener, struct instance *instance, const struct instruction *code) {
    const uint32_t *values = flattener->program->operands + code->a;
    for (uint32_t i = 0; i < instance->results && instance->dst != NO_REGISTER; i++) {
        uint32_t value = i < code->b ? shifted(instance, values[i]) : builder_constant(flattener->builder, 0);
        emit(flattener,
             (struct instruction){.op = OP_MOV, .width = 64, .dst = instance->dst + i, .a = value, .pos = code->pos});
    }
    if (instance->saved != NO_REGISTER) {
        emit(flattener,
             (struct instruction){.op = OP_STACK_RESTORE, .dst = NO_REGISTER, .a = instance->saved, .pos = code->pos});
    }
    uint32_t at = emit(flattener, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .pos = code->pos});
    vector_push(&instance->leaves, &at);
}

/* A call through a pointer: a chain of comparisons. */
static void put_indirect_call(struct flattener *flattener, struct instance *instance, const struct instruction *code) {
    const struct program *program = flattener->program;
    uint32_t flag = new_registers(flattener, instance->base, program->functions[instance->function].registers + 2) +
                    program->functions[instance->function].registers + (instance->saved != NO_REGISTER);
    struct vector ends;
    vector_init(&ends, sizeof(uint32_t));
    for (uint32_t f = 0; f < program->functions_count && !flattener->refusal; f++) {
        if (!flattener->address_taken[f] || program->functions[f].parameters != code->c) {
            continue;
        }
        emit(flattener, (struct instruction){.op = OP_ICMP,
                                             .width = 64,
                                             .sub = PREDICATE_EQ,
                                             .dst = flag,
                                             .a = shifted(instance, code->a),
                                             .b = builder_address(flattener->builder, function_address(f)),
                                             .pos = code->pos});
        uint32_t branch = emit(
            flattener, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = flag, .pos = code->pos});
        put_call(flattener, instance, code, f, code->sub);
        uint32_t end = emit(flattener, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .pos = code->pos});
        vector_push(&ends, &end);
        if (!flattener->refusal) {
            builder_at(flattener->builder, branch)->b = branch + 1;
            builder_at(flattener->builder, branch)->c = builder_here(flattener->builder);
        }
    }
    emit_shifted(flattener, instance, *code);
    for (size_t i = 0; i < ends.count && !flattener->refusal; i++) {
        builder_at(flattener->builder, *(uint32_t *)vector_at(&ends, i))->a = builder_here(flattener->builder);
    }
    vector_delete(&ends);
}

static void put_instruction(struct flattener *flattener, struct instance *instance, struct instruction code) {
    code.flags &= (uint8_t)~INSTRUCTION_AWAIT;
    switch (code.op) {
    case OP_ASSUMED: /* its position is what matters */
        code.pos = flattener->program->positions[code.pos].line > 0 ? code.pos : instance->pos;
        emit_shifted(flattener, instance, code);
        break;
    case OP_AWAIT:
        emit_shifted(flattener, instance, (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = code.pos});
        break;
    case OP_AGAIN:
        emit_shifted(flattener, instance,
                     (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = code.b, .pos = code.pos});
        break;
    case OP_CALL:
        put_call(flattener, instance, &code, code.a, flattener->program->functions[code.a].results);
        break;
    case OP_CALL_INDIRECT:
        put_indirect_call(flattener, instance, &code);
        break;
    case OP_RET:
        if (instance->is_root) {
            emit_shifted(flattener, instance, code);
        } else {
            put_return(flattener, instance, &code);
        }
        break;
    case OP_LEAVE:
        if (instance->saved != NO_REGISTER) {
            emit(flattener, (struct instruction){
                                .op = OP_STACK_RESTORE, .dst = NO_REGISTER, .a = instance->saved, .pos = code.pos});
        } else {
            emit_shifted(flattener, instance, code);
        }
        break;
    default:
        emit_shifted(flattener, instance, code);
        break;
    }
}

static void put(struct flattener *flattener, struct instance *instance) {
    const struct function *function = &flattener->program->functions[instance->function];
    const struct instruction *code = function_code(flattener->program, instance->function);
    instance->where = memory_allocate(((size_t)function->count + 1) * sizeof *instance->where);
    vector_init(&instance->jumps, sizeof(uint32_t));
    vector_init(&instance->leaves, sizeof(uint32_t));
    for (uint32_t i = 0; i < function->count && !flattener->refusal; i++) {
        instance->where[i] = builder_here(flattener->builder);
        put_instruction(flattener, instance, code[i]);
    }
    settle_jumps(flattener, instance);
    for (size_t i = 0; i < instance->leaves.count && !flattener->refusal; i++) {
        builder_at(flattener->builder, *(uint32_t *)vector_at(&instance->leaves, i))->a =
            builder_here(flattener->builder);
    }
    free(instance->where);
    vector_delete(&instance->jumps);
    vector_delete(&instance->leaves);
}

/* A function in which no thread starts is only reached through invalid pointers; it keeps its code. */
static void keep(struct builder *builder, const struct program *program, uint32_t function) {
    const struct instruction *code = function_code(program, function);
    for (uint32_t i = 0; i < program->functions[function].count; i++) {
        struct instruction copy = code[i];
        const char *shape = op_table[copy.op].shape;
        uint32_t *fields[] = {&copy.dst, &copy.a, &copy.b, &copy.c};
        for (int k = 0; k < 4; k++) {
            if (k < 3 && (shape[k] == 'p' || shape[k] == 'q')) {
                uint32_t count = *fields[k + 1] * (shape[k] == 'q' ? 2 : 1);
                *fields[k] = builder_operands(builder, program->operands + *fields[k], count);
            }
        }
        builder_emit(builder, copy);
    }
}

const char *program_flatten(const struct program *program, uint32_t recursion, struct program *flat) {
    struct builder builder;
    struct flattener flattener = {.program = program, .builder = &builder, .recursion = recursion};
    builder_init_from(&builder, program);
    flattener.address_taken = memory_allocate(program->functions_count + 1);
    find_addresses(&flattener);
    for (uint32_t f = 0; f < program->functions_count && !flattener.refusal; f++) {
        const struct function *function = &program->functions[f];
        builder_begin(&builder, f);
        if (program_starts_thread(program, f)) {
            flattener.registers = function->registers;
            struct instance root = {.function = f, .is_root = true, .saved = NO_REGISTER};
            put(&flattener, &root);
            builder_end(&builder, flattener.registers);
        } else {
            keep(&builder, program, f);
            builder_end(&builder, function->registers);
        }
    }
    free(flattener.address_taken);
    if (flattener.refusal) {
        builder_delete(&builder);
        return flattener.refusal;
    }
    builder_finish(&builder, flat);
    pass_simplify(flat);
    pass_drop_dead(flat);
    pass_awaits(flat);
    pass_compact(flat);
    return NULL;
}

/* --- Unfolding ------------------------------------------------------------------------------------------------- */

static bool loop_in_source(const struct flow *flow, const struct loop *loop) {
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        for (uint32_t i = flow->blocks[b].first; loop_has(loop, b) && i < flow->blocks[b].end; i++) {
            if (flow->program->positions[flow->code[i].pos].line > 0) {
                return true;
            }
        }
    }
    return false;
}

bool program_has_cycles(const struct program *flat, bool in_source) {
    bool found = false;
    for (uint32_t f = 0; f < flat->functions_count && !found; f++) {
        if (program_starts_thread(flat, f)) {
            struct flow flow;
            flow_init(&flow, flat, f);
            found = flow.irreducible;
            for (uint32_t l = 0; l < flow.loops_count; l++) {
                found = found || !in_source || loop_in_source(&flow, &flow.loops[l]);
            }
            flow_delete(&flow);
        }
    }
    return found;
}

/* The target of a branch from `from` in copy `layer`: a back edge leads to the next copy, or to the frontier. */
static uint32_t unfolded_target(const struct flow *flow, uint32_t from, uint32_t to, uint32_t layer, uint32_t layers,
                                uint32_t frontier) {
    uint32_t count = flow->function->count;
    bool back = flow->blocks[flow->block_of[to]].order <= flow->blocks[flow->block_of[from]].order;
    if (!back) {
        return 2 * (layer * count + to);
    }
    return layer + 1 < layers ? 2 * ((layer + 1) * count + to) : frontier;
}

/* Does control pass from the instruction to a block that does not come later? */
static bool runs_back(const struct flow *flow, uint32_t index) {
    return index + 1 < flow->function->count && !instruction_ends_block(&flow->code[index]) &&
           flow->block_of[index] != flow->block_of[index + 1] &&
           flow->blocks[flow->block_of[index + 1]].order <= flow->blocks[flow->block_of[index]].order;
}

/* Emits one more copy of the function.  Each instruction has two indices; the second is a jump if control passes from
 * the instruction along a back edge. */
static void put_layer(struct builder *builder, const struct flow *flow, uint32_t layer, uint32_t layers) {
    const struct program *program = flow->program;
    uint32_t count = flow->function->count;
    uint32_t frontier = 2 * layers * count;
    for (uint32_t i = 0; i < count; i++) {
        struct instruction code = flow->code[i];
        struct instruction second = {.op = OP_NOP, .dst = NO_REGISTER, .pos = code.pos};
        bool reachable = flow->blocks[flow->block_of[i]].order != NO_BLOCK;
        code.flags &= (uint8_t)~INSTRUCTION_AWAIT;
        if (!reachable) {
            code = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = frontier, .pos = code.pos};
            builder_emit(builder, code);
            builder_emit(builder, code);
            continue;
        }
        if (instruction_ends_block(&code)) {
            second = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = frontier, .pos = code.pos};
        } else if (runs_back(flow, i)) {
            second = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .pos = code.pos};
            second.a = unfolded_target(flow, i, i + 1, layer, layers, frontier);
        }
        if (code.op == OP_AWAIT) {
            code = (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = code.pos};
        } else if (code.op == OP_AGAIN) {
            code = (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = code.b, .pos = code.pos};
        }
        const char *shape = op_table[code.op].shape;
        uint32_t *fields[] = {&code.dst, &code.a, &code.b, &code.c};
        for (int k = 0; k < 4; k++) {
            if (shape[k] == 't') {
                *fields[k] = unfolded_target(flow, i, *fields[k], layer, layers, frontier);
            } else if (k < 3 && (shape[k] == 'p' || shape[k] == 'q')) {
                uint32_t size = *fields[k + 1] * (shape[k] == 'q' ? 2 : 1);
                uint32_t *pool = memory_allocate(((size_t)size + 1) * sizeof *pool);
                for (uint32_t p = 0; p < size; p++) {
                    uint32_t operand = program->operands[*fields[k] + p];
                    pool[p] =
                        shape[k] == 'q' && p % 2 ? unfolded_target(flow, i, operand, layer, layers, frontier) : operand;
                }
                *fields[k] = builder_operands(builder, pool, size);
                free(pool);
            }
        }
        builder_emit(builder, code);
        builder_emit(builder, second);
    }
}

const char *program_unfold(const struct program *flat, uint32_t back_edges, struct program *unfolded) {
    struct builder builder;
    const char *refusal = NULL;
    builder_init_from(&builder, flat);
    for (uint32_t f = 0; f < flat->functions_count; f++) {
        struct flow flow;
        flow_init(&flow, flat, f);
        builder_begin(&builder, f);
        bool cycles = flow.loops_count > 0 || flow.irreducible;
        uint64_t size = 2 * ((uint64_t)back_edges + 1) * flow.function->count;
        refusal =
            cycles && size > MOST_INSTRUCTIONS ? "its threads are too large when loops are unfolded so far" : refusal;
        if (!refusal && cycles && program_starts_thread(flat, f)) {
            for (uint32_t layer = 0; layer <= back_edges; layer++) {
                put_layer(&builder, &flow, layer, back_edges + 1);
            }
            builder_emit(&builder, (struct instruction){.op = OP_CUT, .sub = CUT_FRONTIER, .dst = NO_REGISTER});
        } else {
            keep(&builder, flat, f);
        }
        builder_end(&builder, flow.function->registers);
        flow_delete(&flow);
    }
    if (refusal) {
        builder_delete(&builder);
        return refusal;
    }
    builder_finish(&builder, unfolded);
    pass_simplify(unfolded);
    return NULL;
}

void program_copy(const struct program *program, struct program *copy) {
    void *block = memory_allocate(program->header->size);
    memcpy(block, program->header, program->header->size);
    program_adopt(copy, block, program->header->size);
}
