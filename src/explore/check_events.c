/* The events of an execution, their accesses, and the happens-before relation between them, pair by pair from the
 * definition in check.h. */
#include "explore/check_events.h"

#include <assert.h>

#include "util/range.h"

/* --- What the events are ------------------------------------------------------------------------------------------ */

/* Does the step wait until the buffer of its thread is empty? */
static bool step_fences(const struct step *step) {
    switch (step->kind) {
    case STEP_LOAD:
    case STEP_STORE:
    case STEP_FREE:
    case STEP_LEAVE:
    case STEP_DRAIN:
    case STEP_NONDET:
    case STEP_MALLOC:
        return false;
    default:
        return true;
    }
}

static void add_accesses(struct checker *checker, const struct label *label) {
    for (uint32_t i = 0; i < label->accesses; i++) {
        vector_push(&checker->accesses, label_access(label, i));
    }
}

/* Takes a transition and adds all its accesses to memory and to records of threads to checker.accesses. */
static void take_with_accesses(struct checker *checker, struct chronological *execution, struct transition transition) {
    machine_look(checker->machine, transition);
    machine_take(checker->machine, transition);
    struct label label;
    chronological_label(execution, &label, transition, machine_last(checker->machine));
    add_accesses(checker, &label);
}

/* Sets the other fields of an event from a transition. */
static void see_step(struct checker *checker, bool buffered, uint32_t event, const struct step *step) {
    struct seen_event *seen = seen_at(checker, event);
    bool stores = step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE;
    seen->fences |= step_fences(step);
    if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_CREATE) {
        struct thread_tie tie = {.event = event, .thread = (uint32_t)step->other};
        vector_push(&checker->ties, &tie);
    }
    if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_JOIN && step->result == 0) {
        struct thread_tie tie = {.event = event, .thread = (uint32_t)step->other, .joins = true};
        vector_push(&checker->ties, &tie);
    }
    if (seen->section || !buffered) {
        return;
    }
    if (step->kind == STEP_LOAD) {
        seen->early = step->forwarded;
        seen->loads = !step->forwarded;
        seen->serial = step->forwarded ? step->serial : 0;
        seen->range = (struct access){.address = step->address, .size = step->size};
    } else if (step->kind == STEP_DRAIN || stores) {
        const struct buffer_entry *entries;
        size_t count = machine_buffer(checker->machine, seen->thread, &entries);
        bool end = step->kind == STEP_FREE || step->kind == STEP_LEAVE || step->ends_object;
        seen->serial = step->serial;
        seen->range = (struct access){.address = step->address, .size = (uint32_t)(end ? step->other : step->size)};
        seen->barrier = stores && count > 0 ? entries[count - 1].barrier : 0;
    }
}

/* The last step of a thread among the events so far, or the event that created it. */
static uint32_t last_step(const struct checker *checker, uint32_t thread) {
    for (size_t i = checker->seen.count; i-- > 0;) {
        const struct seen_event *seen = seen_at(checker, (uint32_t)i);
        if (seen->thread == thread && !seen->drain) {
            return (uint32_t)i;
        }
    }
    for (size_t i = checker->ties.count; i-- > 0;) {
        const struct thread_tie *tie = vector_at(&checker->ties, i);
        if (tie->thread == thread && !tie->joins) {
            return tie->event;
        }
    }
    return NO_EVENT;
}

void checker_end_section(struct checker *checker, struct chronological *execution, uint32_t thread) {
    if (machine_in_atomic(checker->machine, thread) && execution->end_sections) {
        machine_fail_section(checker->machine, thread);
    }
}

static void see_event(struct checker *checker, struct chronological *execution, uint32_t event) {
    const struct transition *taken = execution->taken.data;
    size_t from = chronological_event(execution, event)->taken;
    size_t end = chronological_taken_end(execution, event);
    uint32_t thread = taken[from].thread;
    struct step first;
    machine_next(checker->machine, taken[from], &first);
    struct seen_event new = {
        .thread = thread,
        .previous = taken[from].kind == TRANSITION_DRAIN ? NO_EVENT : last_step(checker, thread),
        .instruction = machine_thread_instruction(checker->machine, thread),
        .drain = taken[from].kind == TRANSITION_DRAIN,
        .section = first.kind == STEP_ATOMIC_BEGIN,
        .access = (uint32_t)checker->accesses.count,
        .step = (uint32_t)checker->steps.count,
    };
    vector_push(&checker->seen, &new);
    for (size_t i = from; i < end; i++) {
        take_with_accesses(checker, execution, taken[i]);
        struct step step = *machine_last(checker->machine);
        vector_push(&checker->steps, &step);
        see_step(checker, execution->buffered, event, &step);
    }
    if (machine_in_atomic(checker->machine, thread)) { /* it is blocked there */
        struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
        struct step step;
        struct label label;
        machine_next(checker->machine, transition, &step);
        chronological_label(execution, &label, transition, &step);
        add_accesses(checker, &label);
    }
    checker_end_section(checker, execution, thread);
    checker->accesses.count = event == checker->forgotten ? new.access : checker->accesses.count;
    seen_at(checker, event)->access_end = (uint32_t)checker->accesses.count;
    seen_at(checker, event)->step_end = (uint32_t)checker->steps.count;
}

/* Appends the steps that are blocked at the end of the execution to checker.seen. */
static void see_waiting(struct checker *checker, struct chronological *execution) {
    const struct transition *enabled;
    uint32_t threads = machine_threads(checker->machine);
    if (execution->bus || machine_enabled(checker->machine, &enabled) > 0) {
        return;
    }
    for (uint32_t t = 0; t < threads && checker->seen.count < 2 * CHECK_EVENTS; t++) {
        struct transition transition = {.thread = t, .kind = TRANSITION_STEP};
        struct step step;
        struct label label;
        if (!machine_thread_exists(checker->machine, t) || !machine_thread_waits(checker->machine, t)) {
            continue;
        }
        machine_next(checker->machine, transition, &step);
        chronological_label(execution, &label, transition, &step);
        struct seen_event new = {
            .thread = t,
            .previous = last_step(checker, t),
            .instruction = machine_thread_instruction(checker->machine, t),
            .access = (uint32_t)checker->accesses.count,
        };
        add_accesses(checker, &label);
        new.access_end = (uint32_t)checker->accesses.count;
        vector_push(&checker->seen, &new);
    }
}

void checker_see(struct checker *checker, struct chronological *execution) {
    checker->seen.count = checker->accesses.count = checker->steps.count = checker->ties.count = 0;
    for (uint32_t i = 0; i < execution->events.count; i++) {
        see_event(checker, execution, i);
    }
    see_waiting(checker, execution);
}

/* --- Happens-before ----------------------------------------------------------------------------------------------- */

static bool writes_byte(const struct checker *checker, const struct seen_event *seen, uint64_t address) {
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        if (access->writes && ranges_overlap(access->address, access->size, address, 1)) {
            return true;
        }
    }
    return false;
}

static bool adds_to_byte(const struct checker *checker, const struct seen_event *seen, uint64_t address) {
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        if (access->adds && ranges_overlap(access->address, access->size, address, 1)) {
            return true;
        }
    }
    return false;
}

bool seen_overlaps(const struct checker *checker, const struct seen_event *seen, const struct access *other,
                   bool only_writes) {
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        if ((access_changes(access) || !only_writes) && accesses_overlap(access, other)) {
            return true;
        }
    }
    return false;
}

/* Are all threads but one joined, or not created yet, at the event? */
static bool comes_alone(const struct checker *checker, uint32_t event) {
    int others = 0;
    for (size_t i = 0; i < checker->ties.count; i++) {
        const struct thread_tie *tie = vector_at(&checker->ties, i);
        if (tie->event < event) {
            others += tie->joins ? -1 : 1;
        }
    }
    return others == 0;
}

static bool covers(const struct access *store, const struct access *load) {
    return store->address <= load->address && load->address + load->size <= store->address + store->size;
}

/* Did the load have to wait for this drain of its own thread? */
static bool load_waited_for(const struct checker *checker, uint32_t drain, uint32_t load) {
    const struct seen_event *update = seen_at(checker, drain);
    const struct seen_event *reader = seen_at(checker, load);
    if (!accesses_overlap(&update->range, &reader->range)) {
        return false;
    }
    for (uint32_t i = 0; i < load; i++) {
        const struct seen_event *store = seen_at(checker, i);
        if (store->thread == reader->thread && !store->drain && !store->early && store->serial >= update->serial &&
            covers(&store->range, &reader->range)) {
            return false;
        }
    }
    return true;
}

/* Is there an edge within a thread? */
static bool ordered_in_thread(const struct checker *checker, bool fifo, uint32_t i, uint32_t j) {
    const struct seen_event *one = seen_at(checker, i);
    const struct seen_event *other = seen_at(checker, j);
    if (!one->drain && !other->drain) {
        return true;
    }
    if (!one->drain) {
        return !one->early && one->serial != 0 && one->serial == other->serial;
    }
    if (comes_alone(checker, j)) {
        return true;
    }
    if (!other->drain) {
        return other->fences || (other->loads && load_waited_for(checker, i, j));
    }
    if (fifo || accesses_overlap(&one->range, &other->range)) {
        return true;
    }
    uint32_t barriers[2] = {0, 0};
    for (uint32_t k = 0; k < j; k++) {
        const struct seen_event *store = seen_at(checker, k);
        if (store->thread == one->thread && !store->drain && !store->early && store->serial != 0) {
            barriers[0] = store->serial == one->serial ? store->barrier : barriers[0];
            barriers[1] = store->serial == other->serial ? store->barrier : barriers[1];
        }
    }
    return barriers[0] < barriers[1];
}

/* Has the store that served the load early been drained before the event? */
static bool early_store_drained(const struct checker *checker, const struct seen_event *load, uint32_t event) {
    for (uint32_t i = 0; i < event; i++) {
        const struct seen_event *drain = seen_at(checker, i);
        if (drain->drain && drain->thread == load->thread && drain->serial == load->serial) {
            return true;
        }
    }
    return false;
}

/* Does the event write or read what the access adds to? */
static bool touches_added(const struct checker *checker, const struct seen_event *seen, const struct access *add) {
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        if (!access->adds && accesses_overlap(access, add)) {
            return true;
        }
    }
    return false;
}

/* Is there an edge, from one thread to another, by two writes or from a read to a write?  An add counts as a write, but
 * two adds do not conflict. */
static bool ordered_by_conflict(const struct checker *checker, uint32_t i, uint32_t j) {
    const struct seen_event *one = seen_at(checker, i);
    const struct seen_event *other = seen_at(checker, j);
    for (uint32_t k = other->access; k < other->access_end; k++) {
        const struct access *access = vector_at(&checker->accesses, k);
        if ((access->writes && seen_overlaps(checker, one, access, false)) ||
            (access->adds && touches_added(checker, one, access))) {
            return true;
        }
    }
    return one->early && seen_overlaps(checker, other, &one->range, true) && early_store_drained(checker, one, j);
}

static bool ordered_by_threads(const struct checker *checker, uint32_t i, uint32_t j) {
    for (size_t k = 0; k < checker->ties.count; k++) {
        const struct thread_tie *tie = vector_at(&checker->ties, k);
        if ((!tie->joins && tie->event == i && seen_at(checker, j)->thread == tie->thread) ||
            (tie->joins && tie->event == j && seen_at(checker, i)->thread == tie->thread &&
             !seen_at(checker, i)->drain)) {
            return true;
        }
    }
    return false;
}

/* The last writers, of other threads, of the bytes that the event reads, and the events that have added to them
 * since. */
static uint64_t find_sources(const struct checker *checker, uint32_t event) {
    const struct seen_event *seen = seen_at(checker, event);
    uint64_t sources = 0;
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        for (uint64_t byte = 0; byte < access->size && !access_changes(access); byte++) {
            uint32_t writer = event;
            while (writer > 0 && !writes_byte(checker, seen_at(checker, writer - 1), access->address + byte)) {
                writer--;
                if (seen_at(checker, writer)->thread != seen->thread && writer != event &&
                    adds_to_byte(checker, seen_at(checker, writer), access->address + byte)) {
                    sources |= BIT(writer);
                }
            }
            if (writer > 0 && seen_at(checker, writer - 1)->thread != seen->thread) {
                sources |= BIT(writer - 1);
            }
        }
    }
    return sources;
}

void checker_derive_order(struct checker *checker, struct chronological *execution) {
    for (uint32_t j = 0; j < execution->events.count; j++) {
        uint64_t direct = find_sources(checker, j);
        for (uint32_t i = 0; i < j; i++) {
            bool same = seen_at(checker, i)->thread == seen_at(checker, j)->thread;
            bool edge = same ? ordered_in_thread(checker, execution->fifo, i, j)
                             : ordered_by_conflict(checker, i, j) || ordered_by_threads(checker, i, j);
            direct |= edge ? BIT(i) : 0;
        }
        checker->before[j] = direct;
        for (uint32_t i = 0; i < j; i++) {
            checker->before[j] |= direct & BIT(i) ? checker->before[i] : 0;
        }
    }
}
