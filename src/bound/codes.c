/* Operations on synchronisation objects: their codes (ir/sync.h) as instructions of the translated program.
 *
 * An operation that waits cannot stand there as it is: inside the atomic section that a round is, a step that is not
 * enabled is an error.  So its code runs instruction by instruction, with nothing pending, and an execution in which
 * the operation would have to wait is dropped: the operation belongs to a round in which it is enabled.  Those that do
 * not wait are inlined as well: printed as C, the program must not leave words that it has written itself to the
 * library of another tool.  The word of the thread's record that says where it waits to be woken is kept in the table
 * of waiters (waiting.c). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/runtime.h"
#include "ir/sync.h"
#include "util/memory.h"

/* A code on its way into the translated program. */
struct inlining {
    struct runtime *runtime;
    const struct instruction *sync;
    const struct sync_code *code;
    uint32_t operands[SYNC_MAX_REGISTERS]; /* by register of the code: what stands for it */
    struct label *places;                  /* by instruction of the code */
    struct label done;
    uint32_t wrote; /* operand: has the code written anything? */
    bool noted;     /* on every path to here it has, and that is in `wrote` */
};

/* Stands for the address of the word RECORD_WAITS of the thread's own record. */
#define OWN_WAITS NO_REGISTER

static uint32_t operand(struct inlining *at, uint32_t of_code) {
    if (of_code & OPERAND_CONSTANT) {
        return number(at->runtime, sync_constants[of_code & ~OPERAND_CONSTANT]);
    }
    return at->operands[of_code];
}

static bool is_own_waits(const struct inlining *at, uint32_t of_code) {
    return !(of_code & OPERAND_CONSTANT) && at->operands[of_code] == OWN_WAITS;
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

/* Notes that the code writes.  Of those that touch records, only the step that finds its thread woken writes nothing,
 * and it reads nothing that others write once the thread is woken: nobody notices when it comes, so the round does not
 * end between it and the next step. */
static void note_writing(struct inlining *at) {
    if (!at->noted) {
        emit_move(&at->runtime->out, at->wrote, number(at->runtime, 1));
        if (at->code->uses_records) {
            cell_set(at->runtime, CELL_acted, number(at->runtime, 1));
        }
        at->noted = true;
    }
}

/* The text without the name of the object: a program cannot know it, and the error is replayed on the machine. */
static void inline_error(struct inlining *at, const struct instruction *error) {
    const char *text = sync_texts[error->a];
    const char *name = strstr(text, "%s ");
    char nameless[128];
    int before = name ? (int)(name - text) : 0;
    snprintf(nameless, sizeof nameless, "%.*s%s", before, text, name ? name + strlen("%s ") : text);
    emit_error(&at->runtime->out, error->sub, nameless);
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
    case OP_ADD:
        if (is_own_waits(at, instruction->a)) {
            assert(sync_constants[instruction->b & ~OPERAND_CONSTANT] == RECORD_WAITS);
            at->operands[instruction->dst] = OWN_WAITS;
        } else {
            inline_ordinary(at, *instruction);
        }
        break;
    case OP_LOAD:
        if (is_own_waits(at, instruction->a)) {
            at->operands[instruction->dst] = emit_call(out, at->runtime->functions[FUNCTION_waits], NULL, 0);
        } else {
            inline_ordinary(at, *instruction);
        }
        break;
    case OP_STORE:
        if (is_own_waits(at, instruction->a)) {
            call_1(at->runtime, FUNCTION_set_waits, operand(at, instruction->b));
        } else {
            inline_ordinary(at, *instruction);
        }
        note_writing(at);
        break;
    case OP_WAKE: {
        bool all = sync_constants[instruction->b & ~OPERAND_CONSTANT] != 0;
        call_1(at->runtime, all ? FUNCTION_wake_all : FUNCTION_wake_one, operand(at, instruction->a));
        note_writing(at);
        break;
    }
    case OP_ADD_TO: {
        uint32_t word = operand(at, instruction->a);
        uint32_t sum = emit_binary(out, OP_ADD, emit_load(out, word, 4), operand(at, instruction->b));
        emit_store(out, word, sum, 4);
        note_writing(at);
        break;
    }
    case OP_WAIT_UNLESS:
        inline_wait(at, instruction);
        break;
    case OP_ERROR:
        inline_error(at, instruction);
        break;
    case OP_RESULT:
        inline_result(at, instruction);
        break;
    default:
        inline_ordinary(at, *instruction);
        break;
    }
}

uint32_t emit_inlined(struct runtime *runtime, const struct instruction *sync) {
    struct assembler *out = &runtime->out;
    const struct sync_code *code = &sync_codes()[sync->width];
    struct inlining at = {.runtime = runtime, .sync = sync, .code = code};
    at.operands[SYNC_A] = sync->a;
    at.operands[SYNC_B] = sync->b;
    at.operands[SYNC_C] = sync->c;
    at.operands[SYNC_SELF] = plus(runtime, emit_self(out), 1);
    at.operands[SYNC_OWN] = OWN_WAITS;
    at.operands[SYNC_SPURIOUS] = number(runtime, runtime->options.spurious);
    at.places = memory_allocate(code->count * sizeof *at.places);
    call_0(runtime, FUNCTION_point);
    call_0(runtime, FUNCTION_settle);
    at.wrote = emit_register(out);
    emit_move(out, at.wrote, number(runtime, 0));
    if (!code->uses_records) {
        cell_set(runtime, CELL_acted, number(runtime, 1)); /* it reads what others write */
    }
    check_object(runtime, sync->a, sync_table[sync->width].bytes);
    if (code->second > 0) {
        check_object(runtime, sync->b, code->second);
    }
    for (uint32_t i = 0; i < code->count; i++) {
        at.noted = at.noted && at.places[i].uses_count == 0;
        label_put(out, &at.places[i]);
        inline_instruction(&at, &code->instructions[i]);
    }
    label_put(out, &at.done);
    free(at.places);
    return at.wrote;
}
