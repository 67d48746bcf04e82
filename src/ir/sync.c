/* The codes, put together by functions that read like what they make.  Operations that differ only in what they do
 * where they cannot succeed at once (lock, trylock, timedlock) share one such function. */
#include "ir/sync.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <threads.h>

#define MAX_CODE 32 /* instructions of a code */
#define MAX_DEPTH 4 /* of conditions in conditions */
#define SERIAL_THREAD UINT32_MAX

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
const uint64_t sync_constants[SYNC_CONSTANTS] = {CONSTANTS(X)};
#undef X

enum sync_text { TEXT_MUTEX_OTHER, TEXT_MUTEX_FREE, TEXT_RWLOCK, TEXT_CONDITION };
const char *const sync_texts[] = {
    [TEXT_MUTEX_OTHER] = "mutex %s is unlocked by a thread that does not hold it",
    [TEXT_MUTEX_FREE] = "mutex %s is unlocked but nobody holds it",
    [TEXT_RWLOCK] = "reader-writer lock %s is unlocked by a thread that does not hold it",
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

/* The code that is being made. */
struct making {
    struct instruction instructions[MAX_CODE];
    uint32_t count;
    uint32_t registers;
    uint32_t open[MAX_DEPTH]; /* branches of the conditions whose end is not there yet */
    uint32_t depth;
    unsigned mode; /* enum sync_mode */
};

static uint32_t emit(struct making *code, struct instruction instruction) {
    assert(code->count < MAX_CODE && code->registers < SYNC_MAX_REGISTERS);
    code->instructions[code->count] = instruction;
    code->count++;
    return instruction.dst;
}

static uint32_t binary(struct making *code, unsigned op, unsigned width, uint32_t a, uint32_t b) {
    return emit(code, (struct instruction){
                          .op = (uint8_t)op, .width = (uint8_t)width, .dst = code->registers++, .a = a, .b = b});
}

static uint32_t compare(struct making *code, unsigned predicate, uint32_t a, uint32_t b) {
    return emit(code,
                (struct instruction){
                    .op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate, .dst = code->registers++, .a = a, .b = b});
}

static uint32_t equal(struct making *code, uint32_t a, uint32_t b) {
    return compare(code, PREDICATE_EQ, a, b);
}

static uint32_t differ(struct making *code, uint32_t a, uint32_t b) {
    return compare(code, PREDICATE_NE, a, b);
}

static uint32_t address(struct making *code, uint32_t base, uint64_t offset) {
    return offset == 0 ? base : binary(code, OP_ADD, 64, base, number(offset));
}

static uint32_t load_bytes(struct making *code, uint32_t base, uint64_t offset, unsigned size) {
    uint32_t at = address(code, base, offset);
    return emit(code, (struct instruction){.op = OP_LOAD, .width = (uint8_t)size, .dst = code->registers++, .a = at});
}

static uint32_t load(struct making *code, uint32_t base, uint64_t offset) {
    return load_bytes(code, base, offset, 4);
}

static void store_bytes(struct making *code, uint32_t base, uint64_t offset, unsigned size, uint32_t value) {
    uint32_t at = address(code, base, offset);
    emit(code, (struct instruction){.op = OP_STORE, .width = (uint8_t)size, .a = at, .b = value});
}

static void store(struct making *code, uint32_t base, uint64_t offset, uint32_t value) {
    store_bytes(code, base, offset, 4, value);
}

/* Counts as a write of the word, and leaves it as it is. */
static void touch(struct making *code, uint32_t base) {
    store(code, base, 0, load(code, base, 0));
}

static void wake(struct making *code, bool all) {
    emit(code, (struct instruction){.op = OP_WAKE, .a = SYNC_A, .b = number(all)});
}

static void add_to(struct making *code, uint32_t base, uint64_t offset, uint64_t value) {
    uint32_t at = address(code, base, offset);
    emit(code, (struct instruction){.op = OP_ADD_TO, .width = 4, .a = at, .b = number(value)});
}

static uint32_t choose(struct making *code) {
    return emit(code, (struct instruction){
                          .op = OP_NONDET, .width = 1, .dst = code->registers++, .a = number(0), .b = number(1)});
}

static void wait_unless(struct making *code, uint32_t condition, uint32_t who) {
    emit(code, (struct instruction){.op = OP_WAIT_UNLESS, .a = condition, .b = who});
}

static void give(struct making *code, uint32_t result, uint32_t value) {
    emit(code, (struct instruction){.op = OP_RESULT, .a = result, .b = value});
}

static void give_code(struct making *code, uint64_t result) {
    give(code, number(result), number(0));
}

static void fail(struct making *code, enum sync_text text) {
    emit(code, (struct instruction){.op = OP_ERROR, .sub = ERROR_NOT_OWNER, .a = text});
}

/* What follows, up to end_if, happens if the condition holds.  It does not run on into what stands after end_if: every
 * condition here ends with a result. */
static void begin_if(struct making *code, uint32_t condition) {
    assert(code->depth < MAX_DEPTH);
    code->open[code->depth++] = code->count;
    emit(code, (struct instruction){.op = OP_BR, .width = 1, .a = condition, .b = code->count + 1});
}

static void end_if(struct making *code) {
    code->instructions[code->open[--code->depth]].c = code->count;
}

/* --- What operations have in common ------------------------------------------------------------------------------- */

/* The operation could succeed, but a timed one may time out all the same. */
static void may_time_out(struct making *code) {
    if (code->mode == SYNC_MODE_TIMED) {
        begin_if(code, choose(code));
        give_code(code, ETIMEDOUT);
        end_if(code);
    }
}

/* It cannot succeed now: it waits, for the thread with number who - 1 if that is known, or returns. */
static void cannot(struct making *code, uint32_t who, uint64_t busy) {
    if (code->mode == SYNC_MODE_WAIT) {
        wait_unless(code, number(0), who);
    }
    give_code(code, code->mode == SYNC_MODE_TIMED ? ETIMEDOUT : busy);
}

static uint64_t own_already(const struct making *code) {
    return code->mode == SYNC_MODE_TRY ? EBUSY : EDEADLK;
}

/* --- Mutexes ------------------------------------------------------------------------------------------------------ */

static void mutex_lock(struct making *code) {
    uint32_t owner = load(code, SYNC_A, MUTEX_OWNER);
    begin_if(code, equal(code, owner, number(0)));
    may_time_out(code);
    store(code, SYNC_A, MUTEX_OWNER, SYNC_SELF);
    store(code, SYNC_A, MUTEX_DEPTH, number(1));
    give_code(code, 0);
    end_if(code);
    begin_if(code, equal(code, owner, SYNC_SELF));
    uint32_t kind = load(code, SYNC_A, MUTEX_KIND);
    begin_if(code, equal(code, kind, number(MUTEX_RECURSIVE)));
    store(code, SYNC_A, MUTEX_DEPTH, binary(code, OP_ADD, 32, load(code, SYNC_A, MUTEX_DEPTH), number(1)));
    give_code(code, 0);
    end_if(code);
    begin_if(code, differ(code, kind, number(MUTEX_NORMAL)));
    give_code(code, own_already(code));
    end_if(code);
    end_if(code);
    cannot(code, owner, EBUSY);
}

static void mutex_unlock(struct making *code) {
    uint32_t owner = load(code, SYNC_A, MUTEX_OWNER);
    begin_if(code, differ(code, owner, SYNC_SELF));
    begin_if(code, differ(code, load(code, SYNC_A, MUTEX_KIND), number(MUTEX_NORMAL)));
    give_code(code, EPERM);
    end_if(code);
    begin_if(code, equal(code, owner, number(0)));
    fail(code, TEXT_MUTEX_FREE);
    end_if(code);
    fail(code, TEXT_MUTEX_OTHER);
    end_if(code);
    uint32_t depth = load(code, SYNC_A, MUTEX_DEPTH);
    store(code, SYNC_A, MUTEX_DEPTH, binary(code, OP_SUB, 32, depth, number(1)));
    begin_if(code, equal(code, depth, number(1)));
    store(code, SYNC_A, MUTEX_OWNER, number(0));
    give_code(code, 0);
    end_if(code);
    give_code(code, 0);
}

/* After a wait at a condition variable. */
static void mutex_retake(struct making *code) {
    uint32_t owner = load(code, SYNC_A, MUTEX_OWNER);
    wait_unless(code, equal(code, owner, number(0)), owner);
    store(code, SYNC_A, MUTEX_OWNER, SYNC_SELF);
    store(code, SYNC_A, MUTEX_DEPTH, SYNC_B);
    give_code(code, 0);
}

/* --- Condition variables ------------------------------------------------------------------------------------------ */

/* A wait is three operations: release the mutex and wait, sleep until woken, take the mutex again. */
static void cond_release(struct making *code) {
    begin_if(code, differ(code, load(code, SYNC_B, MUTEX_OWNER), SYNC_SELF));
    fail(code, TEXT_CONDITION);
    end_if(code);
    uint32_t depth = load(code, SYNC_B, MUTEX_DEPTH);
    store(code, SYNC_B, MUTEX_OWNER, number(0));
    store(code, SYNC_B, MUTEX_DEPTH, number(0));
    touch(code, SYNC_A);
    store_bytes(code, SYNC_OWN, RECORD_WAITS, 8, SYNC_A);
    give(code, depth, number(0));
}

static void cond_sleep(struct making *code) {
    begin_if(code, equal(code, load_bytes(code, SYNC_OWN, RECORD_WAITS, 8), number(0)));
    give_code(code, 0);
    end_if(code);
    if (code->mode == SYNC_MODE_WAIT) {
        wait_unless(code, SYNC_SPURIOUS, number(0));
    } else {
        begin_if(code, SYNC_SPURIOUS);
        begin_if(code, choose(code));
        store_bytes(code, SYNC_OWN, RECORD_WAITS, 8, number(0));
        touch(code, SYNC_A);
        give_code(code, 0);
        end_if(code);
        end_if(code);
    }
    store_bytes(code, SYNC_OWN, RECORD_WAITS, 8, number(0));
    touch(code, SYNC_A);
    give_code(code, code->mode == SYNC_MODE_WAIT ? 0 : ETIMEDOUT);
}

static void cond_signal(struct making *code) {
    touch(code, SYNC_A);
    wake(code, false);
    give_code(code, 0);
}

static void cond_broadcast(struct making *code) {
    touch(code, SYNC_A);
    wake(code, true);
    give_code(code, 0);
}

/* --- Barriers ----------------------------------------------------------------------------------------------------- */

static void barrier_arrive(struct making *code) {
    uint32_t arrived = binary(code, OP_ADD, 32, load(code, SYNC_A, BARRIER_ARRIVED), number(1));
    begin_if(code, compare(code, PREDICATE_ULT, arrived, load(code, SYNC_A, BARRIER_COUNT)));
    store(code, SYNC_A, BARRIER_ARRIVED, arrived);
    store_bytes(code, SYNC_OWN, RECORD_WAITS, 8, SYNC_A);
    give_code(code, 0);
    end_if(code);
    store(code, SYNC_A, BARRIER_ARRIVED, number(0));
    wake(code, true);
    give_code(code, SERIAL_THREAD);
}

/* Never for no reason. */
static void barrier_sleep(struct making *code) {
    uint32_t waits = load_bytes(code, SYNC_OWN, RECORD_WAITS, 8);
    wait_unless(code, equal(code, waits, number(0)), number(0));
    give_code(code, 0);
}

/* --- Reader-writer locks ------------------------------------------------------------------------------------------ */

/* The thread itself holds the lock for writing. */
static void rwlock_is_own(struct making *code, uint32_t writer) {
    begin_if(code, equal(code, writer, SYNC_SELF));
    may_time_out(code);
    give_code(code, own_already(code));
    end_if(code);
}

/* Readers do not disturb each other: each adds itself to their number. */
static void read_lock(struct making *code) {
    uint32_t writer = load(code, SYNC_A, RWLOCK_WRITER);
    begin_if(code, equal(code, writer, number(0)));
    may_time_out(code);
    add_to(code, SYNC_A, RWLOCK_READERS, 1);
    give_code(code, 0);
    end_if(code);
    rwlock_is_own(code, writer);
    cannot(code, writer, EBUSY);
}

static void write_lock(struct making *code) {
    uint32_t writer = load(code, SYNC_A, RWLOCK_WRITER);
    uint32_t first = code->mode == SYNC_MODE_WAIT ? load(code, SYNC_A, RWLOCK_READERS) : 0; /* S6 */
    begin_if(code, equal(code, writer, number(0)));
    uint32_t readers = code->mode == SYNC_MODE_WAIT ? first : load(code, SYNC_A, RWLOCK_READERS);
    begin_if(code, equal(code, readers, number(0)));
    may_time_out(code);
    store(code, SYNC_A, RWLOCK_WRITER, SYNC_SELF);
    give_code(code, 0);
    end_if(code);
    end_if(code);
    rwlock_is_own(code, writer);
    cannot(code, writer, EBUSY);
}

/* Only the thread itself knows which locks it holds for reading: it says so by the operation. */
static void read_unlock(struct making *code) {
    add_to(code, SYNC_A, RWLOCK_READERS, UINT32_MAX);
    give_code(code, 0);
}

static void write_unlock(struct making *code) {
    begin_if(code, equal(code, load(code, SYNC_A, RWLOCK_WRITER), SYNC_SELF));
    store(code, SYNC_A, RWLOCK_WRITER, number(0));
    give_code(code, 0);
    end_if(code);
    fail(code, TEXT_RWLOCK);
}

/* --- Spin locks, semaphores, once --------------------------------------------------------------------------------- */

static void spin_lock(struct making *code) {
    begin_if(code, equal(code, load(code, SYNC_A, 0), number(0)));
    store(code, SYNC_A, 0, number(1));
    give_code(code, 0);
    end_if(code);
    cannot(code, number(0), EBUSY);
}

static void sem_wait(struct making *code) {
    uint32_t value = load(code, SYNC_A, 0);
    begin_if(code, differ(code, value, number(0)));
    may_time_out(code);
    store(code, SYNC_A, 0, binary(code, OP_SUB, 32, value, number(1)));
    give_code(code, 0);
    end_if(code);
    cannot(code, number(0), EAGAIN);
}

static void sem_post(struct making *code) {
    store(code, SYNC_A, 0, binary(code, OP_ADD, 32, load(code, SYNC_A, 0), number(1)));
    give_code(code, 0);
}

static void once_begin(struct making *code) {
    uint32_t state = load(code, SYNC_A, 0);
    wait_unless(code, differ(code, state, number(ONCE_RUNNING)), number(0));
    begin_if(code, equal(code, state, number(ONCE_NEW)));
    store(code, SYNC_A, 0, number(ONCE_RUNNING));
    give_code(code, 1);
    end_if(code);
    give_code(code, 0);
}

static void once_end(struct making *code) {
    store(code, SYNC_A, 0, number(ONCE_DONE));
    give_code(code, 0);
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

/* The record of the thread with number A, if there is one. */
static uint32_t existing_record(struct making *code) {
    uint32_t record =
        emit(code, (struct instruction){.op = OP_RECORD, .width = 64, .dst = code->registers++, .a = SYNC_A});
    begin_if(code, equal(code, load(code, record, RECORD_CREATED), number(0)));
    give_code(code, ESRCH);
    end_if(code);
    return record;
}

static void refuse_unless_joinable(struct making *code, uint32_t record) {
    begin_if(code, binary(code, OP_OR, 32, load(code, record, RECORD_DETACHED), load(code, record, RECORD_JOINED)));
    give_code(code, EINVAL);
    end_if(code);
}

static void thread_join(struct making *code) {
    uint32_t record = existing_record(code);
    uint32_t ended = code->mode == SYNC_MODE_WAIT ? load(code, record, RECORD_ENDED) : 0; /* S6 */
    refuse_unless_joinable(code, record);
    begin_if(code, equal(code, record, SYNC_OWN));
    give_code(code, EDEADLK);
    end_if(code);
    if (code->mode == SYNC_MODE_TRY) {
        begin_if(code, equal(code, load(code, record, RECORD_ENDED), number(0)));
        give_code(code, EBUSY);
        end_if(code);
    } else {
        wait_unless(code, ended, binary(code, OP_ADD, 64, SYNC_A, number(1)));
    }
    uint32_t value = load_bytes(code, record, RECORD_RESULT, 8);
    store(code, record, RECORD_JOINED, number(1));
    give(code, number(0), value);
}

static void thread_detach(struct making *code) {
    uint32_t record = existing_record(code);
    refuse_unless_joinable(code, record);
    store(code, record, RECORD_DETACHED, number(1));
    give_code(code, 0);
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

static void (*const makers[SYNC_COUNT])(struct making *) = {
    [SYNC_MUTEX_LOCK] = mutex_lock,
    [SYNC_MUTEX_TRYLOCK] = mutex_lock,
    [SYNC_MUTEX_TIMEDLOCK] = mutex_lock,
    [SYNC_MUTEX_UNLOCK] = mutex_unlock,
    [SYNC_MUTEX_RETAKE] = mutex_retake,
    [SYNC_COND_RELEASE] = cond_release,
    [SYNC_COND_SLEEP] = cond_sleep,
    [SYNC_COND_TIMEDSLEEP] = cond_sleep,
    [SYNC_COND_SIGNAL] = cond_signal,
    [SYNC_COND_BROADCAST] = cond_broadcast,
    [SYNC_BARRIER_ARRIVE] = barrier_arrive,
    [SYNC_BARRIER_SLEEP] = barrier_sleep,
    [SYNC_READ_LOCK] = read_lock,
    [SYNC_READ_TRYLOCK] = read_lock,
    [SYNC_READ_TIMEDLOCK] = read_lock,
    [SYNC_WRITE_LOCK] = write_lock,
    [SYNC_WRITE_TRYLOCK] = write_lock,
    [SYNC_WRITE_TIMEDLOCK] = write_lock,
    [SYNC_READ_UNLOCK] = read_unlock,
    [SYNC_WRITE_UNLOCK] = write_unlock,
    [SYNC_SPIN_LOCK] = spin_lock,
    [SYNC_SPIN_TRYLOCK] = spin_lock,
    [SYNC_SEM_WAIT] = sem_wait,
    [SYNC_SEM_TRYWAIT] = sem_wait,
    [SYNC_SEM_TIMEDWAIT] = sem_wait,
    [SYNC_SEM_POST] = sem_post,
    [SYNC_ONCE_BEGIN] = once_begin,
    [SYNC_ONCE_END] = once_end,
    [SYNC_THREAD_JOIN] = thread_join,
    [SYNC_THREAD_TRYJOIN] = thread_join,
    [SYNC_THREAD_DETACH] = thread_detach,
};

/* --- Decoding ----------------------------------------------------------------------------------------------------- */

static uint8_t decoded_operand(uint32_t operand) {
    return (uint8_t)(operand & OPERAND_CONSTANT ? SYNC_MAX_REGISTERS + (operand & ~OPERAND_CONSTANT) : operand);
}

static uint8_t decoded_kind(const struct instruction *instruction) {
    bool narrow = instruction->width == 32;
    switch (instruction->op) {
    case OP_LOAD:
        return SYNC_OP_LOAD;
    case OP_STORE:
        return SYNC_OP_STORE;
    case OP_ADD_TO:
        return SYNC_OP_ADD_TO;
    case OP_BR:
        return SYNC_OP_BRANCH;
    case OP_ICMP:
        return instruction->sub == PREDICATE_EQ   ? SYNC_OP_EQUAL
               : instruction->sub == PREDICATE_NE ? SYNC_OP_DIFFER
                                                  : SYNC_OP_LESS;
    case OP_ADD:
        return narrow ? SYNC_OP_ADD_32 : SYNC_OP_ADD;
    case OP_SUB:
        return SYNC_OP_SUB_32;
    case OP_OR:
        return SYNC_OP_OR;
    case OP_RECORD:
        return SYNC_OP_RECORD;
    case OP_NONDET:
        return SYNC_OP_CHOOSE;
    case OP_WAKE:
        return SYNC_OP_WAKE;
    case OP_WAIT_UNLESS:
        return SYNC_OP_WAIT_UNLESS;
    case OP_ERROR:
        return SYNC_OP_ERROR;
    default:
        assert(instruction->op == OP_RESULT && "codes are made of what the header lists");
        return SYNC_OP_RESULT;
    }
}

/* Is the instruction the sum of a register and a constant that only the access after it uses, as its address? */
static bool is_address(const struct making *code, uint32_t index) {
    const struct instruction *add = &code->instructions[index];
    const struct instruction *next = add + 1;
    bool accesses = index + 1 < code->count && (next->op == OP_LOAD || next->op == OP_STORE || next->op == OP_ADD_TO) &&
                    next->a == add->dst;
    return add->op == OP_ADD && add->width == 64 && (add->b & OPERAND_CONSTANT) && accesses;
}

/* Is the instruction a comparison for equality that only the branch after it uses? */
static bool is_condition(const struct making *code, uint32_t index) {
    const struct instruction *compare = &code->instructions[index];
    const struct instruction *next = compare + 1;
    return index + 1 < code->count && compare->op == OP_ICMP && compare->sub != PREDICATE_ULT && next->op == OP_BR &&
           next->a == compare->dst && next->b == index + 2;
}

static void decode(const struct making *code, struct sync_op *ops) {
    uint8_t places[MAX_CODE + 1]; /* by instruction: where its op stands */
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        places[i] = (uint8_t)count;
        count += !is_address(code, i) && !is_condition(code, i);
    }
    count = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *instruction = &code->instructions[i];
        bool address = is_address(code, i);
        bool condition = is_condition(code, i);
        const struct instruction *at = instruction + (address || condition);
        struct sync_op *op = &ops[count++];
        *op = (struct sync_op){.kind = decoded_kind(at),
                               .size = at->width,
                               .dst = (uint8_t)at->dst,
                               .a = decoded_operand(at->a),
                               .b = decoded_operand(at->b)};
        if (address) {
            op->a = decoded_operand(instruction->a);
            op->offset = (uint8_t)sync_constants[instruction->b & ~OPERAND_CONSTANT];
        } else if (condition) {
            op->kind = instruction->sub == PREDICATE_EQ ? SYNC_OP_BRANCH_EQUAL : SYNC_OP_BRANCH_DIFFER;
            op->a = decoded_operand(instruction->a);
            op->b = decoded_operand(instruction->b);
            op->offset = places[at->c];
        } else if (at->op == OP_BR) {
            op->b = places[at->b];
            op->offset = places[at->c];
        } else if (at->op == OP_ERROR) {
            op->a = (uint8_t)at->a;
            op->b = at->sub;
        }
        i += address || condition;
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

/* Made when they are first asked for, and never changed. */
static struct sync_op made_ops[SYNC_COUNT][MAX_CODE];
static struct instruction made_instructions[SYNC_COUNT][MAX_CODE];
static struct sync_code made_codes[SYNC_COUNT];
static once_flag made = ONCE_FLAG_INIT;

static void make_all(void) {
    for (unsigned kind = 0; kind < SYNC_COUNT; kind++) {
        struct making code = {.registers = SYNC_INPUTS, .mode = sync_table[kind].mode};
        struct sync_code *result = &made_codes[kind];
        if (!makers[kind]) {
            continue;
        }
        makers[kind](&code);
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
        decode(&code, made_ops[kind]);
        result->instructions = made_instructions[kind];
        result->ops = made_ops[kind];
        result->count = code.count;
        result->registers = code.registers;
    }
}

const struct sync_code *sync_codes(void) {
    call_once(&made, make_all);
    return made_codes;
}
