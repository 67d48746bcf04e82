/* The codes as lists of instructions, which the functions of sync_codes.h make here. */
#include "ir/sync.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <threads.h>

#define MAX_CODE 32 /* instructions of a code */
#define MAX_DEPTH 4 /* of nested conditions */

const struct sync_info sync_table[SYNC_COUNT] = {
#define X(name, text, bytes, mode, spelling, phrase) [SYNC_##name] = {text, bytes, SYNC_MODE_##mode, spelling, phrase},
    SYNC_KINDS(X)
#undef X
};

/* --- Constants and texts ------------------------------------------------------------------------------------------ */

#define CONSTANTS(X)                                                                                                   \
    X(0)                                                                                                               \
    X(1)                                                                                                               \
    X(2)                                                                                                               \
    X(4)                                                                                                               \
    X(8)                                                                                                               \
    X(12)                                                                                                              \
    X(16)                                                                                                              \
    X(24)                                                                                                              \
    X(EPERM)                                                                                                           \
    X(ESRCH)                                                                                                           \
    X(EAGAIN)                                                                                                          \
    X(EBUSY)                                                                                                           \
    X(EINVAL)                                                                                                          \
    X(EDEADLK)                                                                                                         \
    X(ETIMEDOUT)                                                                                                       \
    X(UINT32_MAX)

#define X(value) value,
const uint64_t sync_constants[] = {CONSTANTS(X)};
#undef X

const char *const sync_texts[] = {
    [TEXT_MUTEX_OTHER] = "mutex %s is unlocked by a thread that does not hold it",
    [TEXT_MUTEX_FREE] = "mutex %s is unlocked but no thread holds it",
    [TEXT_RWLOCK] = "reader-writer lock %s is unlocked by a thread that does not hold it",
    [TEXT_DESTROYED] = "%s is used after it was destroyed",
    [TEXT_CONDITION] = "a thread waits at a condition variable without holding the mutex",
};

static uint32_t number(uint64_t value) {
    for (uint32_t i = 0; i < sizeof sync_constants / sizeof *sync_constants; i++) {
        if (sync_constants[i] == value) {
            return OPERAND_CONSTANT | i;
        }
    }
    assert(!"the constant is in the table");
    return 0;
}

/* --- Putting a code together -------------------------------------------------------------------------------------- */

/* The code being made. */
struct making {
    struct instruction instructions[MAX_CODE];
    uint32_t count;
    uint32_t registers;
    uint32_t open[MAX_DEPTH]; /* branches of the conditions that have not ended yet */
    uint32_t depth;
    bool left; /* the last thing made is the end of a condition */
};

static uint32_t emit(struct making *run, struct instruction instruction) {
    assert(run->count < MAX_CODE && run->registers < SYNC_MAX_REGISTERS);
    run->instructions[run->count] = instruction;
    run->count++;
    return instruction.dst;
}

static uint32_t binary(struct making *run, unsigned op, unsigned width, uint32_t a, uint32_t b) {
    return emit(
        run, (struct instruction){.op = (uint8_t)op, .width = (uint8_t)width, .dst = run->registers++, .a = a, .b = b});
}

static uint32_t compare(struct making *run, unsigned predicate, uint32_t a, uint32_t b) {
    return emit(run,
                (struct instruction){
                    .op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate, .dst = run->registers++, .a = a, .b = b});
}

static uint32_t address(struct making *run, uint32_t base, uint64_t offset) {
    return offset == 0 ? base : binary(run, OP_ADD, 64, base, number(offset));
}

static uint32_t load_bytes(struct making *run, uint32_t base, uint64_t offset, unsigned size) {
    uint32_t at = address(run, base, offset);
    return emit(run, (struct instruction){.op = OP_LOAD, .width = (uint8_t)size, .dst = run->registers++, .a = at});
}

static void store_bytes(struct making *run, uint32_t base, uint64_t offset, unsigned size, uint32_t value) {
    uint32_t at = address(run, base, offset);
    emit(run, (struct instruction){.op = OP_STORE, .width = (uint8_t)size, .a = at, .b = value});
}

/* --- What sync_codes.h is made of: each emits an instruction ------------------------------------------------------ */

static uint32_t input(struct making *run, enum sync_input which) {
    (void)run;
    return which;
}

static uint32_t equal(struct making *run, uint32_t a, uint32_t b) {
    return compare(run, PREDICATE_EQ, a, b);
}

static uint32_t differ(struct making *run, uint32_t a, uint32_t b) {
    return compare(run, PREDICATE_NE, a, b);
}

static uint32_t less(struct making *run, uint32_t a, uint32_t b) {
    return compare(run, PREDICATE_ULT, a, b);
}

static uint32_t either(struct making *run, uint32_t a, uint32_t b) {
    return binary(run, OP_OR, 32, a, b);
}

static uint32_t plus_32(struct making *run, uint32_t a, uint32_t b) {
    return binary(run, OP_ADD, 32, a, b);
}

static uint32_t minus_32(struct making *run, uint32_t a, uint32_t b) {
    return binary(run, OP_SUB, 32, a, b);
}

static uint32_t next_64(struct making *run, uint32_t a) {
    return binary(run, OP_ADD, 64, a, number(1));
}

static uint32_t load(struct making *run, enum sync_input base, uint64_t offset) {
    return load_bytes(run, base, offset, 4);
}

static void store(struct making *run, enum sync_input base, uint64_t offset, uint32_t value) {
    store_bytes(run, base, offset, 4, value);
}

static void add_to(struct making *run, uint64_t offset, uint64_t value) {
    uint32_t at = address(run, SYNC_A, offset);
    emit(run, (struct instruction){.op = OP_ADD_TO, .width = 4, .a = at, .b = number(value)});
}

static uint32_t own_record(struct making *run) {
    return input(run, SYNC_OWN);
}

static uint32_t record_of(struct making *run, uint32_t thread) {
    return emit(run, (struct instruction){.op = OP_RECORD, .width = 64, .dst = run->registers++, .a = thread});
}

static uint32_t same_record(struct making *run, uint32_t one, uint32_t other) {
    return equal(run, one, other);
}

static uint32_t load_field(struct making *run, uint32_t record, enum record_field field) {
    return load_bytes(run, record, field, record_field_size(field));
}

static void store_field(struct making *run, uint32_t record, enum record_field field, uint32_t value) {
    store_bytes(run, record, field, record_field_size(field), value);
}

static void wake(struct making *run, bool all) {
    emit(run, (struct instruction){.op = OP_WAKE, .a = SYNC_A, .b = number(all)});
}

static uint32_t choose(struct making *run) {
    return emit(run, (struct instruction){
                         .op = OP_NONDET, .width = 1, .dst = run->registers++, .a = number(0), .b = number(1)});
}

static bool wait_unless(struct making *run, uint32_t condition, uint32_t who) {
    emit(run, (struct instruction){.op = OP_WAIT_UNLESS, .a = condition, .b = who});
    return false;
}

static bool give(struct making *run, uint32_t result, uint32_t value) {
    emit(run, (struct instruction){.op = OP_RESULT, .a = result, .b = value});
    return true;
}

static bool fail(struct making *run, enum sync_text text) {
    emit(run, (struct instruction){
                  .op = OP_ERROR, .sub = text == TEXT_DESTROYED ? ERROR_DESTROYED : ERROR_NOT_OWNER, .a = text});
    return true;
}

/* The code up to end_if is executed if the condition holds. */
static void begin_if(struct making *run, uint32_t condition) {
    assert(run->depth < MAX_DEPTH);
    run->open[run->depth++] = run->count;
    emit(run, (struct instruction){.op = OP_BR, .width = 1, .a = condition, .b = run->count + 1});
}

static void end_if(struct making *run) {
    run->instructions[run->open[--run->depth]].c = run->count;
    run->left = true;
}

/* Is the position not after the end? */
static bool is_inside(struct making *run) {
    bool left = run->left;
    run->left = false;
    return !left;
}

#define RUN struct making *
#define VALUE uint32_t
#define RECORD uint32_t
#define CODE static bool
#define IF(condition) for (begin_if(run, condition); is_inside(run); end_if(run))
#define END_IF_DONE(call) (void)(call)
#include "ir/sync_codes.h"

static bool (*const makers[SYNC_COUNT])(struct making *, unsigned) = {
#define X(kind, function) [SYNC_##kind] = function,
    SYNC_CODES(X)
#undef X
};

/* --- The whole ---------------------------------------------------------------------------------------------------- */

/* Made on first use, and never changed. */
static struct instruction made_instructions[SYNC_COUNT][MAX_CODE];
static struct sync_code made_codes[SYNC_COUNT];
static once_flag made = ONCE_FLAG_INIT;

static void make_all(void) {
    for (unsigned kind = 0; kind < SYNC_COUNT; kind++) {
        struct making code = {.registers = SYNC_INPUTS};
        struct sync_code *result = &made_codes[kind];
        if (!makers[kind]) {
            continue;
        }
        makers[kind](&code, sync_table[kind].mode);
        assert(code.depth == 0 && "every condition has its end");
        for (uint32_t i = 0; i < code.count; i++) {
            const struct instruction *instruction = &code.instructions[i];
            made_instructions[kind][i] = *instruction;
            result->may_wait |= instruction->op == OP_WAIT_UNLESS;
            result->may_choose |=
                instruction->op == OP_NONDET || (instruction->op == OP_WAKE && instruction->b == number(0));
            result->wakes |= instruction->op == OP_WAKE;
            result->uses_records |= instruction->op == OP_RECORD || instruction->op == OP_WAKE ||
                                    (instruction->op == OP_ADD && instruction->a == SYNC_OWN);
            if (instruction->op == OP_LOAD && instruction->a == SYNC_B) {
                result->second = MUTEX_BYTES;
            }
        }
        result->instructions = made_instructions[kind];
        result->count = code.count;
        result->registers = code.registers;
    }
}

const struct sync_code *sync_codes(void) {
    call_once(&made, make_all);
    return made_codes;
}
