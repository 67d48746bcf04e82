/* The walk, and the races of maximal executions. */
#include "explore/worker.h"
#include "explore/bus.h"

#include <assert.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explore/finding.h"
#include "explore/invariants.h"
#include "util/range.h"

#define MAX_PAUSE_NS 1000000
#define TURNS_PER_LOOK 64
#define LONG_BUFFER 32

void worker_init(struct worker *worker, struct exploration *exploration, uint32_t number, struct verdict *verdict) {
    struct machine_options options = exploration->task->machine;
    options.awaits = options.awaits == AWAIT_TWICE ? AWAIT_TWICE : AWAIT_BLOCK;
    options.run_on = true;
    options.run_past_errors = true;
    options.end_sections = true;
    options.check_races = false; /* which needs no state in which both can come next */
    options.slots = &exploration->slots;
    worker->exploration = exploration;
    worker->number = number;
    worker->verdict = verdict;
    worker->machine = machine_new(exploration->task->program, &options);
    chronological_init(&worker->chronological, worker->machine);
    chronological_settle(&worker->chronological, exploration->task->maximal == NULL);
    worker->chronological.end_sections = exploration->task->maximal == NULL;
    worker->chronological.picks = &exploration->picks;
    worker->chronological.notes_failed = exploration->task->maximal && options.awaits == AWAIT_BLOCK;
    worker->pool.free = NO_NODE;
    vector_init(&worker->stack, sizeof(struct place));
    vector_init(&worker->sleep, sizeof(struct sleeper));
    vector_init(&worker->asleep, sizeof(struct sleeper));
    vector_init(&worker->path, sizeof(uint32_t));
    sequence_init(&worker->sequence, &worker->chronological);
    outline_init(&worker->outline, &worker->chronological);
    rehearsal_init(&worker->rehearsal, exploration->task->program, &options);
    checker_init(&worker->checker, exploration->task->program, &options);
    trace_init(&worker->trace, exploration->task->program);
    visited_init(&worker->traces);
    visited_init(&worker->blocked_traces);
    if (exploration->task->collect == COLLECT_TRACES) {
        worker->chronological.trace = &worker->trace;
    }
}

void worker_delete(struct worker *worker) {
    trace_delete(&worker->trace);
    visited_delete(&worker->traces);
    visited_delete(&worker->blocked_traces);
    sequence_delete(&worker->sequence);
    outline_delete(&worker->outline);
    rehearsal_delete(&worker->rehearsal);
    checker_delete(&worker->checker);
    chronological_delete(&worker->chronological);
    machine_free(worker->machine);
    vector_delete(&worker->stack);
    vector_delete(&worker->sleep);
    vector_delete(&worker->asleep);
    vector_delete(&worker->path);
}

static struct place *place_at(const struct worker *worker, size_t index) {
    return vector_at(&worker->stack, index);
}

static struct place *top_place(const struct worker *worker) {
    return place_at(worker, worker->stack.count - 1);
}

static const struct event *newest_event(const struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    return chronological_event(chronological, chronological_newest(chronological));
}

/* The node of a place on the way.  Most places of an execution never need one: it is made when it is asked for. */
static uint32_t node_at(struct worker *worker, size_t index) {
    size_t first = index;
    while (place_at(worker, first)->node == NO_NODE) {
        first--;
    }
    for (; first < index; first++) {
        const struct label *label =
            &chronological_event(&worker->chronological, place_at(worker, first + 1)->event)->label;
        place_at(worker, first + 1)->node =
            tree_add_running(&worker->exploration->tree, &worker->pool, place_at(worker, first)->node, label);
    }
    return place_at(worker, index)->node;
}

/* --- Turning races around ----------------------------------------------------------------------------------------- */

static bool is_child(const struct worker *worker, uint32_t parent, struct transition transition) {
    const struct tree *tree = &worker->exploration->tree;
    tree_lock(tree, parent);
    uint32_t child = tree_at(tree, parent)->child;
    while (child != NO_NODE && !transitions_equal(tree_at(tree, child)->label.transition, transition)) {
        child = tree_at(tree, child)->next;
    }
    tree_unlock(tree, parent);
    return child != NO_NODE;
}

/* Source-DPOR: one transition that can come first, unless one is a child already. */
static void add_initial(struct worker *worker, uint32_t node) {
    struct tree *tree = &worker->exploration->tree;
    const struct sequence *sequence = &worker->sequence;
    const struct label *chosen = NULL;
    for (size_t i = 0; i < sequence->elements.count; i++) {
        size_t place;
        const struct label *label = sequence_label(sequence, i);
        if (!sequence_weak_initial(sequence, label, &place) || place != i) {
            continue;
        }
        if (is_child(worker, node, label->transition)) {
            return;
        }
        chosen = chosen ? chosen : label;
    }
    if (chosen) {
        tree_add(tree, &worker->pool, node, chosen);
    }
}

/* Does the happens-before relation show that the turned race is covered by something asleep or in the tree? */
static bool is_covered(struct worker *worker, uint32_t earlier, const struct turned *turned) {
    const struct tree *tree = &worker->exploration->tree;
    uint32_t before = chronological_event(&worker->chronological, earlier)->place;
    const struct place *place = place_at(worker, before);
    const struct place *next = place_at(worker, before + 1);
    if (!outline_make(&worker->outline, earlier, turned)) {
        return false;
    }
    bool open = false;
    for (size_t i = place->sleep_first; i < next->sleep_first; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        enum initial initial = outline_initial(&worker->outline, tree_at(tree, sleeper->node)->label.transition, false);
        if (initial == INITIAL_YES) {
            return true;
        }
        open = open || initial == INITIAL_OPEN;
    }
    return !open && !worker->exploration->source && next->node != NO_NODE &&
           tree_covers(tree, place->node, next->node, &worker->outline);
}

/* Inserts the worker's sequence unless something asleep covers it. */
static void insert_sequence(struct worker *worker, uint32_t earlier) {
    struct tree *tree = &worker->exploration->tree;
    uint32_t before = chronological_event(&worker->chronological, earlier)->place;
    const struct place *place = place_at(worker, before);
    const struct place *next = place_at(worker, before + 1);
    worker->asleep.count = 0;
    for (size_t i = place->sleep_first; i < next->sleep_first; i++) {
        size_t found;
        struct label scratch;
        struct sleeper sleeper = *(struct sleeper *)vector_at(&worker->sleep, i);
        const struct label *label = sleeper_label(tree, sleeper, &scratch);
        if (sequence_weak_initial(&worker->sequence, label, &found) &&
            (!worker->exploration->source || found < worker->sequence.elements.count)) {
            sleeper.open = found == worker->sequence.elements.count && sequence_leaves_open(&worker->sequence, label);
            if (!sleeper.open || tree_goes_all_ways(tree, &worker->asleep, label, &worker->exploration->picks)) {
                return;
            }
        }
        vector_push(&worker->asleep, &sleeper);
    }
    uint32_t from = node_at(worker, before + 1);
    if (worker->exploration->source) {
        add_initial(worker, place->node);
    } else {
        tree_insert(tree, &worker->pool, place->node, from, &worker->sequence, &worker->asleep);
    }
}

static void turn_race(struct worker *worker, uint32_t earlier, const struct turned *turned) {
    if (is_covered(worker, earlier, turned)) {
        return;
    }
    sequence_make(&worker->sequence, earlier, turned);
    bool more = rehearsal_first(&worker->rehearsal, &worker->sequence);
    insert_sequence(worker, earlier);
    while (more) {
        sequence_make(&worker->sequence, earlier, turned);
        more = rehearsal_next(&worker->rehearsal, &worker->sequence);
        if (more) {
            insert_sequence(worker, earlier);
        }
    }
}

static void turn_pending(struct worker *worker, uint32_t thread) {
    struct chronological *chronological = &worker->chronological;
    size_t undone = chronological->undone.count;
    size_t reversed = chronological->reversed.count;
    struct turned turned = {.index = (uint32_t)chronological->events.count, .waits = true};
    size_t races =
        chronological_blocked_races(chronological, thread, &turned.label, &turned.last_step, &turned.last_drain);
    for (size_t i = 0; i < races; i++) {
        struct race race = *(struct race *)vector_at(&chronological->found, i);
        for (uint32_t k = 0; k < race.labels; k++) {
            turned.label = *(struct label *)vector_at(&chronological->reversed, race.first + k);
            turn_race(worker, race.event, &turned);
        }
    }
    chronological->undone.count = undone;
    chronological->reversed.count = reversed;
}

/* Does the thread stand at a step that has to wait until its own buffer drains?  At the end of an execution that was
 * stopped because the drain is asleep. */
static bool waits_for_drain(struct worker *worker, uint32_t thread) {
    const struct buffer_entry *entries;
    struct step step;
    size_t count = machine_buffer(worker->machine, thread, &entries);
    machine_next(worker->machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &step);
    for (size_t i = 0; i < count; i++) {
        if (step.kind != STEP_LOAD || ranges_overlap(entries[i].address, entries[i].size, step.address, step.size)) {
            return true;
        }
    }
    return false;
}

/* Somebody holds the bus for ever, and others wait for it. */
static void turn_bus(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t lock = bus_held_by(chronological);
    for (uint32_t thread = 0; lock != NO_EVENT && thread < machine_threads(worker->machine); thread++) {
        struct turned turned;
        size_t next = 0;
        while (machine_thread_exists(worker->machine, thread) &&
               thread != chronological_event(chronological, lock)->label.transition.thread &&
               bus_find_waiting(chronological, thread, &next, &turned)) {
            if (!event_follows(chronological, turned.last_step, lock) &&
                !event_follows(chronological, turned.last_drain, lock)) {
                turn_race(worker, lock, &turned);
            }
        }
    }
}

/* May the event touch something else when an earlier one of a race is gone? */
static bool may_change(const struct worker *worker, const struct event *event) {
    return event->kind == STEP_CAS || event->kind == STEP_SYNC ||
           (event->kind == STEP_ATOMIC_BEGIN && worker->rehearsal.needed);
}

/* Turns the races of an event around; if it is `known`, from an earlier execution with the same beginning, only those
 * in which it touches something else then: what comes behind it may depend on that. */
static void turn_races_of(struct worker *worker, uint32_t later, bool known) {
    struct chronological *chronological = &worker->chronological;
    const struct event *event = chronological_event(chronological, later);
    size_t end = later + 1 < chronological->events.count ? chronological_event(chronological, later + 1)->races
                                                         : chronological->races.count;
    for (size_t i = event->races; i < end; i++) {
        struct race race = *(struct race *)vector_at(&chronological->races, i);
        for (uint32_t k = 0; k < race_alternatives(&race); k++) {
            struct turned turned;
            race_turn(chronological, &race, k, later, &turned);
            turned.changes |= event->kind == STEP_ATOMIC_BEGIN && worker->rehearsal.needed;
            if (!known || turned.changes) {
                turn_race(worker, race.event, &turned);
            }
        }
    }
}

static void turn_all_races(struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
#ifndef NDEBUG
    worker_check(worker);
#endif
    bool all = chronological->needs_old || worker->rehearsal.needed;
    for (uint32_t later = all ? 0 : worker->turned_until; later < chronological->events.count; later++) {
        bool known = later < worker->turned_until;
        if (!known || may_change(worker, chronological_event(chronological, later))) {
            turn_races_of(worker, later, known);
        }
    }
    for (uint32_t thread = 0; thread < machine_threads(worker->machine); thread++) {
        if (machine_thread_waits(worker->machine, thread) && !waits_for_drain(worker, thread)) {
            turn_pending(worker, thread);
        }
    }
    turn_bus(worker);
}

/* --- The walk ----------------------------------------------------------------------------------------------------- */

/* A new state: what was asleep and does not depend on the last event still is. */
static void push_place(struct worker *worker, uint32_t node) {
    const struct chronological *chronological = &worker->chronological;
    const struct tree *tree = &worker->exploration->tree;
    size_t from = worker->stack.count > 0 ? top_place(worker)->sleep_first : 0;
    size_t to = worker->sleep.count;
    for (size_t i = from; i < to; i++) {
        const struct event *event = newest_event(worker);
        struct sleeper sleeper = *(struct sleeper *)vector_at(&worker->sleep, i);
        struct label scratch;
        const struct label *asleep = sleeper_label(tree, sleeper, &scratch);
        if (labels_independent(asleep, &event->label, chronological->fifo)) {
            sleeper.passed = sleeper.passed || label_serves(&event->label, asleep);
            *(struct sleeper *)vector_room(&worker->sleep) = sleeper;
        }
    }
    assert(worker->stack.count == chronological->scheduled && "W2: a state for every event that was scheduled");
    uint32_t event = worker->stack.count > 0 ? chronological_newest(chronological) : NO_EVENT;
    *(struct place *)vector_room(&worker->stack) = (struct place){
        .mark = machine_set_mark(worker->machine),
        .sleep_first = to,
        .event = event,
        .node = node,
        .slept = NO_NODE,
    };
}

static bool is_asleep(const struct worker *worker, struct transition transition) {
    const struct tree *tree = &worker->exploration->tree;
    for (size_t i = top_place(worker)->sleep_first; i < worker->sleep.count; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        if (transitions_equal(tree_at(tree, sleeper->node)->label.transition, transition)) {
            return true;
        }
    }
    return false;
}

/* The children of the top node before `node` sleep while that is explored.  One that another worker has just taken has
 * its label in a moment; false if somebody says stop meanwhile. */
static bool put_to_sleep(struct worker *worker, uint32_t node) {
    struct tree *tree = &worker->exploration->tree;
    struct place *place = top_place(worker);
    tree_lock(tree, place->node);
    uint32_t child = place->slept == NO_NODE ? tree_at(tree, place->node)->child : tree_at(tree, place->slept)->next;
    while (child != node) {
        if (atomic_load(&tree_at(tree, child)->state) == NODE_TAKEN) {
            tree_unlock(tree, place->node);
            sched_yield();
            if (atomic_load(&worker->exploration->stop)) {
                return false;
            }
            tree_lock(tree, place->node);
            continue;
        }
        struct sleeper sleeper = {.node = child};
        vector_push(&worker->sleep, &sleeper);
        place->slept = child;
        child = tree_at(tree, child)->next;
    }
    tree_unlock(tree, place->node);
    return true;
}

/* A step has too many ways to go. */
static void refuse(struct worker *worker, uint32_t pos) {
    worker->refused = true;
    worker->refused_pos = pos;
    atomic_store(&worker->exploration->stop, true);
}

/* A step with several ways to go: all but the one that is taken now go into the tree.  Not if it is part of a sequence
 * that was turned around: then the others were tried where it was taken first, and their own races lead here if need
 * be. */
static void branch_choices(struct worker *worker, uint32_t node, bool guided) {
    struct tree *tree = &worker->exploration->tree;
    struct transition taken = tree_at(tree, node)->label.transition;
    if (guided) {
        return;
    }
    uint64_t choices = taken.kind == TRANSITION_STEP ? machine_choices(worker->machine, taken.thread) : 1;
    if (choices == 1) {
        return;
    }
    if (choices > MAX_CHOICES) {
        refuse(worker, machine_thread_pos(worker->machine, taken.thread));
        return;
    }
    uint32_t parent = top_place(worker)->node;
    for (uint64_t choice = 0; choice < choices; choice++) {
        struct transition other = {.thread = taken.thread, .kind = TRANSITION_STEP, .choice = choice};
        if (choice != taken.choice && !is_asleep(worker, other) && !is_child(worker, parent, other)) {
            struct step step;
            struct label label;
            machine_next(worker->machine, other, &step);
            chronological_label(&worker->chronological, &label, other, &step);
            label.ways = (uint32_t)choices;
            tree_add(tree, &worker->pool, parent, &label);
        }
    }
}

static struct vector copy_numbers(const struct vector *numbers) {
    struct vector copy;
    vector_init(&copy, sizeof(uint32_t));
    if (numbers->count > 0) {
        memcpy(vector_grow(&copy, numbers->count), numbers->data, numbers->count * sizeof(uint32_t));
    }
    return copy;
}

/* An atomic section with choices is taken with this choice.  All alternatives with the same first picks, `given` of
 * them, are added to the tree, except `taken`.  What they touch is found by taking them. */
static void branch_section(struct worker *worker, struct transition section, uint64_t taken, size_t given) {
    struct chronological *chronological = &worker->chronological;
    uint32_t parent = top_place(worker)->node;
    chronological_add(chronological, section);
    struct label label = newest_event(worker)->label;
    struct vector picks = copy_numbers(&chronological->picked);
    struct vector ways = copy_numbers(&chronological->section_ways);
    chronological_pop(chronological);
    machine_undo(worker->machine, top_place(worker)->mark);
    if (label.transition.choice != taken && !is_asleep(worker, label.transition) &&
        !is_child(worker, parent, label.transition)) {
        tree_add(&worker->exploration->tree, &worker->pool, parent, &label);
    }
    for (; picks.count > given && !chronological->too_many_ways; picks.count--) {
        uint32_t *pick = vector_at(&picks, picks.count - 1);
        uint32_t end = *(uint32_t *)vector_at(&ways, picks.count - 1);
        for (*pick = 1; *pick < end && !chronological->too_many_ways; ++*pick) {
            section.choice = picks_number(chronological->picks, &picks);
            branch_section(worker, section, taken, picks.count);
        }
    }
    vector_delete(&picks);
    vector_delete(&ways);
}

/* The newest event is an atomic section with choices that nobody has told the worker to take. */
static void branch_newest_section(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    struct transition taken = newest_event(worker)->label.transition;
    struct transition first = {.thread = taken.thread, .kind = TRANSITION_STEP};
    chronological_pop(chronological);
    machine_undo(worker->machine, top_place(worker)->mark);
    branch_section(worker, first, taken.choice, 0);
    chronological_add(chronological, taken);
}

/* The newest event was made, and leads to a node; so many errors had been met before. */
static void arrive(struct worker *worker, uint32_t node, uint32_t errors) {
    push_place(worker, node);
    if (machine_errors(worker->machine) > errors) {
        finding_error(worker);
    }
    finding_races(worker, false);
}

/* Makes the event of a taken child of the top node. */
static void descend(struct worker *worker, uint32_t node, bool guided) {
    struct tree *tree = &worker->exploration->tree;
    struct chronological *chronological = &worker->chronological;
    struct transition transition = tree_at(tree, node)->label.transition;
    uint32_t errors = machine_errors(worker->machine);
    branch_choices(worker, node, guided);
    chronological_add(chronological, transition);
    assert((!guided || transitions_equal(newest_event(worker)->label.transition, transition)) &&
           "W4: a section picks what was foreseen");
    if (!guided && newest_event(worker)->kind == STEP_ATOMIC_BEGIN && newest_event(worker)->chooses) {
        branch_newest_section(worker);
    }
    if (chronological->too_many_ways) {
        refuse(worker, chronological->too_many_pos);
    }
    tree_begin(tree, node, &newest_event(worker)->label);
    arrive(worker, node, errors);
}

/* Takes a transition that nobody has told the worker to take; its place has no node yet. */
static void descend_freely(struct worker *worker, struct transition transition) {
    uint32_t errors = machine_errors(worker->machine);
    assert(!is_asleep(worker, transition) && "W1: nothing asleep is taken");
    chronological_add(&worker->chronological, transition);
    arrive(worker, NO_NODE, errors);
}

/* Goes back one event, and on to the last place with a node: at one that was left freely nothing else is to be done. */
static void ascend(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    while (--worker->stack.count > 0) {
        chronological_pop(chronological);
        if (top_place(worker)->node != NO_NODE) {
            break;
        }
    }
    worker->sleep.count = place_at(worker, worker->stack.count)->sleep_first;
    if (worker->stack.count > 0) {
        worker->turned_until = (uint32_t)chronological->events.count;
        machine_undo(worker->machine, top_place(worker)->mark);
    }
}

/* Of the section that the transition is, the way behind this one. */
static bool next_way_of_section(struct worker *worker, struct transition *transition) {
    struct chronological *chronological = &worker->chronological;
    const struct vector *ways = &chronological->section_ways;
    struct vector *picked = &chronological->picked;
    chronological_add(chronological, *transition);
    chronological_pop(chronological);
    machine_undo(worker->machine, top_place(worker)->mark);
    while (picked->count > 0) {
        uint32_t *last = vector_at(picked, picked->count - 1);
        if (++*last < *(uint32_t *)vector_at(ways, picked->count - 1)) {
            transition->choice = picks_number(chronological->picks, picked);
            return true;
        }
        picked->count--;
    }
    return false;
}

/* The way behind this one for the same step to go. */
static bool next_way(struct worker *worker, struct transition *transition) {
    struct step step;
    machine_next(worker->machine, *transition, &step);
    return step.kind == STEP_ATOMIC_BEGIN ? next_way_of_section(worker, transition)
                                          : ++transition->choice < machine_choices(worker->machine, transition->thread);
}

/* Is the transition enabled, and no way for it to go asleep? */
static bool is_awake(struct worker *worker, struct transition transition) {
    const struct tree *tree = &worker->exploration->tree;
    bool step = transition.kind == TRANSITION_STEP;
    bool awake = machine_is_enabled(worker->machine, transition);
    for (size_t i = top_place(worker)->sleep_first; i < worker->sleep.count && awake; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        struct transition asleep = tree_at(tree, sleeper->node)->label.transition;
        awake = asleep.thread != transition.thread || asleep.kind != transition.kind ||
                (!step && asleep.choice != transition.choice);
    }
    return awake;
}

static bool find_awake_of(struct worker *worker, uint32_t thread, struct transition *found) {
    const struct buffer_entry *entries;
    struct transition step = {.thread = thread, .kind = TRANSITION_STEP};
    size_t count = worker->chronological.buffered ? machine_buffer(worker->machine, thread, &entries) : 0;
    *found = step;
    if (count < LONG_BUFFER && is_awake(worker, step)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        *found = (struct transition){.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[i].serial};
        if (is_awake(worker, *found)) {
            return true;
        }
    }
    *found = step;
    return count >= LONG_BUFFER && is_awake(worker, step);
}

/* Some enabled step of which not all ways to go are asleep; the way that is not. */
static bool find_awake_way(struct worker *worker, struct transition *found) {
    uint32_t threads = worker->chronological.may_choose ? machine_threads(worker->machine) : 0;
    for (uint32_t i = 0; i < threads; i++) {
        *found = (struct transition){.thread = i, .kind = TRANSITION_STEP};
        bool awake = machine_is_enabled(worker->machine, *found);
        while (awake && is_asleep(worker, *found)) {
            awake = next_way(worker, found);
        }
        if (awake) {
            return true;
        }
    }
    return false;
}

/* Some enabled transition that is not asleep: of the thread that ran last if it has one, and a step rather than a
 * drain, unless much waits to drain.  So a thread is mostly done with before the next one begins, and little is left to
 * do behind a race.  A step that goes only some of its ways comes last: the others are asleep and may yet be woken. */
static bool find_awake(struct worker *worker, struct transition *found) {
    if (worker->chronological.events.count > 0 &&
        find_awake_of(worker, newest_event(worker)->label.transition.thread, found)) {
        return true;
    }
    uint32_t threads = machine_threads(worker->machine);
    for (uint32_t thread = machine_first_active(worker->machine, 0); thread < threads;
         thread = machine_first_active(worker->machine, thread + 1)) {
        if (find_awake_of(worker, thread, found)) {
            return true;
        }
    }
    return find_awake_way(worker, found);
}

/* Nobody says where to go: true if a transition was taken. */
static bool go_on_freely(struct worker *worker) {
    struct transition any;
    top_place(worker)->went_on = true;
    if (find_awake(worker, &any)) {
        if (worker->chronological.may_choose) {
            uint32_t node = node_at(worker, worker->stack.count - 1);
            descend(worker, tree_add_free(&worker->exploration->tree, &worker->pool, node, any), false);
        } else {
            descend_freely(worker, any);
        }
        return true;
    }
    enum outcome outcome = machine_outcome(worker->machine);
    if (outcome == OUTCOME_RUNNING) {
        worker->verdict->redundant++;
        if (worker->exploration->source) {
            turn_all_races(worker);
        }
    } else if (finding_end(worker, outcome)) {
        turn_all_races(worker);
    }
    return false;
}

/* For an assertion: of a section the choice is not the machine's. */
__attribute__((unused)) static bool can_be_taken(struct worker *worker, struct transition transition) {
    struct step step;
    machine_next(worker->machine, transition, &step);
    transition.choice = step.kind == STEP_ATOMIC_BEGIN ? 0 : transition.choice;
    return machine_is_enabled(worker->machine, transition);
}

/* Goes one event down or up. */
static void advance(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    if (top_place(worker)->node == NO_NODE && !top_place(worker)->went_on && go_on_freely(worker)) {
        return;
    }
    uint32_t node = top_place(worker)->node;
    if (node == NO_NODE) {
        ascend(worker);
        return;
    }
    uint32_t taken = tree_take(tree, node);
    if (taken != NO_NODE) {
        if (!put_to_sleep(worker, taken)) {
            return;
        }
        if (is_asleep(worker, tree_at(tree, taken)->label.transition)) {
            tree_skip(tree, &worker->pool, taken);
        } else {
            assert(can_be_taken(worker, tree_at(tree, taken)->label.transition) && "W4: what wakes up can be taken");
            descend(worker, taken, true);
        }
    } else if (tree_at(tree, node)->child != NO_NODE || top_place(worker)->went_on || !go_on_freely(worker)) {
        if (tree_leave(tree, &worker->pool, node)) {
            ascend(worker);
        }
    }
}

/* Makes its way from the root to a node that it has taken. */
static void follow_path(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    push_place(worker, tree->root);
    for (size_t i = 1; i < worker->path.count; i++) {
        uint32_t node = *(uint32_t *)vector_at(&worker->path, i);
        if (!put_to_sleep(worker, node)) {
            return;
        }
        if (i + 1 == worker->path.count) {
            if (is_asleep(worker, tree_at(tree, node)->label.transition)) {
                tree_skip(tree, &worker->pool, node);
            } else {
                /* Another way for a step to go may be taken while the execution that goes the first one is not at its
                 * end yet, where the races before that step are turned around. */
                bool early = tree_at(tree, node)->label.ways > 1;
                worker->turned_until = early ? 0 : (uint32_t)worker->chronological.events.count;
                descend(worker, node, true);
            }
            return;
        }
        chronological_add(&worker->chronological, tree_at(tree, node)->label.transition);
        if (atomic_load(&worker->exploration->stop)) {
            return;
        }
        push_place(worker, node);
    }
}

/* --- Many workers ------------------------------------------------------------------------------------------------- */

/* How much of the tree is explored, as far as it is known: each child of a node counts alike. */
static double explored_part(const struct worker *worker) {
    const struct tree *tree = &worker->exploration->tree;
    double part = 0;
    double weight = 1;
    for (size_t i = 0; i + 1 < worker->stack.count && place_at(worker, i + 1)->node != NO_NODE; i++) {
        uint32_t below = place_at(worker, i + 1)->node;
        unsigned children = 0;
        unsigned before = 0;
        tree_lock(tree, place_at(worker, i)->node);
        for (uint32_t child = tree_at(tree, place_at(worker, i)->node)->child; child != NO_NODE;
             child = tree_at(tree, child)->next) {
            before = child == below ? children : before;
            children++;
        }
        tree_unlock(tree, place_at(worker, i)->node);
        part += weight * before / children;
        weight /= children;
    }
    return part;
}

static void show_progress(const struct worker *worker) {
    const struct exploration *exploration = worker->exploration;
    struct progress *progress = exploration->task->progress;
    uint64_t traces = 0;
    uint64_t blocked = 0;
    for (uint32_t i = 0; i < exploration->workers_count; i++) {
        traces += *(volatile uint64_t *)&exploration->workers[i].verdict->traces;
        blocked += *(volatile uint64_t *)&exploration->workers[i].verdict->blocked;
    }
    double seconds = progress->last - progress->start;
    double part = explored_part(worker);
    progress_show(progress,
                  "%" PRIu64 " traces, %" PRIu64 " blocked, %.0f a second; about %.0f%% explored, %.0f s left", traces,
                  blocked, (double)(traces + blocked) / seconds, part * 100, part > 0 ? seconds / part - seconds : 0);
}

/* The first worker looks at the limits now and then. */
static bool is_told_to_stop(struct worker *worker) {
    struct exploration *exploration = worker->exploration;
    if (worker->number == 0 && ++worker->turns % TURNS_PER_LOOK == 0) {
        if (limits_reached(exploration->task->limits)) {
            atomic_store(&exploration->stop, true);
        }
        if (progress_due(exploration->task->progress)) {
            show_progress(worker);
        }
    }
    return atomic_load_explicit(&exploration->stop, memory_order_relaxed);
}

static void pause_for(long nanoseconds) {
    struct timespec time = {.tv_nsec = nanoseconds};
    nanosleep(&time, NULL);
}

void worker_run(struct worker *worker) {
    struct exploration *exploration = worker->exploration;
    struct tree *tree = &exploration->tree;
    long pause = 1000;
    if (worker->number == 0) {
        push_place(worker, tree->root);
        if (machine_errors(worker->machine) > 0) {
            finding_error(worker); /* before the first step */
        }
    }
    while (!is_told_to_stop(worker)) {
        if (worker->stack.count > 0) {
            advance(worker);
        } else if (tree_done(tree)) {
            break;
        } else if (tree_steal(tree, &worker->pool, &worker->path)) {
            follow_path(worker);
            pause = 1000;
        } else {
            pause_for(pause);
            pause = pause < MAX_PAUSE_NS ? pause * 2 : pause;
        }
    }
}
