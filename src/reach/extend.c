/* Making the copy of a sequence.  Numbers in brackets are the paper's rules. */
#include "reach/extend.h"

#include <stdlib.h>
#include <string.h>

#include "ir/builder.h"
#include "util/memory.h"

#define PRIVATE_BIT 32 /* bit of an address that is set in the half of a region for private locals */

/* A delayed store, in registers. */
struct delayed {
    struct instruction store; /* operands a and b: the registers of address and value */
    bool may_be_absent;       /* its address register is 0 if the store was to private memory, which is made at once */
};

/* An exit from the copy to `target` in the old code, after the first `stores` delayed stores were made. */
struct exit {
    uint32_t branch; /* the instruction to be patched */
    uint32_t field;  /* 0: a, 1: b, 2: c; 3: the default of a SWITCH; 4 + n: its n-th pair */
    uint32_t target;
    uint32_t stores;
    bool fence; /* after the first store */
};

struct layer {
    struct extended *extended;
    const struct program *program;
    struct builder builder;
    enum extension_form form;
    uint32_t function;
    const uint32_t *sequence; /* indices in the function */
    uint32_t length;
    uint32_t registers;
    struct vector delayed;  /* of struct delayed */
    struct vector exits;    /* of struct exit */
    struct vector meanings; /* of the appended instructions */
    struct vector origins;
};

/* --- Emitting -------------------------------------------------------------------------------------------------- */

static uint32_t emit(struct layer *layer, struct instruction code, enum meaning meaning, uint32_t origin) {
    uint8_t byte = (uint8_t)meaning;
    vector_push(&layer->meanings, &byte);
    vector_push(&layer->origins, &origin);
    return builder_emit(&layer->builder, code);
}

static uint32_t emit_own(struct layer *layer, struct instruction code) {
    return emit(layer, code, MEANING_NONE, 0);
}

static uint32_t new_register(struct layer *layer) {
    return layer->registers++;
}

static uint32_t constant(struct layer *layer, uint64_t value) {
    return builder_constant(&layer->builder, value);
}

static uint32_t binary(struct layer *layer, enum op op, unsigned sub, uint32_t a, uint32_t b) {
    uint32_t dst = new_register(layer);
    emit_own(layer,
             (struct instruction){.op = (uint8_t)op, .width = 64, .sub = (uint8_t)sub, .dst = dst, .a = a, .b = b});
    return dst;
}

/* Emits a branch that is taken if the register is not 0; the targets are set later. */
static uint32_t emit_branch(struct layer *layer, uint32_t flag) {
    return emit_own(layer, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = flag});
}

static uint32_t emit_jump(struct layer *layer, uint32_t target) {
    return emit_own(layer, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = target});
}

static struct instruction *at(struct layer *layer, uint32_t index) {
    return builder_at(&layer->builder, index);
}

static uint32_t here(const struct layer *layer) {
    return builder_here(&layer->builder);
}

/* A choice of 0 or 1. */
static uint32_t emit_choice(struct layer *layer, uint32_t pos) {
    uint32_t dst = new_register(layer);
    emit_own(
        layer,
        (struct instruction){
            .op = OP_NONDET, .width = 8, .dst = dst, .a = constant(layer, 0), .b = constant(layer, 1), .pos = pos});
    return dst;
}

static void emit_dead_end(struct layer *layer) {
    emit_own(layer, (struct instruction){.op = OP_ASSUME, .dst = NO_REGISTER, .a = constant(layer, 0)});
    emit_jump(layer, here(layer));
}

static void add_exit(struct layer *layer, uint32_t branch, uint32_t field, uint32_t target, bool fence) {
    struct exit exit = {branch, field, target, (uint32_t)layer->delayed.count, fence};
    vector_push(&layer->exits, &exit);
}

static const struct instruction *old_code(const struct layer *layer, uint32_t index) {
    return function_code(layer->program, layer->function) + index;
}

static uint32_t old_first(const struct layer *layer) {
    return layer->program->functions[layer->function].first;
}

static enum meaning meaning_of(const struct layer *layer, uint32_t index) {
    return (enum meaning) * (uint8_t *)vector_at(&layer->extended->meanings, old_first(layer) + index);
}

static uint32_t origin_of(const struct layer *layer, uint32_t index) {
    return *(uint32_t *)vector_at(&layer->extended->origins, old_first(layer) + index);
}

/* A copy of an old instruction. */
static uint32_t emit_copy(struct layer *layer, uint32_t index) {
    struct instruction code = *old_code(layer, index);
    code.flags &= (uint8_t)~INSTRUCTION_AWAIT;
    return emit(layer, code, meaning_of(layer, index), origin_of(layer, index));
}

/* Emits an instruction that stands for an access which does not reach memory. */
static void emit_mark(struct layer *layer, uint32_t index, enum meaning meaning) {
    emit(layer, (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = old_code(layer, index)->pos}, meaning,
         origin_of(layer, index));
}

/* --- Stores and loads ------------------------------------------------------------------------------------------ */

static uint32_t kept_operand(struct layer *layer, uint32_t operand) {
    if (operand & OPERAND_CONSTANT) {
        return operand;
    }
    uint32_t dst = new_register(layer);
    emit_own(layer, (struct instruction){.op = OP_MOV, .width = 64, .dst = dst, .a = operand});
    return dst;
}

static uint32_t emit_private_test(struct layer *layer, uint32_t address) {
    uint32_t high = binary(layer, OP_LSHR, 0, address, constant(layer, PRIVATE_BIT));
    return binary(layer, OP_AND, 0, high, constant(layer, 1));
}

/* [1]: address and value go into registers.  A store to private memory affects no other thread and is made at once. */
static void lay_store(struct layer *layer, uint32_t index) {
    const struct instruction *code = old_code(layer, index);
    struct delayed delayed = {.store = *code};
    uint32_t private_branch = NO_REGISTER;
    delayed.store.flags &= (uint8_t)~INSTRUCTION_AWAIT;
    if (!(code->a & OPERAND_CONSTANT)) {
        delayed.may_be_absent = true;
        private_branch = emit_branch(layer, emit_private_test(layer, code->a));
        at(layer, private_branch)->c = here(layer);
    }
    delayed.store.a = kept_operand(layer, code->a);
    delayed.store.b = kept_operand(layer, code->b);
    emit_mark(layer, index, meaning_of(layer, index) == MEANING_SAME ? MEANING_STEP : MEANING_NONE);
    if (private_branch != NO_REGISTER) {
        uint32_t over = emit_jump(layer, 0);
        at(layer, private_branch)->b = here(layer);
        emit_copy(layer, index);
        emit_own(layer,
                 (struct instruction){.op = OP_MOV, .width = 64, .dst = delayed.store.a, .a = constant(layer, 0)});
        at(layer, over)->a = here(layer);
    }
    vector_push(&layer->delayed, &delayed);
}

enum overlap { OVERLAP_NONE, OVERLAP_COVERED, OVERLAP_PARTIAL, OVERLAP_UNKNOWN };

static enum overlap known_overlap(struct layer *layer, const struct instruction *load,
                                  const struct instruction *store) {
    if (!(load->a & OPERAND_CONSTANT) || !(store->a & OPERAND_CONSTANT)) {
        return OVERLAP_UNKNOWN;
    }
    const uint64_t *constants = layer->builder.constants.data;
    uint64_t offset = constants[load->a & ~OPERAND_CONSTANT] - constants[store->a & ~OPERAND_CONSTANT];
    if (offset < store->width) {
        return offset + load->width <= store->width ? OVERLAP_COVERED : OVERLAP_PARTIAL;
    }
    return -offset < load->width ? OVERLAP_PARTIAL : OVERLAP_NONE;
}

/* The load takes its bytes from a delayed store that covers it. */
static void emit_forward(struct layer *layer, uint32_t index, const struct instruction *store) {
    const struct instruction *load = old_code(layer, index);
    uint32_t value = store->b;
    if (load->width != store->width) {
        uint32_t offset = binary(layer, OP_SUB, 0, load->a, store->a);
        uint32_t bits = binary(layer, OP_SHL, 0, offset, constant(layer, 3));
        value = binary(layer, OP_LSHR, 0, value, bits);
    }
    emit_own(layer,
             (struct instruction){.op = OP_TRUNC, .width = (uint8_t)(8 * load->width), .dst = load->dst, .a = value});
    emit_mark(layer, index, meaning_of(layer, index) == MEANING_SAME ? MEANING_STEP : MEANING_NONE);
}

/* [2-8]: the newest delayed store that overlaps the load decides. */
static void lay_load(struct layer *layer, uint32_t index) {
    const struct instruction *load = old_code(layer, index);
    struct vector done; /* of uint32_t: jumps to the code after the load */
    vector_init(&done, sizeof(uint32_t));
    bool decided = false;
    for (size_t j = layer->delayed.count; j-- > 0 && !decided;) {
        const struct instruction store = ((struct delayed *)vector_at(&layer->delayed, j))->store;
        enum overlap overlap = known_overlap(layer, load, &store);
        if (overlap == OVERLAP_NONE) {
            continue;
        }
        if (overlap == OVERLAP_COVERED) {
            emit_forward(layer, index, &store);
            decided = true;
        } else if (overlap == OVERLAP_PARTIAL) {
            emit_dead_end(layer);
            decided = true;
        } else {
            uint32_t offset = binary(layer, OP_SUB, 0, load->a, store.a);
            if (load->width <= store.width) {
                uint32_t covered = emit_branch(layer, binary(layer, OP_ICMP, PREDICATE_ULE, offset,
                                                             constant(layer, (uint64_t)store.width - load->width)));
                at(layer, covered)->b = here(layer);
                emit_forward(layer, index, &store);
                uint32_t jump = emit_jump(layer, 0);
                vector_push(&done, &jump);
                at(layer, covered)->c = here(layer);
            }
            uint32_t before = binary(layer, OP_ICMP, PREDICATE_ULT, offset, constant(layer, store.width));
            uint32_t back = binary(layer, OP_SUB, 0, store.a, load->a);
            uint32_t after = binary(layer, OP_ICMP, PREDICATE_ULT, back, constant(layer, load->width));
            uint32_t partly = emit_branch(layer, binary(layer, OP_OR, 0, before, after));
            at(layer, partly)->b = here(layer);
            emit_dead_end(layer);
            at(layer, partly)->c = here(layer);
        }
    }
    if (!decided) {
        emit_copy(layer, index);
    }
    for (size_t i = 0; i < done.count; i++) {
        at(layer, *(uint32_t *)vector_at(&done, i))->a = here(layer);
    }
    vector_delete(&done);
}

/* An update of private memory is local.  An update of shared memory has to wait for the buffer, so the thread leaves
 * the copy before it. */
static void lay_update(struct layer *layer, uint32_t index) {
    uint32_t branch = emit_branch(layer, emit_private_test(layer, old_code(layer, index)->a));
    at(layer, branch)->b = here(layer);
    add_exit(layer, branch, 2, index, false);
    emit_copy(layer, index);
}

/* [14-17]: the thread may stop delaying the first store. */
static void lay_early_flush(struct layer *layer, uint32_t back_to) {
    if (layer->form == EXTENSION_EXACT) {
        uint32_t branch = emit_branch(layer, emit_choice(layer, old_code(layer, back_to)->pos));
        at(layer, branch)->c = here(layer);
        add_exit(layer, branch, 1, back_to, true);
    }
}

/* --- Branches -------------------------------------------------------------------------------------------------- */

static void lay_branch(struct layer *layer, uint32_t index, uint32_t next) {
    struct instruction code = *old_code(layer, index);
    if (code.b == next && code.c == next) {
        return;
    }
    uint32_t branch = emit_copy(layer, index);
    if (code.b == next) {
        at(layer, branch)->b = here(layer);
    } else {
        add_exit(layer, branch, 1, code.b, false);
    }
    if (code.c == next) {
        at(layer, branch)->c = here(layer);
    } else {
        add_exit(layer, branch, 2, code.c, false);
    }
}

static void lay_switch(struct layer *layer, uint32_t index, uint32_t next) {
    struct instruction code = *old_code(layer, index);
    uint32_t pool = builder_operands(&layer->builder, layer->program->operands + code.b, (size_t)2 * code.c);
    uint32_t branch = emit_copy(layer, index);
    at(layer, branch)->b = pool;
    if (code.dst == next) {
        at(layer, branch)->dst = here(layer);
    } else {
        add_exit(layer, branch, 3, code.dst, false);
    }
    for (uint32_t i = 0; i < code.c; i++) {
        uint32_t *target = vector_at(&layer->builder.operands, pool + 2 * i + 1);
        if (*target == next) {
            *target = here(layer);
        } else {
            add_exit(layer, branch, 4 + i, *target, false);
        }
    }
}

/* --- The whole path -------------------------------------------------------------------------------------------- */

/* Makes the first `count` delayed stores. */
static void emit_stores(struct layer *layer, uint32_t count, bool fence) {
    for (uint32_t j = 0; j < count; j++) {
        const struct delayed delayed = *(struct delayed *)vector_at(&layer->delayed, j);
        uint32_t branch = NO_REGISTER;
        if (delayed.may_be_absent) {
            branch = emit_branch(layer, delayed.store.a);
            at(layer, branch)->b = here(layer);
        }
        emit(layer, delayed.store, MEANING_DRAIN, 0);
        if (branch != NO_REGISTER) {
            at(layer, branch)->c = here(layer);
        }
        if (j == 0 && fence) {
            emit_own(layer, (struct instruction){
                                .op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER, .pos = delayed.store.pos});
        }
    }
}

static void patch(struct layer *layer, const struct exit *exit, uint32_t target) {
    struct instruction *branch = at(layer, exit->branch);
    switch (exit->field) {
    case 0:
        branch->a = target;
        break;
    case 1:
        branch->b = target;
        break;
    case 2:
        branch->c = target;
        break;
    case 3:
        branch->dst = target;
        break;
    default:
        *(uint32_t *)vector_at(&layer->builder.operands, branch->b + 2 * (exit->field - 4) + 1) = target;
        break;
    }
}

/* [11-13] and [14-17]; with EXTENSION_BESIDE there are no exits. */
static void lay_exits(struct layer *layer) {
    for (size_t i = 0; i < layer->exits.count; i++) {
        const struct exit *exit = vector_at(&layer->exits, i);
        patch(layer, exit, here(layer));
        if (layer->form == EXTENSION_EXACT) {
            emit_stores(layer, exit->stores, exit->fence);
            emit_jump(layer, exit->target);
        } else {
            emit_dead_end(layer);
        }
    }
}

static void lay_path(struct layer *layer) {
    uint32_t store = layer->sequence[0];
    uint32_t start = here(layer);
    if (layer->form == EXTENSION_BESIDE) {
        uint32_t branch = emit_branch(layer, emit_choice(layer, old_code(layer, store)->pos));
        at(layer, branch)->c = here(layer);
        emit_copy(layer, store);
        emit_jump(layer, store + 1);
        at(layer, branch)->b = here(layer);
    }
    for (uint32_t i = 0; i < layer->length; i++) {
        uint32_t index = layer->sequence[i];
        uint32_t next = i + 1 < layer->length ? layer->sequence[i + 1] : index + 1;
        switch (old_code(layer, index)->op) {
        case OP_STORE:
            lay_store(layer, index);
            if (i == 0) {
                lay_early_flush(layer, index + 1);
            }
            break;
        case OP_LOAD:
            lay_load(layer, index);
            if (i + 1 < layer->length) {
                lay_early_flush(layer, index + 1);
            }
            break;
        case OP_RMW:
        case OP_CAS:
            lay_update(layer, index);
            break;
        case OP_BR:
            lay_branch(layer, index, next);
            break;
        case OP_SWITCH:
            lay_switch(layer, index, next);
            break;
        case OP_JMP:
        case OP_AWAIT:
        case OP_AGAIN:
            break;
        default:
            emit_copy(layer, index);
            break;
        }
    }
    emit_stores(layer, (uint32_t)layer->delayed.count, false); /* [9-10] */
    emit_jump(layer, layer->sequence[layer->length - 1] + 1);
    lay_exits(layer);
    *at(layer, store) =
        (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = start, .pos = old_code(layer, store)->pos};
}

/* --- The whole program ----------------------------------------------------------------------------------------- */

static const char *refusal_of(const struct program *program, uint32_t function, const struct instruction *code) {
    bool escaping = false;
    for (uint32_t i = 0; i < program->functions[function].count; i++) {
        const struct instruction *other = function_code(program, function) + i;
        escaping = escaping || (other->op == OP_ALLOCA && !(other->flags & INSTRUCTION_PRIVATE));
    }
    switch (code->op) {
    case OP_LOAD:
    case OP_STORE:
        return code->width > 8 ? "an access of 16 bytes lies between a store and what it is delayed past" : NULL;
    case OP_FREE:
        return "the end of an object would have to be delayed";
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        return escaping ? "the end of a local would have to be delayed" : NULL;
    case OP_LIB:
        return code->a != LIB_PRINT && code->a != LIB_WRITE && code->a != LIB_TEXT
                   ? "a library function that reads memory lies between a store and what it is delayed past"
                   : NULL;
    case OP_CALL:
    case OP_CALL_INDIRECT:
    case OP_RET:
        return "a call that could not be expanded lies between a store and what it is delayed past";
    default:
        return NULL;
    }
}

static bool find_function(const struct program *program, uint32_t instruction, uint32_t *function) {
    for (uint32_t f = 0; f < program->functions_count; f++) {
        if (instruction - program->functions[f].first < program->functions[f].count) {
            *function = f;
            return true;
        }
    }
    return false;
}

/* Code, meanings and origins of one function; the function of the sequence gets the copy. */
static void lay_function(struct layer *layer, uint32_t function, struct vector *meanings, struct vector *origins) {
    const struct program *program = layer->program;
    const struct function *from = &program->functions[function];
    builder_begin(&layer->builder, function);
    for (uint32_t i = 0; i < from->count; i++) {
        builder_emit(&layer->builder, program->code[from->first + i]);
        vector_push(meanings, vector_at(&layer->extended->meanings, from->first + i));
        vector_push(origins, vector_at(&layer->extended->origins, from->first + i));
    }
    if (function == layer->function) {
        lay_path(layer);
        size_t index = meanings->count - from->count + layer->sequence[0];
        *(uint8_t *)vector_at(meanings, index) = MEANING_NONE;
        *(uint32_t *)vector_at(origins, index) = 0;
        for (size_t i = 0; i < layer->meanings.count; i++) {
            vector_push(meanings, vector_at(&layer->meanings, i));
            vector_push(origins, vector_at(&layer->origins, i));
        }
        builder_end(&layer->builder, layer->registers);
    } else {
        builder_end(&layer->builder, from->registers);
    }
}

const char *extended_add(struct extended *extended, const struct vector *sequence, enum extension_form form) {
    const struct program *program = &extended->program;
    struct layer layer = {.extended = extended, .program = program, .form = form};
    const uint32_t *instructions = sequence->data;
    if (sequence->count < 2 || !find_function(program, instructions[0], &layer.function)) {
        return "there is nothing to delay";
    }
    const struct function *function = &program->functions[layer.function];
    uint32_t *indices = memory_allocate(sequence->count * sizeof *indices);
    const char *refusal = program->code[instructions[0]].op != OP_STORE
                              ? refusal_of(program, layer.function, &program->code[instructions[0]])
                              : NULL;
    for (size_t i = 0; i < sequence->count && !refusal; i++) {
        indices[i] = instructions[i] - function->first;
        refusal = indices[i] >= function->count ? "a call that could not be expanded is on the path"
                                                : refusal_of(program, layer.function, &program->code[instructions[i]]);
    }
    if (refusal) {
        free(indices);
        return refusal;
    }
    struct vector meanings;
    struct vector origins;
    vector_init(&meanings, sizeof(uint8_t));
    vector_init(&origins, sizeof(uint32_t));
    vector_init(&layer.delayed, sizeof(struct delayed));
    vector_init(&layer.exits, sizeof(struct exit));
    vector_init(&layer.meanings, sizeof(uint8_t));
    vector_init(&layer.origins, sizeof(uint32_t));
    layer.sequence = indices;
    layer.length = (uint32_t)sequence->count;
    layer.registers = function->registers;
    builder_init_from(&layer.builder, program);
    builder_operands(&layer.builder, program->operands, program->operands_count);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        lay_function(&layer, f, &meanings, &origins);
    }
    struct program result;
    builder_finish(&layer.builder, &result);
    program_delete(&extended->program);
    extended->program = result;
    vector_delete(&extended->meanings);
    vector_delete(&extended->origins);
    extended->meanings = meanings;
    extended->origins = origins;
    extended->sequences++;
    vector_delete(&layer.delayed);
    vector_delete(&layer.exits);
    vector_delete(&layer.meanings);
    vector_delete(&layer.origins);
    free(indices);
    return NULL;
}

void extended_init(struct extended *extended, struct program *program) {
    *extended = (struct extended){.program = *program};
    vector_init(&extended->meanings, sizeof(uint8_t));
    vector_init(&extended->origins, sizeof(uint32_t));
    vector_grow(&extended->meanings, program->code_count);
    for (uint32_t i = 0; i < program->code_count; i++) {
        uint8_t op = program->code[i].op;
        uint32_t origin = op == OP_JMP || op == OP_AWAIT || op == OP_AGAIN || op == OP_NOP ? 0 : i + 1;
        vector_push(&extended->origins, &origin);
    }
}

void extended_delete(struct extended *extended) {
    program_delete(&extended->program);
    vector_delete(&extended->meanings);
    vector_delete(&extended->origins);
}

void extended_origin(const struct extended *extended, const struct vector *sequence, struct vector *origin) {
    for (size_t i = 0; i < sequence->count; i++) {
        uint32_t instruction = *(uint32_t *)vector_at(sequence, i);
        uint32_t name = *(uint32_t *)vector_at(&extended->origins, instruction);
        if (name != 0) {
            vector_push(origin, &name);
        }
    }
}
