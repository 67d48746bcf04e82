/* The checker repeats the execution on a machine of its own: once to see what each event is, once without each event,
 * and once in another order. */
#include "explore/check.h"

#include <stdlib.h>
#include <string.h>

#include "explore/check_events.h"
#include "explore/race.h"
#include "machine/parts.h"
#include "util/memory.h"

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

/* --- Happens-before ----------------------------------------------------------------------------------------------- */

static void check_order(struct checker *checker, struct chronological *execution) {
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

/* Does a repeated step do the same?  A load may be served early or not; a reader of a lock does not see the number of
 * its readers. */
static bool does_the_same(const struct step *step, const struct step *was) {
    bool same = step->kind == was->kind && step->sub == was->sub && step->address == was->address &&
                step->size == was->size && step->pos == was->pos && step->result == was->result &&
                step->other == was->other && step->written[0] == was->written[0] && step->written[1] == was->written[1];
    bool reads = step->kind == STEP_LOAD || step->kind == STEP_RMW || step->kind == STEP_CAS;
    return same && (!reads || (step->read[0] == was->read[0] && step->read[1] == was->read[1]));
}

/* Takes the event; false if that is not possible, or if the event does something else. */
static bool repeat_event(struct checker *checker, struct chronological *execution, uint32_t event) {
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
    checker_end_section(checker, execution, seen->thread);
    return true;
}

/* In the machine's state, is the thread of an event, or of a step that is blocked at the end, where it was, and can it
 * step? */
static bool can_come(struct checker *checker, struct chronological *execution, uint32_t later, uint64_t left_out) {
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

/* From the state before the first event left out, takes the events between `from` and `to` that do not happen after one
 * left out, and adds the others to those left out.  False if one cannot be repeated; *stopped is its index. */
static bool repeat_without(struct checker *checker, struct chronological *execution, uint32_t from, uint32_t to,
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
        if (seen_overlaps(checker, seen_at(checker, one), vector_at(&checker->accesses, i), false)) {
            return true;
        }
    }
    return false;
}

static uint64_t claimed_races(struct chronological *execution, uint32_t event) {
    size_t end =
        event + 1 < execution->events.count ? chronological_event(execution, event + 1)->races : execution->races.count;
    uint64_t races = 0;
    for (size_t i = chronological_event(execution, event)->races; i < end; i++) {
        races |= BIT(((struct race *)vector_at(&execution->races, i))->event);
    }
    return races;
}

static bool has_access(const struct label *label, const struct access *access) {
    for (uint32_t i = 0; i < label->accesses; i++) {
        const struct access *other = label_access(label, i);
        if (other->address == access->address && other->size == access->size && other->writes == access->writes &&
            other->adds == access->adds) {
            return true;
        }
    }
    return false;
}

/* Are these the accesses that the transition of a label makes in the machine's state? */
static bool is_label_of(struct checker *checker, struct chronological *execution, const struct label *label) {
    struct transition transition = label->transition;
    struct label now;
    if (!machine_is_enabled(checker->machine, transition) ||
        (label->choices > 0 && label->choices != machine_choices(checker->machine, transition.thread))) {
        return false;
    }
    machine_mark mark = machine_set_mark(checker->machine);
    machine_look(checker->machine, transition);
    machine_take(checker->machine, transition);
    chronological_label(execution, &now, transition, machine_last(checker->machine));
    machine_undo(checker->machine, mark);
    bool same = now.accesses == label->accesses && now.early == label->early;
    for (uint32_t i = 0; i < label->accesses && same; i++) {
        same = has_access(&now, label_access(label, i));
    }
    return same;
}

/* The machine is in the state in which the later event comes without the earlier one: is its label, as `explore` has
 * it, right? */
static void check_reversed(struct checker *checker, struct chronological *execution, uint32_t earlier, uint32_t later) {
    size_t end =
        later + 1 < execution->events.count ? chronological_event(execution, later + 1)->races : execution->races.count;
    for (size_t i = seen_at(checker, later)->section ? end : chronological_event(execution, later)->races; i < end;
         i++) {
        const struct race *race = vector_at(&execution->races, i);
        for (uint32_t k = 0; k < race_alternatives(race) && race->event == earlier; k++) {
            struct reversal reversal;
            race_reverse(execution, race, k, later, &reversal);
            if (!is_label_of(checker, execution, &reversal.label)) {
                add_mismatch(checker, CHECK_REVERSED, later, BIT(earlier), 0);
            }
        }
    }
}

/* Finds the events that can come without `earlier`, and those that would be next but are not enabled.  The machine is
 * in the state before `earlier`, and is there again afterwards. */
static void leave_out(struct checker *checker, struct chronological *execution, uint32_t earlier) {
    uint32_t events = (uint32_t)execution->events.count;
    uint64_t left_out = BIT(earlier);
    uint32_t stopped;
    machine_mark mark = machine_set_mark(checker->machine);
    for (uint32_t later = earlier + 1; later < checker->seen.count; later++) {
        const struct seen_event *seen = seen_at(checker, later);
        bool after = later >= events || seen_before(checker, earlier, later);
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

/* Can the event come, from the beginning, without these events and all that happen after them?  Adds the latter to the
 * set. */
static bool can_come_without(struct checker *checker, struct chronological *execution, uint32_t later,
                             uint64_t *left_out) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t stopped;
    bool can = repeat_without(checker, execution, 0, later < events ? later : events, left_out, &stopped) &&
               can_come(checker, execution, later, *left_out);
    machine_undo(checker->machine, checker->start);
    return can;
}

/* The minimal sets without which an event can come. */
struct smallest_sets {
    uint64_t sets[CHECK_SETS];
    uint32_t count;
};

/* Adds a set unless one of the sets is a subset of it; false if there are too many. */
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

/* The event is not enabled without `earlier` alone: tries all sets of events, with `earlier` as first one, that access
 * what the event reads.  `single` are the events without which, one at a time, it can come.  False if there are too
 * many. */
static bool leave_out_several(struct checker *checker, struct chronological *execution, uint32_t earlier,
                              uint32_t later, uint64_t single, struct smallest_sets *smallest) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t others[CHECK_WRITERS];
    uint32_t count = 0;
    for (uint32_t i = earlier + 1; i < events && i < later; i++) {
        if (touch_the_same(checker, i, later) && !seen_before(checker, earlier, i) &&
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
static bool add_races_with_several(struct checker *checker, struct chronological *execution, uint32_t later) {
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

/* Can the event come without the earlier one of a race and the writes that `explore` leaves out with it? */
static void check_left_out(struct checker *checker, struct chronological *execution, uint32_t earlier, uint32_t later) {
    uint32_t events = (uint32_t)execution->events.count;
    uint64_t left_out = BIT(earlier);
    for (size_t i = 0; i < execution->undone.count; i++) {
        const struct undone_write *undone = vector_at(&execution->undone, i);
        if (undone->waiting == (later < events ? later : events) && undone->earlier == earlier) {
            left_out |= BIT(undone->write);
        }
    }
    if (!can_come_without(checker, execution, later, &left_out)) {
        add_mismatch(checker, CHECK_LEFT_OUT, later, BIT(earlier), left_out);
    }
}

static uint64_t check_claimed(struct checker *checker, struct chronological *execution, uint32_t later) {
    uint64_t races = claimed_races(execution, later);
    for (uint32_t i = 0; i < CHECK_EVENTS; i++) {
        if (races & BIT(i)) {
            check_left_out(checker, execution, i, later);
        }
    }
    return races;
}

/* The same for a thread that is blocked at the end. */
static uint64_t check_claimed_waiting(struct checker *checker, struct chronological *execution, uint32_t later) {
    size_t undone = execution->undone.count;
    uint32_t thread = seen_at(checker, later)->thread;
    struct label label;
    size_t reversed = execution->reversed.count;
    uint32_t last[2];
    uint64_t races = 0;
    size_t count = chronological_blocked_races(execution, thread, &label, &last[0], &last[1]);
    for (size_t i = 0; i < count; i++) {
        uint32_t earlier = ((struct race *)vector_at(&execution->found, i))->event;
        check_left_out(checker, execution, earlier, later);
        races |= BIT(earlier);
    }
    execution->undone.count = undone;
    execution->reversed.count = reversed;
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
        uint64_t claimed = later < events ? check_claimed(checker, execution, later)
                                          : check_claimed_waiting(checker, execution, later);
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

/* Takes the events in another order: always that one of the possible next events which came last in the execution. */
static bool repeat_reordered(struct checker *checker, struct chronological *execution, uint32_t *stopped) {
    uint32_t events = (uint32_t)execution->events.count;
    uint64_t taken = 0;
    for (uint32_t count = 0; count < events; count++) {
        uint32_t next = events - 1;
        while (next > 0 && ((taken & BIT(next)) || (checker->before[next] & ~taken))) {
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

/* The bytes of a state, except for whether memory has changed since an iteration of a waiting loop began: that is not
 * part of a trace, and disables nothing here. */
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

static void check_states(struct checker *checker, struct chronological *execution) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t stopped = events;
    /* After an error the order may decide which thread reports it: the last one at a goal; or a store into an object
     * that ends, which may fail itself or when it drains. */
    if (machine_errors(execution->machine) > 0) {
        return;
    }
    bool repeated = repeat_reordered(checker, execution, &stopped);
    machine_outcome(checker->machine);
    if (!repeated || !states_equal(checker->machine, execution->machine)) {
        add_mismatch(checker, CHECK_ORDER, stopped, 0, 0);
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

/* Is a thread blocked in an atomic section?  machine_outcome has said so. */
static bool ends_in_section(const struct chronological *execution) {
    return machine_errors(execution->machine) > 0 && machine_error(execution->machine)->kind == ERROR_ATOMIC_BLOCKED;
}

size_t checker_run(struct checker *checker, struct chronological *execution) {
    uint32_t events = (uint32_t)execution->events.count;
    checker->mismatches.count = 0;
    if (events == 0 || events > CHECK_EVENTS || ends_in_section(execution)) {
        return 0;
    }
    if (!checker->machine) {
        checker->machine = machine_new(checker->program, &checker->options);
        checker->start = machine_set_mark(checker->machine);
    }
    checker_see(checker, execution);
    machine_outcome(checker->machine); /* marks a blocked thread as having made an error */
    if (!states_equal(checker->machine, execution->machine)) {
        add_mismatch(checker, CHECK_STATE, events, 0, 0);
    }
    machine_undo(checker->machine, checker->start);
    checker_derive_order(checker, execution);
    check_order(checker, execution);
    check_races(checker, execution);
    check_states(checker, execution);
    machine_undo(checker->machine, checker->start);
    return checker->mismatches.count;
}
