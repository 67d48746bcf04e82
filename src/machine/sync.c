/* Threads, locks and their kin: when an operation can go on, and what it does.
 *
 * The state of an object lies in the user's memory, as instruction.h says.  Every operation waits for the own store
 * buffer to be empty (step.c sees to that), so it acts on memory directly. */
#include <errno.h>
#include <string.h>

#include "machine/state.h"

#define MUTEX_DEPTH 4
#define MUTEX_KIND 16
#define MUTEX_BYTES 20
#define RW_READERS 4
#define BARRIER_ARRIVED 4
#define BARRIER_PHASE 8
#define SERIAL_THREAD UINT32_MAX

enum mutex_kind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum once_state { ONCE_NEW, ONCE_RUNNING, ONCE_DONE };

/* --- Words of an object ---------------------------------------------------------------------------------------------
 */

static uint32_t word_at(const struct machine *machine, uint64_t address) {
    uint64_t value[2] = {0};
    machine_peek(machine, address, 4, value);
    return (uint32_t)value[0];
}

static void word_set(struct machine *machine, uint64_t address, uint32_t word) {
    struct object *object = object_at(machine, address);
    save(machine, &machine->now.version, sizeof machine->now.version);
    machine->now.version++;
    object_write(machine, object, address, 4, (const uint64_t[2]){word, 0});
}

static unsigned object_bytes(unsigned kind) {
    switch (kind) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
    case SYNC_MUTEX_UNLOCK:
        return MUTEX_BYTES;
    case SYNC_READ_LOCK:
    case SYNC_READ_TRYLOCK:
    case SYNC_READ_TIMEDLOCK:
    case SYNC_WRITE_LOCK:
    case SYNC_WRITE_TRYLOCK:
    case SYNC_WRITE_TIMEDLOCK:
    case SYNC_RW_UNLOCK:
        return 8;
    case SYNC_BARRIER_WAIT:
        return 12;
    case SYNC_THREAD_CREATE:
    case SYNC_THREAD_JOIN:
    case SYNC_THREAD_TRYJOIN:
    case SYNC_THREAD_DETACH:
    case SYNC_BUS_LOCK:
    case SYNC_BUS_UNLOCK:
    case SYNC_THREAD_EXIT:
        return 0;
    default:
        return 4;
    }
}

/* Is the object there at all?  Nothing is reported. */
static bool object_good(const struct machine *machine, const struct thread *thread, uint64_t address, unsigned bytes) {
    const struct object *object = bytes > 0 ? object_at(machine, address) : NULL;
    return bytes == 0 || (object && !object->constant && object_serves(machine, thread, object, address, bytes));
}

static uint64_t argument(const struct machine *machine, const struct thread *thread, uint32_t operand) {
    return operand_value(machine, thread_frame(thread), operand);
}

static uint32_t self(const struct thread *thread) {
    return thread->number + 1;
}

/* --- Mutexes --------------------------------------------------------------------------------------------------------
 */

static bool mutex_can_lock(const struct machine *machine, const struct thread *thread, uint64_t mutex) {
    uint32_t owner = word_at(machine, mutex);
    return owner == 0 || (owner == self(thread) && word_at(machine, mutex + MUTEX_KIND) != MUTEX_NORMAL);
}

/* Returns 0 or an errno value; the caller knows that it can lock. */
static int mutex_lock(struct machine *machine, const struct thread *thread, uint64_t mutex, bool try) {
    if (word_at(machine, mutex) == self(thread)) {
        if (word_at(machine, mutex + MUTEX_KIND) != MUTEX_RECURSIVE) {
            return try ? EBUSY : EDEADLK;
        }
        word_set(machine, mutex + MUTEX_DEPTH, word_at(machine, mutex + MUTEX_DEPTH) + 1);
        return 0;
    }
    word_set(machine, mutex, self(thread));
    word_set(machine, mutex + MUTEX_DEPTH, 1);
    return 0;
}

static int mutex_unlock(struct machine *machine, struct thread *thread, uint64_t mutex) {
    if (word_at(machine, mutex) != self(thread)) {
        if (word_at(machine, mutex + MUTEX_KIND) != MUTEX_NORMAL) {
            return EPERM;
        }
        char name[128];
        machine_describe(machine, mutex, 0, name, sizeof name);
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_NOT_OWNER,
                     word_at(machine, mutex) ? "mutex %s is unlocked by a thread that does not hold it"
                                             : "mutex %s is unlocked but nobody holds it",
                     name);
        return EPERM;
    }
    uint32_t depth = word_at(machine, mutex + MUTEX_DEPTH);
    word_set(machine, mutex + MUTEX_DEPTH, depth - 1);
    if (depth == 1) {
        word_set(machine, mutex, 0);
    }
    return 0;
}

/* --- Reader-writer locks ------------------------------------------------------------------------------------------ */

static bool rw_can_read(const struct machine *machine, const struct thread *thread, uint64_t lock) {
    uint32_t writer = word_at(machine, lock);
    return writer == 0 || writer == self(thread);
}

static bool rw_can_write(const struct machine *machine, const struct thread *thread, uint64_t lock) {
    uint32_t writer = word_at(machine, lock);
    return writer == self(thread) || (writer == 0 && word_at(machine, lock + RW_READERS) == 0);
}

static int rw_lock(struct machine *machine, struct thread *thread, uint64_t lock, bool write, bool try) {
    if (word_at(machine, lock) == self(thread)) {
        return try ? EBUSY : EDEADLK;
    }
    if (write) {
        word_set(machine, lock, self(thread));
    } else {
        word_set(machine, lock + RW_READERS, word_at(machine, lock + RW_READERS) + 1);
        thread->now.read_locks++;
    }
    return 0;
}

static int rw_unlock(struct machine *machine, struct thread *thread, uint64_t lock) {
    uint32_t readers = word_at(machine, lock + RW_READERS);
    if (word_at(machine, lock) == self(thread)) {
        word_set(machine, lock, 0);
    } else if (readers > 0 && thread->now.read_locks > 0) {
        word_set(machine, lock + RW_READERS, readers - 1);
        thread->now.read_locks--;
    } else {
        char name[128];
        machine_describe(machine, lock, 0, name, sizeof name);
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_NOT_OWNER,
                     "reader-writer lock %s is unlocked by a thread that does not hold it", name);
    }
    return 0;
}

/* --- Condition variables --------------------------------------------------------------------------------------------
 */

static bool waits_at(const struct machine *machine, const struct thread *thread, uint64_t condition) {
    return thread->now.status == THREAD_RUNNING && thread->now.phase == PHASE_COND_WAITING &&
           argument(machine, thread, thread_frame(thread)->pc->a) == condition;
}

static uint64_t count_waiters(const struct machine *machine, uint64_t condition) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        count += waits_at(machine, machine->threads[i], condition);
    }
    return count;
}

/* Wakes the chosen waiter, or all of them. */
static void wake(struct machine *machine, uint64_t condition, uint64_t choice, bool all, struct step *step) {
    uint64_t index = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *waiter = machine->threads[i];
        if (waits_at(machine, waiter, condition) && (all || index++ == choice)) {
            save(machine, &waiter->now, sizeof waiter->now);
            waiter->now.phase = PHASE_COND_WOKEN;
            step->other = waiter->slot;
        }
    }
}

/* The phases of a wait: release the mutex; wait; take the mutex again.  Returns true when it is over. */
static bool cond_wait(struct machine *machine, struct thread *thread, uint64_t mutex, uint64_t choice, int *code) {
    switch (thread->now.phase) {
    case PHASE_NONE:
        if (word_at(machine, mutex) != self(thread)) {
            machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_NOT_OWNER,
                         "a thread waits at a condition variable without holding the mutex");
            return true;
        }
        thread->now.barrier_phase = word_at(machine, mutex + MUTEX_DEPTH);
        word_set(machine, mutex, 0);
        word_set(machine, mutex + MUTEX_DEPTH, 0);
        thread->now.phase = PHASE_COND_WAITING;
        return false;
    case PHASE_COND_WAITING:
        /* Without a signal: time is up, or nobody knows why. */
        thread->now.phase = choice == 0 && thread_frame(thread)->pc->width == SYNC_COND_TIMEDWAIT ? PHASE_COND_TIMEOUT
                                                                                                  : PHASE_COND_WOKEN;
        return false;
    default:
        *code = thread->now.phase == PHASE_COND_TIMEOUT ? ETIMEDOUT : 0;
        word_set(machine, mutex, self(thread));
        word_set(machine, mutex + MUTEX_DEPTH, thread->now.barrier_phase);
        thread->now.phase = PHASE_NONE;
        thread->now.barrier_phase = 0;
        return true;
    }
}

/* --- Barriers ----------------------------------------------------------------------------------------------------- */

static bool barrier_wait(struct machine *machine, struct thread *thread, uint64_t barrier, uint64_t *result) {
    if (thread->now.phase == PHASE_BARRIER) {
        thread->now.phase = PHASE_NONE;
        thread->now.barrier_phase = 0;
        *result = 0;
        return true;
    }
    uint32_t arrived = word_at(machine, barrier + BARRIER_ARRIVED) + 1;
    uint32_t phase = word_at(machine, barrier + BARRIER_PHASE);
    if (arrived >= word_at(machine, barrier)) {
        word_set(machine, barrier + BARRIER_ARRIVED, 0);
        word_set(machine, barrier + BARRIER_PHASE, phase + 1);
        *result = SERIAL_THREAD;
        return true;
    }
    word_set(machine, barrier + BARRIER_ARRIVED, arrived);
    thread->now.phase = PHASE_BARRIER;
    thread->now.barrier_phase = phase;
    return false;
}

/* --- The bus ------------------------------------------------------------------------------------------------------ */

static void bus_lock(struct machine *machine, const struct thread *thread) {
    save(machine, &machine->now.bus_owner, 2 * sizeof(uint32_t));
    machine->now.bus_owner = thread->slot;
    machine->now.bus_depth++;
}

static void bus_unlock(struct machine *machine, struct thread *thread) {
    if (machine->now.bus_owner != thread->slot) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_NOT_OWNER,
                     "a thread unlocks without having locked");
        return;
    }
    save(machine, &machine->now.bus_owner, 2 * sizeof(uint32_t));
    if (--machine->now.bus_depth == 0) {
        machine->now.bus_owner = NO_THREAD;
    }
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

static int join_code(const struct thread *thread, const struct thread *target) {
    return !target ? ESRCH : target->now.detached || target->now.joined ? EINVAL : target == thread ? EDEADLK : 0;
}

static void join(struct machine *machine, struct thread *thread, uint64_t number, uint64_t *results,
                 struct step *step) {
    struct thread *target = thread_with_number(machine, number);
    int code = join_code(thread, target);
    if (code == 0 && target->now.status != THREAD_FINISHED) {
        code = EBUSY;
    }
    results[0] = (uint64_t)code;
    results[1] = 0;
    if (code == 0) {
        save(machine, &target->now.joined, sizeof target->now.joined);
        target->now.joined = true;
        results[1] = target->now.result;
        step->other = target->slot;
    }
}

struct thread *sync_joins(struct machine *machine, const struct thread *thread, const struct instruction *instruction) {
    struct thread *target = thread_with_number(machine, argument(machine, thread, instruction->a));
    return join_code(thread, target) == 0 && target->now.status == THREAD_FINISHED ? target : NULL;
}

static void create(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t *results, struct step *step) {
    uint64_t address = argument(machine, thread, instruction->a);
    int64_t function = function_at(machine->program, address);
    const uint64_t arguments[] = {argument(machine, thread, instruction->b), argument(machine, thread, instruction->c)};
    if (function < 0) {
        machine_fail(machine, thread, thread_user_pos(machine, thread),
                     address < PAGE_SIZE ? ERROR_NULL_POINTER : ERROR_MISUSE, "a thread is created with no function");
        return;
    }
    struct thread *child = thread_create(machine, thread, (uint32_t)function, arguments, 2);
    if (!child) {
        return;
    }
    results[0] = child->number;
    step->other = child->slot;
    interpret(machine, child);
}

static void end_thread(struct machine *machine, struct thread *thread, uint64_t value) {
    while (thread->now.escaping > 0) {
        struct object *object = thread->escaping[--thread->now.escaping];
        save(machine, &object->life, sizeof object->life);
        object->life.ended_by = thread->slot + 1;
        object->life.ended_pos = thread_user_pos(machine, thread);
    }
    region_cut(machine, thread->stack, 0);
    thread->now.status = THREAD_FINISHED;
    thread->now.result = value;
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

/* Would a lock-like operation succeed now? */
static bool can_proceed(const struct machine *machine, const struct thread *thread,
                        const struct instruction *instruction) {
    uint64_t a = argument(machine, thread, instruction->a);
    switch (instruction->width) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
        return mutex_can_lock(machine, thread, a);
    case SYNC_READ_LOCK:
    case SYNC_READ_TRYLOCK:
    case SYNC_READ_TIMEDLOCK:
        return rw_can_read(machine, thread, a);
    case SYNC_WRITE_LOCK:
    case SYNC_WRITE_TRYLOCK:
    case SYNC_WRITE_TIMEDLOCK:
        return rw_can_write(machine, thread, a);
    case SYNC_SPIN_LOCK:
    case SYNC_SPIN_TRYLOCK:
        return word_at(machine, a) == 0;
    case SYNC_SEM_WAIT:
    case SYNC_SEM_TRYWAIT:
    case SYNC_SEM_TIMEDWAIT:
        return word_at(machine, a) > 0;
    case SYNC_ONCE_BEGIN:
        return word_at(machine, a) != ONCE_RUNNING;
    case SYNC_THREAD_JOIN: {
        const struct thread *target = thread_with_number((struct machine *)machine, a);
        return join_code(thread, target) != 0 || target->now.status == THREAD_FINISHED;
    }
    default:
        return true;
    }
}

static bool is_timed(unsigned kind) {
    return kind == SYNC_MUTEX_TIMEDLOCK || kind == SYNC_READ_TIMEDLOCK || kind == SYNC_WRITE_TIMEDLOCK ||
           kind == SYNC_SEM_TIMEDWAIT;
}

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    uint64_t a = argument(machine, thread, instruction->a);
    if (!object_good(machine, thread, a, object_bytes(kind))) {
        return 1;
    }
    if (kind == SYNC_COND_SIGNAL) {
        uint64_t waiters = count_waiters(machine, a);
        return waiters ? waiters : 1;
    }
    if (kind == SYNC_COND_TIMEDWAIT && thread->now.phase == PHASE_COND_WAITING) {
        return machine->options.spurious ? 2 : 1;
    }
    return is_timed(kind) && can_proceed(machine, thread, instruction) ? 2 : 1;
}

bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    uint64_t a = argument(machine, thread, instruction->a);
    if ((object_bytes(kind) > 0 || kind == SYNC_BUS_LOCK) && bus_taken(machine, thread)) {
        return false;
    }
    if (!object_good(machine, thread, a, object_bytes(kind))) {
        return true;
    }
    switch (thread->now.phase) {
    case PHASE_COND_WAITING:
        return machine->options.spurious || kind == SYNC_COND_TIMEDWAIT;
    case PHASE_COND_WOKEN:
    case PHASE_COND_TIMEOUT: {
        uint64_t mutex = argument(machine, thread, instruction->b);
        return !object_good(machine, thread, mutex, MUTEX_BYTES) || word_at(machine, mutex) == 0;
    }
    case PHASE_BARRIER:
        return word_at(machine, a + BARRIER_PHASE) != thread->now.barrier_phase;
    default:
        return is_timed(kind) || sync_tries(kind) || can_proceed(machine, thread, instruction);
    }
}

uint64_t sync_refusal(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    uint64_t a = argument(machine, thread, instruction->a);
    if (!sync_tries(instruction->width) || !object_good(machine, thread, a, object_bytes(instruction->width)) ||
        can_proceed(machine, thread, instruction)) {
        return 0;
    }
    return instruction->width == SYNC_SEM_TRYWAIT ? EAGAIN : EBUSY;
}

/* The operations on one object that can fail or time out: what they return, or -1 if they went through. */
static int refused(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice) {
    if (is_timed(instruction->width) && (choice == 1 || !can_proceed(machine, thread, instruction))) {
        return ETIMEDOUT;
    }
    uint64_t code = sync_refusal(machine, thread, instruction);
    return code ? (int)code : -1;
}

/* Does the operation change its object for others?  Readers of a lock do not disturb each other, so they only look at
 * it; but a writer that gives up because of readers has seen how many there are, and that counts as a change. */
static bool changes_object(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                           uint64_t choice) {
    unsigned kind = instruction->width;
    uint64_t a = argument(machine, thread, instruction->a);
    unsigned bytes = object_bytes(kind);
    if (bytes == 0 || !object_good(machine, thread, a, bytes)) {
        return true;
    }
    switch (kind) {
    case SYNC_READ_LOCK:
    case SYNC_READ_TRYLOCK:
    case SYNC_READ_TIMEDLOCK:
        return false;
    case SYNC_RW_UNLOCK:
        return word_at(machine, a) == self(thread) || thread->now.read_locks == 0;
    case SYNC_WRITE_TRYLOCK:
    case SYNC_WRITE_TIMEDLOCK:
        return word_at(machine, a) == 0 || word_at(machine, a) == self(thread);
    case SYNC_BARRIER_WAIT:
        return thread->now.phase == PHASE_NONE;
    case SYNC_ONCE_BEGIN:
        return word_at(machine, a) == ONCE_NEW;
    default:
        return refused(machine, thread, instruction, choice) < 0;
    }
}

void sync_describe(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, struct step *step) {
    unsigned kind = instruction->width;
    unsigned bytes = object_bytes(kind);
    step->sub = (uint8_t)kind;
    step->phase = thread->now.phase;
    step->atomic = true;
    step->address = argument(machine, thread, instruction->a);
    step->size = (uint8_t)bytes;
    step->reads = thread->now.phase != PHASE_BARRIER;
    step->writes = changes_object(machine, thread, instruction, choice);
    if (kind == SYNC_THREAD_EXIT) {
        step->address = thread->number;
    }
    if (kind == SYNC_BUS_LOCK || kind == SYNC_BUS_UNLOCK) {
        step->address = BUS_ADDRESS;
        step->size = BUS_BYTES;
    }
    if (kind == SYNC_COND_WAIT || kind == SYNC_COND_TIMEDWAIT) {
        step->other = argument(machine, thread, instruction->b);
    }
}

bool sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step) {
    unsigned kind = instruction->width;
    uint64_t a = argument(machine, thread, instruction->a);
    uint64_t results[2] = {0};
    unsigned bytes = object_bytes(kind);
    if (bytes > 0 && !memory_check(machine, thread, a, bytes, true)) {
        return true;
    }
    bool over = true;
    int code = refused(machine, thread, instruction, choice);
    if (code >= 0) {
        results[0] = (uint64_t)code;
    } else {
        code = 0;
        switch (kind) {
        case SYNC_MUTEX_LOCK:
        case SYNC_MUTEX_TRYLOCK:
        case SYNC_MUTEX_TIMEDLOCK:
            code = mutex_lock(machine, thread, a, kind == SYNC_MUTEX_TRYLOCK);
            break;
        case SYNC_MUTEX_UNLOCK:
            code = mutex_unlock(machine, thread, a);
            break;
        case SYNC_COND_WAIT:
        case SYNC_COND_TIMEDWAIT: {
            uint64_t mutex = argument(machine, thread, instruction->b);
            if (!memory_check(machine, thread, mutex, MUTEX_BYTES, true)) {
                return true;
            }
            over = cond_wait(machine, thread, mutex, choice, &code);
            break;
        }
        case SYNC_COND_SIGNAL:
        case SYNC_COND_BROADCAST:
            wake(machine, a, choice, kind == SYNC_COND_BROADCAST, step);
            break;
        case SYNC_READ_LOCK:
        case SYNC_READ_TRYLOCK:
        case SYNC_READ_TIMEDLOCK:
        case SYNC_WRITE_LOCK:
        case SYNC_WRITE_TRYLOCK:
        case SYNC_WRITE_TIMEDLOCK:
            code = rw_lock(machine, thread, a, kind >= SYNC_WRITE_LOCK, sync_tries(kind));
            break;
        case SYNC_RW_UNLOCK:
            code = rw_unlock(machine, thread, a);
            break;
        case SYNC_SPIN_LOCK:
        case SYNC_SPIN_TRYLOCK:
            word_set(machine, a, 1);
            break;
        case SYNC_SEM_WAIT:
        case SYNC_SEM_TRYWAIT:
        case SYNC_SEM_TIMEDWAIT:
            word_set(machine, a, word_at(machine, a) - 1);
            break;
        case SYNC_SEM_POST:
            word_set(machine, a, word_at(machine, a) + 1);
            break;
        case SYNC_BARRIER_WAIT:
            over = barrier_wait(machine, thread, a, results);
            break;
        case SYNC_ONCE_BEGIN:
            results[0] = word_at(machine, a) == ONCE_NEW;
            if (results[0]) {
                word_set(machine, a, ONCE_RUNNING);
            }
            break;
        case SYNC_ONCE_END:
            word_set(machine, a, ONCE_DONE);
            break;
        case SYNC_THREAD_CREATE:
            create(machine, thread, instruction, results, step);
            break;
        case SYNC_THREAD_JOIN:
        case SYNC_THREAD_TRYJOIN:
            join(machine, thread, a, results, step);
            break;
        case SYNC_THREAD_DETACH: {
            struct thread *target = thread_with_number(machine, a);
            code = !target ? ESRCH : target->now.detached || target->now.joined ? EINVAL : 0;
            if (code == 0) {
                save(machine, &target->now, sizeof target->now);
                target->now.detached = true;
            }
            break;
        }
        case SYNC_BUS_LOCK:
            bus_lock(machine, thread);
            break;
        case SYNC_BUS_UNLOCK:
            bus_unlock(machine, thread);
            break;
        default: /* SYNC_THREAD_EXIT */
            end_thread(machine, thread, a);
            return true;
        }
        if (code != 0) {
            results[0] = (uint64_t)code;
        }
    }
    step->result = results[0];
    if (over && instruction->dst != NO_REGISTER) {
        uint64_t *dst = thread_frame(thread)->registers + instruction->dst;
        memcpy(dst, results, (instruction->sub < 2 ? instruction->sub : 2) * sizeof *dst);
    }
    return over;
}
