/* Operations on threads and synchronisation objects: their codes (ir/sync.h) are evaluated in the present state, and
 * the evaluation is applied when the step is taken.  Waits at condition variables and barriers, which take several
 * steps, creation, the end of a thread and the bus have no code.
 *
 * Every operation waits for the own store buffer to be empty (step.c sees to that), so it acts on memory directly. */
#include <errno.h>
#include <string.h>

#include "machine/state.h"

#define SERIAL_THREAD UINT32_MAX

/* --- Words of an object ------------------------------------------------------------------------------------------- */

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

/* The object whose `bytes` at the address the thread can access, or NULL. */
static struct object *good_bytes(const struct machine *machine, const struct thread *thread, uint64_t address,
                                 unsigned bytes) {
    struct object *object = object_at(machine, address);
    return object && !object->constant && object_serves(machine, thread, object, address, bytes) ? object : NULL;
}

/* Is the object there at all, if the operation has one?  Nothing is reported. */
static bool object_good(const struct machine *machine, const struct thread *thread, uint64_t address, unsigned bytes) {
    return bytes == 0 || good_bytes(machine, thread, address, bytes);
}

static uint64_t argument(const struct machine *machine, const struct thread *thread, uint32_t operand) {
    return operand_value(machine, thread_frame(thread), operand);
}

static uint32_t self(const struct thread *thread) {
    return thread->number + 1;
}

/* --- Records of threads ------------------------------------------------------------------------------------------- */

static uint64_t record_read(struct machine *machine, uint64_t address) {
    const struct thread *thread = thread_with_number(machine, record_number(address));
    if (!thread) {
        return 0;
    }
    switch ((address - RECORD_BASE) % RECORD_BYTES) {
    case RECORD_CREATED:
        return 1;
    case RECORD_ENDED:
        return thread->now.status == THREAD_FINISHED;
    case RECORD_JOINED:
        return thread->now.joined;
    case RECORD_DETACHED:
        return thread->now.detached;
    default:
        return thread->now.result;
    }
}

static void record_write(struct machine *machine, uint64_t address, uint64_t value) {
    struct thread *thread = thread_with_number(machine, record_number(address));
    save(machine, &thread->now, sizeof thread->now);
    if ((address - RECORD_BASE) % RECORD_BYTES == RECORD_JOINED) {
        thread->now.joined = value;
    } else {
        thread->now.detached = value;
    }
}

/* --- Evaluating a code -------------------------------------------------------------------------------------------- */

static void add_access(struct effect *effect, uint64_t address, unsigned size, unsigned kind, uint64_t value) {
    struct effect_access *access = effect->accesses.data;
    size_t i = 0;
    while (i < effect->accesses.count && access[i].address != address) {
        i++;
    }
    if (i == effect->accesses.count) {
        access = vector_room(&effect->accesses);
        *access = (struct effect_access){.address = address, .size = size};
    } else {
        access += i;
    }
    access->kind |= kind;
    *(kind == ACCESS_READ ? &access->read : &access->written) = value;
}

struct evaluation {
    struct machine *machine;
    struct effect *effect;
    const struct object *object; /* at a */
    uint64_t registers[SYNC_MAX_REGISTERS];
};

static inline uint64_t value_of(const struct evaluation *evaluation, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? sync_constants[operand & ~OPERAND_CONSTANT] : evaluation->registers[operand];
}

static uint64_t load_word(struct evaluation *evaluation, uint64_t address, unsigned size) {
    uint64_t value[2];
    if (is_record(address)) {
        value[0] = record_read(evaluation->machine, address);
    } else {
        object_read(evaluation->object, address, size, value);
    }
    add_access(evaluation->effect, address, size, ACCESS_READ, value[0]);
    return value[0];
}

static uint64_t calculate(const struct instruction *at, uint64_t a, uint64_t b) {
    switch (at->op) {
    case OP_ADD:
        a += b;
        break;
    case OP_SUB:
        a -= b;
        break;
    case OP_OR:
        a |= b;
        break;
    default:
        return at->sub == PREDICATE_EQ ? a == b : a != b;
    }
    return at->width == 32 ? (uint32_t)a : a;
}

/* Runs the code from its beginning; at its choice it takes the one given. */
static void run_code(struct evaluation *evaluation, const struct sync_code *code, uint64_t choice) {
    struct effect *effect = evaluation->effect;
    uint64_t *registers = evaluation->registers;
    for (const struct instruction *at = code->instructions;; at++) {
        uint64_t a = at->op == OP_ERROR ? 0 : value_of(evaluation, at->a);
        switch (at->op) {
        case OP_BR:
            at = code->instructions + (a ? at->b : at->c) - 1;
            break;
        case OP_LOAD:
            registers[at->dst] = load_word(evaluation, a, at->width);
            break;
        case OP_STORE:
            add_access(effect, a, at->width, ACCESS_WRITE, value_of(evaluation, at->b));
            break;
        case OP_ADD_TO:
            add_access(effect, a, at->width, ACCESS_ADD, value_of(evaluation, at->b));
            break;
        case OP_RECORD:
            registers[at->dst] = record_address(a);
            break;
        case OP_NONDET:
            effect->choices = 2;
            registers[at->dst] = choice;
            break;
        case OP_WAIT_UNLESS:
            if (!a) {
                effect->enabled = false;
                effect->waits_for = value_of(evaluation, at->b);
                return;
            }
            break;
        case OP_ERROR:
            effect->error = at->sub;
            effect->text = sync_texts[at->a];
            return;
        case OP_RESULT:
            effect->results[0] = a;
            effect->results[1] = value_of(evaluation, at->b);
            return;
        default:
            registers[at->dst] = calculate(at, a, value_of(evaluation, at->b));
            break;
        }
    }
}

/* What the operation at which the thread stands would do now.  It is kept until the machine moves. */
static const struct effect *evaluate(struct machine *machine, struct thread *thread,
                                     const struct instruction *instruction, uint64_t choice) {
    struct effect *effect = &thread->effect;
    if (thread->effect_of == machine->moves && (effect->choices == 1 || thread->effect_choice == choice)) {
        return effect;
    }
    const struct sync_code *code = &machine->codes[instruction->width];
    unsigned bytes = sync_table[instruction->width].bytes;
    struct evaluation evaluation = {.machine = machine, .effect = effect};
    uint64_t *registers = evaluation.registers;
    registers[SYNC_A] = argument(machine, thread, instruction->a);
    registers[SYNC_SELF] = self(thread);
    registers[SYNC_OWN] = record_address(thread->number);
    registers[SYNC_SPURIOUS] = machine->options.spurious;
    evaluation.object = bytes > 0 ? good_bytes(machine, thread, registers[SYNC_A], bytes) : NULL;
    effect->enabled = true;
    effect->bad = bytes > 0 && !evaluation.object;
    effect->choices = 1;
    effect->error = ERROR_NONE;
    effect->waits_for = 0;
    effect->results[0] = effect->results[1] = 0;
    effect->accesses.count = 0;
    if (!effect->bad) {
        run_code(&evaluation, code, choice);
    }
    thread->effect_of = machine->moves;
    thread->effect_choice = choice;
    return effect;
}

/* Does the step change anything? */
static bool effect_changes(const struct effect *effect) {
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (accesses[i].kind & (ACCESS_WRITE | ACCESS_ADD)) {
            return true;
        }
    }
    return false;
}

static void apply_access(struct machine *machine, const struct effect_access *access) {
    if (is_record(access->address)) {
        record_write(machine, access->address, access->written);
        return;
    }
    uint32_t before = word_at(machine, access->address);
    word_set(machine, access->address,
             (uint32_t)access->written + (access->kind & ACCESS_ADD ? before : 0));
}

/* Does what the code says. */
static void apply(struct machine *machine, struct thread *thread, const struct effect *effect, uint64_t object) {
    if (effect->error != ERROR_NONE) {
        char name[128];
        machine_describe(machine, object, 0, name, sizeof name);
        machine_fail(machine, thread, thread_user_pos(machine, thread), effect->error, effect->text, name);
        return;
    }
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (accesses[i].kind & (ACCESS_WRITE | ACCESS_ADD)) {
            apply_access(machine, &accesses[i]);
        }
    }
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

static bool has_code(const struct machine *machine, const struct instruction *instruction) {
    return machine->codes[instruction->width].instructions;
}

struct thread *sync_joins(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    const struct effect *effect = evaluate(machine, thread, instruction, 0);
    return effect->enabled && effect->results[0] == 0
               ? thread_with_number(machine, argument(machine, thread, instruction->a))
               : NULL;
}

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    if (has_code(machine, instruction)) {
        return machine->codes[kind].may_choose ? evaluate(machine, thread, instruction, 0)->choices : 1;
    }
    uint64_t a = argument(machine, thread, instruction->a);
    if (!object_good(machine, thread, a, sync_table[kind].bytes)) {
        return 1;
    }
    if (kind == SYNC_COND_SIGNAL) {
        uint64_t waiters = count_waiters(machine, a);
        return waiters ? waiters : 1;
    }
    return kind == SYNC_COND_TIMEDWAIT && thread->now.phase == PHASE_COND_WAITING && machine->options.spurious ? 2 : 1;
}

bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    if ((sync_table[kind].bytes > 0 || kind == SYNC_BUS_LOCK) && bus_taken(machine, thread)) {
        return false;
    }
    if (has_code(machine, instruction)) {
        return !machine->codes[kind].may_wait || evaluate(machine, thread, instruction, 0)->enabled;
    }
    uint64_t a = argument(machine, thread, instruction->a);
    if (!object_good(machine, thread, a, sync_table[kind].bytes)) {
        return true;
    }
    switch (thread->now.phase) {
    case PHASE_COND_WAITING:
        return machine->options.spurious || kind == SYNC_COND_TIMEDWAIT;
    case PHASE_COND_WOKEN:
    case PHASE_COND_TIMEOUT: {
        uint64_t mutex = argument(machine, thread, instruction->b);
        return !good_bytes(machine, thread, mutex, sync_table[SYNC_MUTEX_LOCK].bytes) || word_at(machine, mutex) == 0;
    }
    case PHASE_BARRIER:
        return word_at(machine, a + BARRIER_PHASE) != thread->now.barrier_phase;
    default:
        return true;
    }
}

uint64_t sync_refusal(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    if (!sync_tries(instruction->width)) {
        return 0;
    }
    const struct effect *effect = evaluate(machine, thread, instruction, 0);
    return effect_changes(effect) ? 0 : effect->results[0];
}

/* Does the operation change its object for others?  Readers of a lock do not disturb each other, so they only look at
 * it; but a writer that gives up because of readers has seen how many there are, and that counts as a change. */
static bool changes_object(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                           uint64_t choice) {
    if (!has_code(machine, instruction)) {
        return instruction->width != SYNC_BARRIER_WAIT || thread->now.phase == PHASE_NONE;
    }
    const struct effect *effect = evaluate(machine, thread, instruction, choice);
    const struct effect_access *accesses = effect->accesses.data;
    bool counts = false; /* readers */
    bool writes = effect->bad || effect->error || sync_table[instruction->width].bytes == 0;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        writes |= accesses[i].kind & ACCESS_WRITE;
        counts |= i == 1 && accesses[i].kind == ACCESS_READ;
    }
    return writes || (counts && sync_table[instruction->width].bytes == 8);
}

void sync_describe(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, struct step *step) {
    unsigned kind = instruction->width;
    step->sub = (uint8_t)kind;
    step->phase = thread->now.phase;
    step->atomic = true;
    step->address = argument(machine, thread, instruction->a);
    step->size = sync_table[kind].bytes;
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

/* Does an operation that has no code. */
static bool take_special(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                         uint64_t choice, uint64_t results[2], struct step *step) {
    uint64_t a = argument(machine, thread, instruction->a);
    bool over = true;
    switch (instruction->width) {
    case SYNC_COND_WAIT:
    case SYNC_COND_TIMEDWAIT: {
        uint64_t mutex = argument(machine, thread, instruction->b);
        int code = 0;
        if (memory_check(machine, thread, mutex, sync_table[SYNC_MUTEX_LOCK].bytes, true)) {
            over = cond_wait(machine, thread, mutex, choice, &code);
            results[0] = (uint64_t)code;
        }
        break;
    }
    case SYNC_COND_SIGNAL:
    case SYNC_COND_BROADCAST:
        wake(machine, a, choice, instruction->width == SYNC_COND_BROADCAST, step);
        break;
    case SYNC_BARRIER_WAIT:
        over = barrier_wait(machine, thread, a, results);
        break;
    case SYNC_THREAD_CREATE:
        create(machine, thread, instruction, results, step);
        break;
    case SYNC_BUS_LOCK:
        bus_lock(machine, thread);
        break;
    case SYNC_BUS_UNLOCK:
        bus_unlock(machine, thread);
        break;
    default: /* SYNC_THREAD_EXIT */
        end_thread(machine, thread, a);
        break;
    }
    return over;
}

bool sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step) {
    unsigned bytes = sync_table[instruction->width].bytes;
    uint64_t a = argument(machine, thread, instruction->a);
    uint64_t results[2] = {0};
    bool over = true;
    if (bytes > 0 && !memory_check(machine, thread, a, bytes, true)) {
        return true;
    }
    if (has_code(machine, instruction)) {
        const struct effect *effect = evaluate(machine, thread, instruction, choice);
        memcpy(results, effect->results, sizeof results);
        if (bytes == 0 && results[0] == 0) {
            step->other = thread_with_number(machine, a)->slot;
        }
        apply(machine, thread, effect, a);
    } else {
        over = take_special(machine, thread, instruction, choice, results, step);
    }
    step->result = results[0];
    if (over && instruction->dst != NO_REGISTER && thread->now.status == THREAD_RUNNING) {
        uint64_t *dst = thread_frame(thread)->registers + instruction->dst;
        memcpy(dst, results, (instruction->sub < 2 ? instruction->sub : 2) * sizeof *dst);
    }
    return over;
}
