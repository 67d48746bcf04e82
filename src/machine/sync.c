/* Operations on threads and synchronisation objects: the machine evaluates their codes (ir/sync.h) in the present state
 * or in a view of it, and applies the evaluation when the step is taken.  Creation, the end of a thread and the bus
 * have no code, but effects.
 *
 * Every operation waits for the own store buffer to be empty (step.c), so it acts on memory directly. */
#include <assert.h>
#include <string.h>

#include "machine/state.h"

const struct instruction last_return = {.op = OP_SYNC, .width = SYNC_THREAD_EXIT};

static uint64_t argument(const struct machine *machine, const struct thread *thread, uint32_t operand) {
    return operand_value(machine, thread_frame(thread), operand);
}

/* --- Effects ---------------------------------------------------------------------------------------------------------
 */

/* Creation, the end of a thread, the bus. */
static void special_effect(const struct thread *thread, unsigned kind, struct effect *effect) {
    struct effect_access access = {.size = 4, .kind = ACCESS_WRITE, .written = {1, 0}};
    effect_clear(effect);
    switch (kind) {
    case SYNC_THREAD_CREATE:
        access.address = record_address(thread_child_number(thread)) + RECORD_CREATED;
        break;
    case SYNC_THREAD_EXIT:
        access.address = record_address(thread->number) + RECORD_RESULT;
        access.size = 8;
        effect_add(effect, &access);
        access.address = record_address(thread->number) + RECORD_ENDED;
        access.size = 4;
        break;
    default:
        access.address = BUS_ADDRESS;
        break;
    }
    effect_add(effect, &access);
}

void sync_evaluate(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect) {
    if (machine->codes[instruction->width].instructions) {
        sync_accesses(machine, thread, instruction, choice, view, effect);
    } else {
        special_effect(thread, instruction->width, effect);
    }
}

#ifndef NDEBUG
/* Has one effect of an operation the same reads as another one, as far as that one has read? */
static bool reads_the_same(const struct effect *one, const struct effect *other) {
    const struct effect_access *ones = one->accesses.data;
    const struct effect_access *others = other->accesses.data;
    bool same = one->accesses.count >= other->accesses.count;
    for (size_t i = 0; i < other->accesses.count && same; i++) {
        same = ones[i].address == others[i].address && ones[i].before[0] == others[i].before[0];
    }
    return same;
}

/* Evaluating an operation again gives the same effect as long as what it has read is the same.  Which thread wakes is
 * known from writes of the object, not from what the operation reads. */
static void check_effect(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    uint64_t a = argument(machine, thread, instruction->a);
    uint64_t b = argument(machine, thread, instruction->b);
    struct effect *known = &thread->known;
    struct effect now;
    effect_init(&now);
    sync_evaluate(machine, thread, instruction, 0, NULL, &now);
    bool comparable = thread->known_at == instruction && thread->known_a == a && thread->known_b == b && !known->bad &&
                      !now.bad && !machine->codes[instruction->width].wakes;
    assert((!comparable || !reads_the_same(&now, known) || effects_equal(&now, known)) &&
           "an effect stays the same (M7)");
    effect_delete(known);
    *known = now;
    thread->known_at = instruction;
    thread->known_a = a;
    thread->known_b = b;
}
#endif

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

bool sync_joins(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    struct effect outcome;
    sync_outcome(machine, thread, instruction, 0, &outcome);
    return outcome.enabled && outcome.results[0] == 0;
}

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    if (!machine->codes[instruction->width].may_choose) {
        return 1;
    }
    struct effect outcome;
    sync_outcome(machine, thread, instruction, 0, &outcome);
    return outcome.choices;
}

bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    if ((sync_table[kind].bytes > 0 || kind == SYNC_BUS_LOCK) && bus_taken(machine, thread)) {
        return false;
    }
    if (!machine->codes[kind].may_wait) {
        return true;
    }
#ifndef NDEBUG
    check_effect(machine, thread, instruction);
#endif
    struct effect outcome;
    sync_outcome(machine, thread, instruction, 0, &outcome);
    return outcome.enabled;
}

void sync_describe(struct machine *machine, const struct thread *thread, const struct instruction *instruction,
                   struct step *step) {
    unsigned kind = instruction->width;
    step->sub = (uint8_t)kind;
    step->atomic = true;
    step->size = sync_table[kind].bytes;
    if (kind == SYNC_THREAD_EXIT) {
        step->address = thread->number;
    } else if (kind == SYNC_BUS_LOCK || kind == SYNC_BUS_UNLOCK) {
        step->address = BUS_ADDRESS;
        step->size = BUS_BYTES;
    } else {
        step->address = argument(machine, thread, instruction->a);
    }
}

void sync_foresee(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct step *step) {
    unsigned kind = instruction->width;
    sync_evaluate(machine, thread, instruction, choice, NULL, &thread->effect);
    step->effect = &thread->effect;
    step->result = step->effect->results[0];
    if ((kind == SYNC_THREAD_JOIN || kind == SYNC_THREAD_TRYJOIN) && step->effect->enabled && step->result == 0) {
        step->other = thread_with_number(machine, step->address)->slot;
    }
}

/* Executes an operation that has no code. */
static void take_special(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                         uint64_t results[2], struct step *step) {
    switch (instruction->width) {
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
        end_thread(machine, thread, argument(machine, thread, instruction->a));
        break;
    }
}

/* If no thread has written the first word of the object, a local or one of the heap, the operation is an error with
 * --check uninit, and otherwise rests on an assumption. */
__attribute__((noinline)) static bool fail_if_new(struct machine *machine, struct thread *thread,
                                                  const struct instruction *instruction) {
    uint64_t address = argument(machine, thread, instruction->a);
    unsigned bytes = sync_table[instruction->width].bytes;
    const struct object *object = object_at(machine, address);
    if (!object || !object->uninitialised || address - object->base >= object->size ||
        bytes > object->size - (address - object->base)) {
        return false;
    }
    if (!object_is_new(object, address, 4)) {
        return false;
    }
    if (!(machine->options.checks & CHECK_FOR_UNINIT)) {
        machine_assume(machine, thread, ASSUMPTION_UNINITIALISED);
        return false;
    }
    char name[128];
    machine_describe(machine, address, 0, name, sizeof name);
    machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_UNINITIALISED,
                 "%s is used, and was never initialised", name);
    return true;
}

/* Reports that an object of the operation does not exist, or that its state does not allow the operation. */
__attribute__((noinline)) static void fail_code(struct machine *machine, struct thread *thread,
                                                const struct instruction *instruction, const struct effect *outcome) {
    char name[128];
    uint64_t a = argument(machine, thread, instruction->a);
    if (outcome->bad) {
        unsigned second = machine->codes[instruction->width].second;
        bool good = memory_check(machine, thread, a, sync_table[instruction->width].bytes, true);
        good = good &&
               (second == 0 || memory_check(machine, thread, argument(machine, thread, instruction->b), second, true));
        if (good) {
            machine_describe(machine, a, 0, name, sizeof name);
            machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_MISUSE,
                         "%s overlaps the mutex that is given with it", name);
        }
    } else {
        machine_describe(machine, a, 0, name, sizeof name);
        machine_fail(machine, thread, thread_user_pos(machine, thread), outcome->error, outcome->text, name);
    }
}

/* Executes an operation that has a code. */
static void take_code(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                      uint64_t choice, uint64_t results[2], struct step *step) {
    struct effect outcome;
#ifndef NDEBUG
    struct effect expected;
    effect_init(&expected);
    sync_evaluate(machine, thread, instruction, choice, NULL, &expected);
#endif
    sync_run(machine, thread, instruction, choice, &outcome, step);
#ifndef NDEBUG
    assert(effect_has_come(machine, &expected) && "a step does what its effect said (M6)");
    effect_delete(&expected);
#endif
    step->changes = outcome.changes;
    memcpy(results, outcome.results, sizeof outcome.results);
    if (outcome.bad || outcome.error != ERROR_NONE) {
        fail_code(machine, thread, instruction, &outcome);
    }
}

void sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step) {
    uint64_t results[2] = {0};
    if (machine->shadows && sync_table[instruction->width].bytes > 0 && fail_if_new(machine, thread, instruction)) {
        return;
    }
    if (machine->codes[instruction->width].instructions) {
        take_code(machine, thread, instruction, choice, results, step);
    } else {
        step->changes = true;
        take_special(machine, thread, instruction, results, step);
    }
    step->result = results[0];
    if (instruction->dst != NO_REGISTER && thread->now.status == THREAD_RUNNING) {
        uint64_t *dst = thread_frame(thread)->registers + instruction->dst;
        memcpy(dst, results, (instruction->sub < 2 ? instruction->sub : 2) * sizeof *dst);
    }
}
