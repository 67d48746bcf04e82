/* Three runs over the execution on a machine of the checker's own: one that shows what each event is, one for each
 * event that is left out, and one in another order. */
#include "explore/check.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explore/race.h"
#include "machine/parts.h"
#include "util/memory.h"
#include "util/range.h"

#define BIT(event) (UINT64_C(1) << (event))
#define WAKE_BASE (UINT64_C(1) << 61) /* addresses of what tells a thread that it was woken */

/* What an event is, as the machine shows it. */
struct seen_event {
    uint32_t thread;
    uint32_t previous; /* a step: the one of its thread before it, or the event that created the thread; or NO_EVENT */
    uint32_t instruction; /* where its thread stood */
    uint32_t barrier;     /* a store into the buffer: how many store barriers came before it */
    bool drain;
    bool section;
    bool fences;         /* waits until the buffer of its thread is empty */
    bool early;          /* a load served by the own buffer */
    bool loads;          /* a load of memory */
    uint64_t serial;     /* a store into the buffer, its drain, the store that has served a load early: its number */
    struct access range; /* what it stores or loads */
    uint32_t access;     /* its accesses of memory in checker.accesses ... */
    uint32_t access_end;
    uint32_t step; /* its steps in checker.steps, one for each transition ... */
    uint32_t step_end;
};

/* An event creates or joins a thread. */
struct thread_tie {
    uint32_t event;
    uint32_t thread;
    bool joins;
};

void checker_init(struct checker *checker, const struct program *program, const struct machine_options *options) {
    *checker = (struct checker){.program = program, .options = *options, .forgotten = NO_EVENT};
    vector_init(&checker->seen, sizeof(struct seen_event));
    vector_init(&checker->accesses, sizeof(struct access));
    vector_init(&checker->steps, sizeof(struct step));
    vector_init(&checker->ties, sizeof(struct thread_tie));
    vector_init(&checker->mismatches, sizeof(struct check_mismatch));
}

void checker_delete(struct checker *checker) {
    if (checker->machine) {
        machine_free(checker->machine);
    }
    vector_delete(&checker->seen);
    vector_delete(&checker->accesses);
    vector_delete(&checker->steps);
    vector_delete(&checker->ties);
    vector_delete(&checker->mismatches);
}

static struct seen_event *seen_at(const struct checker *checker, uint32_t event) {
    return vector_at(&checker->seen, event);
}

static void add_mismatch(struct checker *checker, enum check_invariant invariant, uint32_t later, uint64_t claimed,
                         uint64_t derived) {
    struct check_mismatch mismatch = {
        .invariant = invariant,
        .later = later,
        .thread = later < checker->seen.count ? seen_at(checker, later)->thread : 0,
        .claimed = claimed,
        .derived = derived,
    };
    vector_push(&checker->mismatches, &mismatch);
}

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

/* Does the thread wait, in the middle of an instruction, to be woken? */
static bool waits_to_be_woken(const struct checker *checker, uint32_t thread) {
    struct step next;
    if (!machine_thread_exists(checker->machine, thread) || machine_thread_finished(checker->machine, thread)) {
        return false;
    }
    machine_next(checker->machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &next);
    return next.kind == STEP_SYNC &&
           (next.phase == PHASE_COND_WAITING ||
            (next.phase == PHASE_BARRIER &&
             !machine_is_enabled(checker->machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP})));
}

static void add_access(struct checker *checker, uint64_t address, uint32_t size, bool writes) {
    *(struct access *)vector_grow(&checker->accesses, 1) =
        (struct access){.address = address, .size = size, .writes = writes};
}

/* Takes a transition and adds all its accesses of memory to checker.accesses.  Waking a thread is writing, and waking
 * up reading, a word of that thread. */
static void take_with_accesses(struct checker *checker, const struct chronological *execution,
                               struct transition transition) {
    uint32_t threads = machine_threads(checker->machine);
    uint64_t waiting = 0;
    for (uint32_t t = 0; t < threads && t < 64; t++) {
        waiting |= t != transition.thread && waits_to_be_woken(checker, t) ? BIT(t) : 0;
    }
    machine_take(checker->machine, transition);
    const struct step *step = machine_last(checker->machine);
    struct label label;
    chronological_label(execution, &label, transition, step);
    if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_JOIN && step->result == 0) {
        label_add_join(&label, step);
    }
    assert(label.accesses <= MAX_ACCESSES && "a single transition has few accesses");
    for (uint32_t i = 0; i < label.accesses; i++) {
        add_access(checker, label.access[i].address, label.access[i].size, label.access[i].writes);
    }
    for (uint32_t t = 0; t < threads && t < 64; t++) {
        if ((waiting & BIT(t)) && !waits_to_be_woken(checker, t)) {
            add_access(checker, WAKE_BASE + t, 1, true);
        }
    }
    if (step->kind == STEP_SYNC && step->phase != PHASE_NONE) {
        add_access(checker, WAKE_BASE + transition.thread, 1, false);
    }
}

/* What a transition shows of its event besides. */
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

/* The last step of a thread among the events seen so far, or the event that created it. */
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

/* After the last transition of an event: a section in which its thread waits for ever ends there. */
static void end_section(struct checker *checker, const struct chronological *execution, uint32_t thread) {
    if (machine_in_atomic(checker->machine, thread) && execution->end_sections) {
        machine_fail_section(checker->machine, thread);
    }
}

static void see_event(struct checker *checker, const struct chronological *execution, uint32_t event) {
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
    end_section(checker, execution, thread);
    checker->accesses.count = event == checker->forgotten ? new.access : checker->accesses.count;
    seen_at(checker, event)->access_end = (uint32_t)checker->accesses.count;
    seen_at(checker, event)->step_end = (uint32_t)checker->steps.count;
}

/* The steps that wait at the end of the execution are further entries of checker.seen. */
static void see_waiting(struct checker *checker, const struct chronological *execution) {
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
        for (uint32_t i = 0; i < label.accesses && i < MAX_ACCESSES; i++) {
            add_access(checker, label.access[i].address, label.access[i].size, label.access[i].writes);
        }
        new.access_end = (uint32_t)checker->accesses.count;
        vector_push(&checker->seen, &new);
    }
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

static bool access_overlaps(const struct checker *checker, const struct seen_event *seen, const struct access *other,
                            bool only_writes) {
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        if ((access->writes || !only_writes) && accesses_overlap(access, other)) {
            return true;
        }
    }
    return false;
}

/* Are all threads but one joined, or not created yet, when the event comes? */
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

/* Is there an edge, from one thread to another, by two writes or from a read to a write? */
static bool ordered_by_conflict(const struct checker *checker, uint32_t i, uint32_t j) {
    const struct seen_event *one = seen_at(checker, i);
    const struct seen_event *other = seen_at(checker, j);
    for (uint32_t k = other->access; k < other->access_end; k++) {
        const struct access *access = vector_at(&checker->accesses, k);
        if (access->writes && access_overlaps(checker, one, access, false)) {
            return true;
        }
    }
    return one->early && access_overlaps(checker, other, &one->range, true) && early_store_drained(checker, one, j);
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

/* The last writers, of other threads, of the bytes that the event reads. */
static uint64_t find_sources(const struct checker *checker, uint32_t event) {
    const struct seen_event *seen = seen_at(checker, event);
    uint64_t sources = 0;
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        for (uint64_t byte = 0; byte < access->size && !access->writes; byte++) {
            uint32_t writer = event;
            while (writer > 0 && !writes_byte(checker, seen_at(checker, writer - 1), access->address + byte)) {
                writer--;
            }
            if (writer > 0 && seen_at(checker, writer - 1)->thread != seen->thread) {
                sources |= BIT(writer - 1);
            }
        }
    }
    return sources;
}

static void derive_order(struct checker *checker, const struct chronological *execution) {
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

static bool comes_before(const struct checker *checker, uint32_t earlier, uint32_t later) {
    return checker->before[later] & BIT(earlier);
}

static void check_order(struct checker *checker, const struct chronological *execution) {
    for (uint32_t j = 0; j < execution->events.count; j++) {
        uint64_t claimed = 0;
        for (uint32_t i = 0; i < j; i++) {
            claimed |= happens_before(execution, i, j) ? BIT(i) : 0;
        }
        if (claimed != checker->before[j]) {
            add_mismatch(checker, CHECK_HAPPENS_BEFORE, j, claimed, checker->before[j]);
        }
    }
}

/* --- Races -------------------------------------------------------------------------------------------------------- */

/* Does a step, taken anew, do what it did?  A load may be served early or not; how many readers a lock has is not for
 * its readers to see. */
static bool does_the_same(const struct step *step, const struct step *was) {
    bool same = step->kind == was->kind && step->sub == was->sub && step->phase == was->phase &&
                step->address == was->address && step->size == was->size && step->pos == was->pos &&
                step->result == was->result && step->other == was->other && step->written[0] == was->written[0] &&
                step->written[1] == was->written[1];
    bool reads = step->kind == STEP_LOAD || step->kind == STEP_RMW || step->kind == STEP_CAS;
    return same && (!reads || (step->read[0] == was->read[0] && step->read[1] == was->read[1]));
}

/* Takes the event; false if that is not possible, or shows something else than before. */
static bool repeat_event(struct checker *checker, const struct chronological *execution, uint32_t event) {
    const struct transition *taken = execution->taken.data;
    const struct seen_event *seen = seen_at(checker, event);
    size_t from = chronological_event(execution, event)->taken;
    size_t end = chronological_taken_end(execution, event);
    for (size_t i = from; i < end; i++) {
        if (!machine_is_enabled(checker->machine, taken[i])) {
            return false;
        }
        machine_take(checker->machine, taken[i]);
        if (!does_the_same(machine_last(checker->machine), vector_at(&checker->steps, seen->step + (i - from)))) {
            return false;
        }
    }
    end_section(checker, execution, seen->thread);
    return true;
}

/* Is the thread of an event, or of a step that waits, where it was, and can it go on, in the machine's state? */
static bool can_come(struct checker *checker, const struct chronological *execution, uint32_t later,
                     uint64_t left_out) {
    const struct seen_event *seen = seen_at(checker, later);
    const struct transition *taken = execution->taken.data;
    struct transition step = {.thread = seen->thread, .kind = TRANSITION_STEP};
    if (seen->drain) {
        return machine_is_enabled(checker->machine, taken[chronological_event(execution, later)->taken]);
    }
    if (seen->previous != NO_EVENT && (left_out & BIT(seen->previous))) {
        return false;
    }
    if (machine_thread_instruction(checker->machine, seen->thread) != seen->instruction ||
        !machine_is_enabled(checker->machine, step)) {
        return false;
    }
    if (seen->section || seen->step_end <= seen->step + 1) {
        return true;
    }
    machine_mark mark = machine_set_mark(checker->machine);
    size_t at = chronological_event(execution, later)->taken;
    size_t end = chronological_taken_end(execution, later);
    while (at < end && machine_is_enabled(checker->machine, taken[at])) {
        machine_take(checker->machine, taken[at++]);
    }
    machine_undo(checker->machine, mark);
    return at == end;
}

/* From the state before the first event left out: takes the events between `from` and `to` that do not happen after
 * one left out, and adds those that do.  False if one of them cannot be repeated, which is in *stopped then. */
static bool repeat_without(struct checker *checker, const struct chronological *execution, uint32_t from, uint32_t to,
                           uint64_t *left_out, uint32_t *stopped) {
    for (uint32_t i = from; i < to; i++) {
        if (*left_out & (BIT(i) | checker->before[i])) {
            *left_out |= BIT(i);
        } else if (!repeat_event(checker, execution, i)) {
            *stopped = i;
            return false;
        }
    }
    return true;
}

/* Does one event access what the other accesses? */
static bool touch_the_same(const struct checker *checker, uint32_t one, uint32_t other) {
    const struct seen_event *seen = seen_at(checker, other);
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        if (access_overlaps(checker, seen_at(checker, one), vector_at(&checker->accesses, i), false)) {
            return true;
        }
    }
    return false;
}

static uint64_t claimed_races(const struct chronological *execution, uint32_t event) {
    size_t end =
        event + 1 < execution->events.count ? chronological_event(execution, event + 1)->races : execution->races.count;
    uint64_t races = 0;
    for (size_t i = chronological_event(execution, event)->races; i < end; i++) {
        races |= BIT(*(uint32_t *)vector_at(&execution->races, i));
    }
    return races;
}

static bool has_access(const struct label *label, const struct access *access) {
    for (uint32_t i = 0; i < label->accesses; i++) {
        if (label->access[i].address == access->address && label->access[i].size == access->size &&
            label->access[i].writes == access->writes) {
            return true;
        }
    }
    return false;
}

/* Is this what the transition of a label does in the machine's state? */
static bool is_label_of(struct checker *checker, const struct chronological *execution, const struct label *label) {
    struct transition transition = label->transition;
    struct label now;
    if (!machine_is_enabled(checker->machine, transition) ||
        (label->ways > 0 && label->ways != machine_choices(checker->machine, transition.thread))) {
        return false;
    }
    machine_mark mark = machine_set_mark(checker->machine);
    machine_take(checker->machine, transition);
    chronological_label(execution, &now, transition, machine_last(checker->machine));
    machine_undo(checker->machine, mark);
    bool same = now.accesses == label->accesses && now.early == label->early;
    for (uint32_t i = 0; i < label->accesses && i < MAX_ACCESSES && same; i++) {
        same = has_access(&now, &label->access[i]);
    }
    return same;
}

/* The machine is in the state in which the later event comes without the earlier: does `explore` know what it does
 * there? */
static void check_reversed(struct checker *checker, const struct chronological *execution, uint32_t earlier,
                           uint32_t later) {
    struct turned turned[2];
    if (seen_at(checker, later)->section || !(claimed_races(execution, later) & BIT(earlier))) {
        return;
    }
    size_t count = race_turn(execution, earlier, later, turned);
    for (size_t i = 0; i < count; i++) {
        if (!is_label_of(checker, execution, &turned[i].label)) {
            add_mismatch(checker, CHECK_REVERSED, later, BIT(earlier), 0);
        }
    }
}

/* The machine is in the state before `earlier`, and is again afterwards: finds what can come without it, and what would
 * be next but is not enabled. */
static void leave_out(struct checker *checker, const struct chronological *execution, uint32_t earlier) {
    uint32_t events = (uint32_t)execution->events.count;
    uint64_t left_out = BIT(earlier);
    uint32_t stopped;
    machine_mark mark = machine_set_mark(checker->machine);
    for (uint32_t later = earlier + 1; later < checker->seen.count; later++) {
        const struct seen_event *seen = seen_at(checker, later);
        bool after = later >= events || comes_before(checker, earlier, later);
        if (after && seen->thread != seen_at(checker, earlier)->thread &&
            (seen->previous == NO_EVENT || !(left_out & BIT(seen->previous)))) {
            bool can = can_come(checker, execution, later, left_out);
            *(can ? &checker->races[later] : &checker->disabled[later]) |= BIT(earlier);
            if (can && later < events) {
                check_reversed(checker, execution, earlier, later);
            }
        }
        if (later < events && !repeat_without(checker, execution, later, later + 1, &left_out, &stopped)) {
            add_mismatch(checker, CHECK_INDEPENDENT, stopped, BIT(earlier), 0);
            break;
        }
    }
    machine_undo(checker->machine, mark);
}

/* Can the event come, from the beginning, without these and all that happens after them, which is added? */
static bool can_come_without(struct checker *checker, const struct chronological *execution, uint32_t later,
                             uint64_t *left_out) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t stopped;
    bool can = repeat_without(checker, execution, 0, later < events ? later : events, left_out, &stopped) &&
               can_come(checker, execution, later, *left_out);
    machine_undo(checker->machine, checker->start);
    return can;
}

/* The smallest sets without which an event can come. */
struct smallest_sets {
    uint64_t sets[CHECK_SETS];
    uint32_t count;
};

/* Adds a set unless it has one of them as a part; false if there are too many. */
static bool add_smallest(struct smallest_sets *smallest, uint64_t set) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < smallest->count; i++) {
        if ((smallest->sets[i] & ~set) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < smallest->count; i++) {
        if (set & ~smallest->sets[i]) {
            smallest->sets[kept++] = smallest->sets[i];
        }
    }
    smallest->count = kept;
    if (kept == CHECK_SETS) {
        return false;
    }
    smallest->sets[smallest->count++] = set;
    return true;
}

/* The event is not enabled without `earlier` alone: tries all sets of events, the first of which is `earlier`, that
 * access what it reads.  `single` are those events that it can come without, one at a time.  False if there are too
 * many. */
static bool leave_out_several(struct checker *checker, const struct chronological *execution, uint32_t earlier,
                              uint32_t later, uint64_t single, struct smallest_sets *smallest) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t others[CHECK_WRITERS];
    uint32_t count = 0;
    for (uint32_t i = earlier + 1; i < events && i < later; i++) {
        if (touch_the_same(checker, i, later) && !comes_before(checker, earlier, i) &&
            seen_at(checker, i)->thread != seen_at(checker, later)->thread) {
            if (count == CHECK_WRITERS) {
                return false;
            }
            others[count++] = i;
        }
    }
    for (uint32_t subset = 1; subset < 1u << count; subset++) {
        uint64_t set = BIT(earlier);
        for (uint32_t i = 0; i < count; i++) {
            set |= subset >> i & 1 ? BIT(others[i]) : 0;
        }
        bool can = can_come_without(checker, execution, later, &set);
        if (can && !(set & single) && !add_smallest(smallest, set)) {
            return false;
        }
    }
    return true;
}

/* Adds the races of an event that can come only without several others. */
static bool add_races_with_several(struct checker *checker, const struct chronological *execution, uint32_t later) {
    struct smallest_sets smallest = {.count = 0};
    uint64_t single = checker->races[later];
    for (uint32_t i = 0; i < CHECK_EVENTS; i++) {
        if ((checker->disabled[later] & BIT(i)) && touch_the_same(checker, i, later) &&
            !leave_out_several(checker, execution, i, later, single, &smallest)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < smallest.count; i++) {
        checker->races[later] |= smallest.sets[i] & -smallest.sets[i]; /* the first of the set */
    }
    return true;
}

/* The events of a set that happen before no other one of it. */
static uint64_t latest(const struct checker *checker, uint64_t set) {
    uint64_t result = set;
    for (uint32_t i = 0; i < CHECK_EVENTS; i++) {
        result &= set & BIT(i) ? ~checker->before[i] : UINT64_MAX;
    }
    return result;
}

/* The races that `explore` has for a thread that waits at the end. */
static uint64_t claimed_waiting_races(struct chronological *execution, uint32_t thread) {
    size_t undone = execution->undone.count;
    struct label label;
    uint32_t last[3];
    uint64_t races = 0;
    uint32_t signal = chronological_signal_race(execution, thread, &label, &last[0], &last[1]);
    races |= signal != NO_EVENT ? BIT(signal) : 0;
    size_t count = chronological_blocked_races(execution, thread, &label, &last[0], &last[1], &last[2]);
    for (size_t i = 0; i < count; i++) {
        races |= BIT(*(uint32_t *)vector_at(&execution->found, i));
    }
    execution->undone.count = undone;
    return races;
}

static void check_races(struct checker *checker, struct chronological *execution) {
    uint32_t events = (uint32_t)execution->events.count;
    memset(checker->races, 0, sizeof checker->races);
    memset(checker->disabled, 0, sizeof checker->disabled);
    for (uint32_t earlier = 0; earlier < events; earlier++) {
        leave_out(checker, execution, earlier);
        if (!repeat_event(checker, execution, earlier)) {
            add_mismatch(checker, CHECK_STATE, earlier, 0, 0);
            return;
        }
    }
    machine_undo(checker->machine, checker->start);
    for (uint32_t later = 0; later < checker->seen.count; later++) {
        uint64_t claimed = later < events ? claimed_races(execution, later)
                                          : claimed_waiting_races(execution, seen_at(checker, later)->thread);
        if (!add_races_with_several(checker, execution, later)) {
            continue;
        }
        uint64_t races = latest(checker, checker->races[later]);
        if (races & ~claimed) {
            add_mismatch(checker, CHECK_RACES_COMPLETE, later, claimed, races);
        }
        if (claimed & ~races) {
            add_mismatch(checker, CHECK_RACES_SOUND, later, claimed, races);
        }
    }
}

/* --- States ------------------------------------------------------------------------------------------------------- */

/* The events in another order: of those that can come next, the one that came last. */
static bool repeat_reordered(struct checker *checker, const struct chronological *execution, uint32_t *stopped) {
    uint32_t events = (uint32_t)execution->events.count;
    uint64_t taken = 0;
    for (uint32_t count = 0; count < events; count++) {
        uint32_t next = events - 1;
        while ((taken & BIT(next)) || (checker->before[next] & ~taken)) {
            next--;
        }
        taken |= BIT(next);
        if (!repeat_event(checker, execution, next)) {
            *stopped = next;
            return false;
        }
    }
    return true;
}

/* The bytes of a state: all but whether memory has changed since a round of a waiting loop began, which is no part of a
 * trace and disables nothing here. */
static size_t write_state(struct machine *machine, uint8_t **bytes, size_t *capacity) {
    size_t size = machine_serialise_shared(machine, bytes, capacity);
    uint8_t *part = NULL;
    size_t part_capacity = 0;
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        size_t more =
            machine_thread_exists(machine, t) ? machine_part_key(machine, t, false, &part, &part_capacity) : 0;
        if (size + more > *capacity) {
            *capacity = 2 * (size + more);
            *bytes = memory_resize(*bytes, *capacity);
        }
        if (more > 0) {
            memcpy(*bytes + size, part, more);
        }
        size += more;
    }
    free(part);
    return size;
}

static bool states_equal(struct machine *one, struct machine *other) {
    uint8_t *bytes[2] = {NULL, NULL};
    size_t capacity[2] = {0, 0};
    size_t size = write_state(one, &bytes[0], &capacity[0]);
    bool equal = write_state(other, &bytes[1], &capacity[1]) == size && memcmp(bytes[0], bytes[1], size) == 0 &&
                 machine_exited(one) == machine_exited(other);
    free(bytes[0]);
    free(bytes[1]);
    return equal;
}

static void check_states(struct checker *checker, const struct chronological *execution) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t stopped = events;
    bool repeated = repeat_reordered(checker, execution, &stopped);
    machine_outcome(checker->machine);
    if (!repeated || !states_equal(checker->machine, execution->machine)) {
        add_mismatch(checker, CHECK_ORDER, stopped, 0, 0);
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

size_t checker_run(struct checker *checker, struct chronological *execution) {
    uint32_t events = (uint32_t)execution->events.count;
    checker->mismatches.count = 0;
    if (events == 0 || events > CHECK_EVENTS) {
        return 0;
    }
    if (!checker->machine) {
        checker->machine = machine_new(checker->program, &checker->options);
        checker->start = machine_set_mark(checker->machine);
    }
    checker->seen.count = checker->accesses.count = checker->steps.count = checker->ties.count = 0;
    for (uint32_t i = 0; i < events; i++) {
        see_event(checker, execution, i);
    }
    see_waiting(checker, execution);
    machine_outcome(checker->machine); /* which marks a thread that waits as having met an error */
    if (!states_equal(checker->machine, execution->machine)) {
        add_mismatch(checker, CHECK_STATE, events, 0, 0);
    }
    machine_undo(checker->machine, checker->start);
    derive_order(checker, execution);
    check_order(checker, execution);
    check_races(checker, execution);
    check_states(checker, execution);
    machine_undo(checker->machine, checker->start);
    return checker->mismatches.count;
}

static void print_set(uint64_t set, FILE *file) {
    const char *separator = "";
    fprintf(file, "{");
    for (uint32_t i = 0; i < 64; i++) {
        if (set & BIT(i)) {
            fprintf(file, "%s%u", separator, i);
            separator = ", ";
        }
    }
    fprintf(file, "}");
}

static void print_event(const struct checker *checker, const struct chronological *execution, uint32_t event,
                        FILE *file) {
    static const char *const kinds[] = {"load",
                                        "store",
                                        "read-modify-write",
                                        "compare-and-swap",
                                        "fence",
                                        "drain",
                                        "free",
                                        "leave",
                                        "",
                                        "atomic section",
                                        "",
                                        "choice",
                                        "malloc",
                                        "exit",
                                        "halt",
                                        "end"};
    const struct seen_event *seen = seen_at(checker, event);
    bool waits = event >= execution->events.count;
    uint32_t pos =
        waits ? machine_thread_pos(execution->machine, seen->thread) : chronological_event(execution, event)->pos;
    const struct step *step = waits ? NULL : vector_at(&checker->steps, seen->step);
    fprintf(file, "  %3u  thread %s, line %u: %s", event, machine_thread_name(execution->machine, seen->thread),
            checker->program->positions[pos].line,
            waits                     ? "waits"
            : step->kind == STEP_SYNC ? sync_names[step->sub]
                                      : kinds[step->kind]);
    if (!waits) {
        fprintf(file, "%s%s", seen->early ? " (early)" : "",
                chronological_event(execution, event)->trails ? " (trails)" : "");
    }
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        fprintf(file, "%s %s %" PRIx64 "+%u", i > seen->access ? "," : ":", access->writes ? "writes" : "reads",
                access->address, access->size);
    }
    if (!waits) {
        fprintf(file, "; after ");
        print_set(checker->before[event], file);
    }
    fprintf(file, "\n");
}

void checker_print(const struct checker *checker, const struct chronological *execution, FILE *file) {
    static const char *const names[] = {
        [CHECK_HAPPENS_BEFORE] = "the clocks hold exactly the happens-before relation",
        [CHECK_RACES_COMPLETE] = "every race is among those that explore has",
        [CHECK_RACES_SOUND] = "every race that explore has is one",
        [CHECK_INDEPENDENT] = "what does not happen after an event can come without it and does the same",
        [CHECK_ORDER] = "every order that happens-before allows leads to the same state",
        [CHECK_STATE] = "the machine is in the state to which the events lead",
        [CHECK_REVERSED] = "the later event of a race does without the earlier what explore says",
    };
    for (size_t i = 0; i < checker->mismatches.count; i++) {
        const struct check_mismatch *mismatch = vector_at(&checker->mismatches, i);
        fprintf(file, "invariant X%d is broken (%s): ", (int)mismatch->invariant, names[mismatch->invariant]);
        if (mismatch->later >= execution->events.count && mismatch->later >= checker->seen.count) {
            fprintf(file, "at the end");
        } else {
            fprintf(file, "event %u", mismatch->later);
        }
        fprintf(file, ", explore has ");
        print_set(mismatch->claimed, file);
        fprintf(file, ", derived ");
        print_set(mismatch->derived, file);
        fprintf(file, "\n");
    }
    fprintf(file, "the execution, under %s:\n", model_names[machine_model(execution->machine)]);
    for (uint32_t i = 0; i < checker->seen.count; i++) {
        print_event(checker, execution, i, file);
    }
}
