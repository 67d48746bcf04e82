/* Operations on synchronisation objects: their codes (ir/sync.h) as instructions of the translated program.
 *
 * A round is an atomic section, in which a step that is not enabled is an error; so an operation that waits cannot be a
 * step of the translated program.  Instead its code runs instruction by instruction, without pending stores, and an
 * execution in which the operation would have to wait is dropped: the operation belongs to a round in which it is
 * enabled.  Operations that do not wait are inlined as well: in a program printed as C, the library of another tool
 * could not handle words that the program itself has written.  The word of the thread's record that says where it waits
 * to be woken is kept in the table of waiters (waiting.c). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/runtime.h"
#include "ir/sync.h"
#include "util/memory.h"

/* The state of inlining a code. */
struct inlining {
    struct runtime *runtime;
    const struct instruction *sync;
    const struct sync_code *code;
    uint32_t operands[SYNC_MAX_REGISTERS]; /* by register of the code: its operand in the translated program */
    struct label *labels;                  /* by instruction of the code */
    struct label done;
    uint32_t wrote; /* operand: has the code written anything? */
    bool noted;     /* on every path to here it has, which `wrote` says */
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

/* Checks that the whole object is there and writable, even if the code accesses only some of its words. */
static void check_object(struct runtime *runtime, uint32_t address, unsigned bytes) {
    uint32_t last = bytes > 4 ? plus(runtime, address, bytes - 4) : address;
    emit_store(&runtime->out, last, emit_load(&runtime->out, last, 4), 4);
}

/* Checks that the two objects of an operation are disjoint: the second begins at least `second` bytes before the first,
 * or after it. */
static void check_apart(struct runtime *runtime, const struct instruction *sync, unsigned second) {
    struct assembler *out = &runtime->out;
    struct label apart = {0};
    unsigned first = sync_table[sync->width].bytes;
    uint32_t distance = emit_binary(out, OP_SUB, plus(runtime, sync->b, second - 1), sync->a);
    emit_jump_unless(out, emit_compare(out, PREDICATE_ULT, distance, number(runtime, first + second - 1)), &apart);
    emit_error(out, ERROR_MISUSE, "it overlaps the mutex that is given with it");
    label_put(out, &apart);
}

/* In an atomic section of the program no thread could end the wait. */
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

/* Records that the code writes.  Of the codes that access records, only the step that finds its thread woken writes
 * nothing; it reads nothing that others write once the thread is woken, so its position does not matter, and the round
 * does not end between it and the next step. */
static void note_writing(struct inlining *at) {
    if (!at->noted) {
        emit_move(&at->runtime->out, at->wrote, number(at->runtime, 1));
        if (at->code->uses_records) {
            cell_set(at->runtime, CELL_acted, number(at->runtime, 1));
        }
        at->noted = true;
    }
}

/* The text has no name of the object: a program cannot know it, and the error is replayed on the machine. */
static void inline_error(struct inlining *at, const struct instruction *error) {
    const char *text = sync_texts[error->a];
    const char *name = strstr(text, "%s ");
    char nameless[128];
    int before = name ? (int)(name - text) : 0;
    snprintf(nameless, sizeof nameless, "%.*s%s", before, text, name ? name + strlen("%s ") : text);
    emit_error(&at->runtime->out, error->sub, nameless);
}

/* An instruction that occurs in programs, too. */
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
        emit_branch(out, operand(at, instruction->a), &at->labels[instruction->b], &at->labels[instruction->c]);
        break;
    case OP_JMP:
        emit_jump(out, &at->labels[instruction->a]);
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
    at.labels = memory_allocate(code->count * sizeof *at.labels);
    call_0(runtime, FUNCTION_point);
    call_0(runtime, FUNCTION_settle);
    at.wrote = emit_register(out);
    emit_move(out, at.wrote, number(runtime, 0));
    if (!code->uses_records) {
        cell_set(runtime, CELL_acted, number(runtime, 1)); /* the step reads what others write */
    }
    check_object(runtime, sync->a, sync_table[sync->width].bytes);
    if (code->second > 0) {
        check_object(runtime, sync->b, code->second);
        check_apart(runtime, sync, code->second);
    }
    for (uint32_t i = 0; i < code->count; i++) {
        at.noted = at.noted && at.labels[i].uses_count == 0;
        label_put(out, &at.labels[i]);
        inline_instruction(&at, &code->instructions[i]);
    }
    label_put(out, &at.done);
    free(at.labels);
    return at.wrote;
}
