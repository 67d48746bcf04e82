/* Operations on synchronisation objects: their codes (ir/sync.h) as instructions of the translated program.
 *
 * An operation that waits cannot stand there as it is: inside the atomic section that a round is, a step that is not
 * enabled is an error.  So its code runs instruction by instruction, with nothing pending, and an execution in which
 * the operation would have to wait is dropped: the operation belongs to a round in which it is enabled. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bound/runtime.h"
#include "ir/sync.h"
#include "util/memory.h"

/* A code on its way into the translated program. */
struct inlining {
    struct runtime *runtime;
    const struct instruction *sync;
    uint32_t operands[SYNC_MAX_REGISTERS]; /* by register of the code: what stands for it */
    struct label *places;                  /* by instruction of the code */
    struct label done;
};

static uint32_t operand(struct inlining *at, uint32_t of_code) {
    if (of_code & OPERAND_CONSTANT) {
        return number(at->runtime, sync_constants[of_code & ~OPERAND_CONSTANT]);
    }
    return at->operands[of_code];
}

/* All of the object must be there, and writable, even if the code touches only some of its words. */
static void check_object(struct runtime *runtime, uint32_t address, unsigned bytes) {
    uint32_t last = bytes > 4 ? plus(runtime, address, bytes - 4) : address;
    emit_store(&runtime->out, last, emit_load(&runtime->out, last, 4), 4);
}

/* In an atomic section of the program nobody could end the wait. */
static void inline_wait(struct inlining *at, const struct instruction *wait) {
    struct assembler *out = &at->runtime->out;
    struct label enabled = {0};
    emit_jump_if(out, operand(at, wait->a), &enabled);
    emit_not_in_section(at->runtime);
    emit_assume(out, number(at->runtime, 0));
    label_put(out, &enabled);
}

static void inline_result(struct inlining *at, const struct instruction *result) {
    const struct instruction *sync = at->sync;
    const uint32_t values[] = {result->a, result->b};
    for (uint32_t i = 0; i < 2 && i < sync->sub && sync->dst != NO_REGISTER; i++) {
        emit_move(&at->runtime->out, sync->dst + i, operand(at, values[i]));
    }
    emit_jump(&at->runtime->out, &at->done);
}

/* An instruction that programs have, too. */
static void inline_ordinary(struct inlining *at, struct instruction instruction) {
    const char *shape = op_table[instruction.op].shape;
    uint32_t *fields[] = {&instruction.a, &instruction.b, &instruction.c};
    for (int i = 0; i < 3; i++) {
        if (shape[i + 1] == 'r' || shape[i + 1] == 'v') {
            *fields[i] = operand(at, *fields[i]);
        }
    }
    if (shape[0] == '-') {
        instruction.dst = NO_REGISTER;
    } else {
        uint32_t dst = emit_register(&at->runtime->out);
        at->operands[instruction.dst] = dst;
        instruction.dst = dst;
    }
    instruction.pos = at->runtime->out.pos;
    builder_emit(at->runtime->out.builder, instruction);
}

static void inline_instruction(struct inlining *at, const struct instruction *instruction) {
    struct assembler *out = &at->runtime->out;
    switch (instruction->op) {
    case OP_BR:
        emit_branch(out, operand(at, instruction->a), &at->places[instruction->b], &at->places[instruction->c]);
        break;
    case OP_JMP:
        emit_jump(out, &at->places[instruction->a]);
        break;
    case OP_ADD_TO: {
        uint32_t word = operand(at, instruction->a);
        uint32_t sum = emit_binary(out, OP_ADD, emit_load(out, word, 4), operand(at, instruction->b));
        emit_store(out, word, sum, 4);
        break;
    }
    case OP_WAIT_UNLESS:
        inline_wait(at, instruction);
        break;
    case OP_ERROR:
        assert(!strchr(sync_texts[instruction->a], '%') && "who unlocks is not inlined, others name no object");
        emit_error(out, instruction->sub, sync_texts[instruction->a]);
        break;
    case OP_RESULT:
        inline_result(at, instruction);
        break;
    default:
        inline_ordinary(at, *instruction);
        break;
    }
}

bool is_inlined(unsigned kind) {
    const struct sync_code *code = &sync_codes()[kind];
    return code->may_wait && !code->uses_records;
}

void emit_inlined(struct runtime *runtime, const struct instruction *sync) {
    const struct sync_code *code = &sync_codes()[sync->width];
    struct inlining at = {.runtime = runtime, .sync = sync};
    at.operands[SYNC_A] = sync->a;
    at.operands[SYNC_B] = sync->b;
    at.operands[SYNC_C] = sync->c;
    at.operands[SYNC_SELF] = plus(runtime, emit_self(&runtime->out), 1);
    at.operands[SYNC_SPURIOUS] = number(runtime, runtime->options.spurious);
    at.places = memory_allocate(code->count * sizeof *at.places);
    check_object(runtime, sync->a, sync_table[sync->width].bytes);
    for (uint32_t i = 0; i < code->count; i++) {
        label_put(&runtime->out, &at.places[i]);
        inline_instruction(&at, &code->instructions[i]);
    }
    label_put(&runtime->out, &at.done);
    free(at.places);
}
