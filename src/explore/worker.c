/* The search, and the races of maximal executions. */
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
#define ITERATIONS_PER_CHECK 64
#define FEW_STEPS 20 /* that part of the greatest number */
#define LONG_BUFFER 32

void worker_init(struct worker *worker, struct exploration *exploration, uint32_t number, struct verdict *verdict) {
    struct machine_options options = exploration->task->machine;
    options.awaits = options.awaits == AWAIT_TWICE ? AWAIT_TWICE : AWAIT_BLOCK;
    options.run_on = true;
    options.run_past_errors = true;
    options.end_sections = true;
    options.checks &=
        ~(uint32_t)CHECK_FOR_RACES; /* races are found without states in which both accesses can come next */
    options.slots = &exploration->slots;
    options.lives = exploration->options->maximal ? NULL : &worker->chronological.noted;
    worker->exploration = exploration;
    worker->number = number;
    worker->verdict = verdict;
    worker->machine = machine_new(exploration->task->program, &options);
    chronological_init(&worker->chronological, worker->machine);
    chronological_settle(&worker->chronological, exploration->options->maximal == NULL);
    worker->chronological.end_sections = exploration->options->maximal == NULL;
    worker->chronological.picks = &exploration->picks;
    worker->chronological.notes_failed = exploration->options->maximal && options.awaits == AWAIT_BLOCK;
    worker->pool.free = NO_NODE;
    vector_init(&worker->stack, sizeof(struct stack_entry));
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

static struct stack_entry *entry_at(const struct worker *worker, size_t index) {
    return vector_at(&worker->stack, index);
}

static struct stack_entry *top_entry(const struct worker *worker) {
    return entry_at(worker, worker->stack.count - 1);
}

static const struct event *newest_event(const struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    return chronological_event(chronological, chronological_newest(chronological));
}

/* The node of a state.  Most states of an execution never need one, so it is made on demand. */
static uint32_t node_at(struct worker *worker, size_t index) {
    size_t first = index;
    while (entry_at(worker, first)->node == NO_NODE) {
        first--;
    }
    for (; first < index; first++) {
        const struct label *label =
            &chronological_event(&worker->chronological, entry_at(worker, first + 1)->event)->label;
        entry_at(worker, first + 1)->node =
            tree_add_running(&worker->exploration->tree, &worker->pool, entry_at(worker, first)->node, label);
    }
    return entry_at(worker, index)->node;
}

/* --- Reversing races ---------------------------------------------------------------------------------------------- */

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

/* Source-DPOR: adds an initial transition of the sequence, unless one is a child already. */
static void add_initial(struct worker *worker, uint32_t node) {
    struct tree *tree = &worker->exploration->tree;
    const struct sequence *sequence = &worker->sequence;
    const struct label *chosen = NULL;
    for (size_t i = 0; i < sequence->elements.count; i++) {
        size_t index;
        const struct label *label = sequence_label(sequence, i);
        if (!sequence_weak_initial(sequence, label, &index) || index != i) {
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

/* Does the happens-before relation show that the sleep set or the tree covers the reversed race? */
static bool is_covered(struct worker *worker, uint32_t earlier, const struct reversal *reversal) {
    const struct tree *tree = &worker->exploration->tree;
    uint32_t before = chronological_event(&worker->chronological, earlier)->position;
    const struct stack_entry *entry = entry_at(worker, before);
    const struct stack_entry *next = entry_at(worker, before + 1);
    if (!outline_make(&worker->outline, earlier, reversal)) {
        return false;
    }
    bool open = false;
    for (size_t i = entry->sleep_first; i < next->sleep_first; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        enum initial initial = outline_initial(&worker->outline, tree_at(tree, sleeper->node)->label.transition, false);
        if (initial == INITIAL_YES) {
            return true;
        }
        open = open || initial == INITIAL_OPEN;
    }
    return !open && !worker->exploration->source && next->node != NO_NODE &&
           tree_covers(tree, entry->node, next->node, &worker->outline);
}

/* Inserts the worker's sequence unless the sleep set covers it. */
static void insert_sequence(struct worker *worker, uint32_t earlier) {
    struct tree *tree = &worker->exploration->tree;
    uint32_t before = chronological_event(&worker->chronological, earlier)->position;
    const struct stack_entry *entry = entry_at(worker, before);
    const struct stack_entry *next = entry_at(worker, before + 1);
    worker->asleep.count = 0;
    for (size_t i = entry->sleep_first; i < next->sleep_first; i++) {
        size_t found;
        struct label scratch;
        struct sleeper sleeper = *(struct sleeper *)vector_at(&worker->sleep, i);
        const struct label *label = sleeper_label(tree, sleeper, &scratch);
        if (sequence_weak_initial(&worker->sequence, label, &found) &&
            (!worker->exploration->source || found < worker->sequence.elements.count)) {
            sleeper.open = found == worker->sequence.elements.count && sequence_leaves_open(&worker->sequence, label);
            if (!sleeper.open || tree_covers_all_choices(tree, &worker->asleep, label, &worker->exploration->picks)) {
                return;
            }
        }
        vector_push(&worker->asleep, &sleeper);
    }
    uint32_t from = node_at(worker, before + 1);
    if (worker->exploration->source) {
        add_initial(worker, entry->node);
    } else {
        tree_insert(tree, &worker->pool, entry->node, from, &worker->sequence, &worker->asleep);
    }
}

static void reverse_race(struct worker *worker, uint32_t earlier, const struct reversal *reversal) {
    if (is_covered(worker, earlier, reversal)) {
        return;
    }
    sequence_make(&worker->sequence, earlier, reversal);
    bool more = rehearsal_first(&worker->rehearsal, &worker->sequence);
    insert_sequence(worker, earlier);
    while (more) {
        sequence_make(&worker->sequence, earlier, reversal);
        more = rehearsal_next(&worker->rehearsal, &worker->sequence);
        if (more) {
            insert_sequence(worker, earlier);
        }
    }
}

static void reverse_pending(struct worker *worker, uint32_t thread) {
    struct chronological *chronological = &worker->chronological;
    size_t undone = chronological->undone.count;
    size_t reversed = chronological->reversed.count;
    struct reversal reversal = {.index = (uint32_t)chronological->events.count, .waits = true};
    size_t races =
        chronological_blocked_races(chronological, thread, &reversal.label, &reversal.last_step, &reversal.last_drain);
    for (size_t i = 0; i < races; i++) {
        struct race race = *(struct race *)vector_at(&chronological->found, i);
        for (uint32_t k = 0; k < race.labels; k++) {
            reversal.label = *(struct label *)vector_at(&chronological->reversed, race.first + k);
            reverse_race(worker, race.event, &reversal);
        }
    }
    chronological->undone.count = undone;
    chronological->reversed.count = reversed;
}

/* Must the thread wait until its own buffer drains?  An execution ends in such a state if it was stopped because the
 * drain is in the sleep set. */
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

/* Reverses the races of a lock of the bus that is never released, with the transitions that wait for it. */
static void reverse_bus(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t lock = bus_held_by(chronological);
    for (uint32_t thread = 0; lock != NO_EVENT && thread < machine_threads(worker->machine); thread++) {
        struct reversal reversal;
        size_t next = 0;
        while (machine_thread_exists(worker->machine, thread) &&
               thread != chronological_event(chronological, lock)->label.transition.thread &&
               bus_find_waiting(chronological, thread, &next, &reversal)) {
            if (!event_follows(chronological, reversal.last_step, lock) &&
                !event_follows(chronological, reversal.last_drain, lock)) {
                reverse_race(worker, lock, &reversal);
            }
        }
    }
}

/* May the event have other accesses without the earlier one of a race? */
static bool may_change(const struct worker *worker, const struct event *event) {
    return event->kind == STEP_CAS || event->kind == STEP_SYNC ||
           (event->kind == STEP_ATOMIC_BEGIN && worker->rehearsal.needed);
}

/* Reverses the races of an event.  If the event is `known` from an earlier execution with the same prefix, only those
 * races in which it has other accesses: then the events after it matter. */
static void reverse_races_of(struct worker *worker, uint32_t later, bool known) {
    struct chronological *chronological = &worker->chronological;
    const struct event *event = chronological_event(chronological, later);
    size_t end = later + 1 < chronological->events.count ? chronological_event(chronological, later + 1)->races
                                                         : chronological->races.count;
    for (size_t i = event->races; i < end; i++) {
        struct race race = *(struct race *)vector_at(&chronological->races, i);
        for (uint32_t k = 0; k < race_alternatives(&race); k++) {
            struct reversal reversal;
            race_reverse(chronological, &race, k, later, &reversal);
            reversal.changes |= event->kind == STEP_ATOMIC_BEGIN && worker->rehearsal.needed;
            if (!known || reversal.changes) {
                reverse_race(worker, race.event, &reversal);
            }
        }
    }
}

static void reverse_all_races(struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
#ifndef NDEBUG
    worker_check(worker);
#endif
    bool all = chronological->needs_old || worker->rehearsal.needed;
    for (uint32_t later = all ? 0 : worker->reversed_until; later < chronological->events.count; later++) {
        bool known = later < worker->reversed_until;
        if (!known || may_change(worker, chronological_event(chronological, later))) {
            reverse_races_of(worker, later, known);
        }
    }
    for (uint32_t thread = 0; thread < machine_threads(worker->machine); thread++) {
        if (machine_thread_waits(worker->machine, thread) && !waits_for_drain(worker, thread)) {
            reverse_pending(worker, thread);
        }
    }
    reverse_bus(worker);
}

/* --- The search --------------------------------------------------------------------------------------------------- */

/* Pushes a new state; its sleep set are the sleepers that do not depend on the last event. */
static void push_entry(struct worker *worker, uint32_t node) {
    const struct chronological *chronological = &worker->chronological;
    const struct tree *tree = &worker->exploration->tree;
    size_t from = worker->stack.count > 0 ? top_entry(worker)->sleep_first : 0;
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
    *(struct stack_entry *)vector_room(&worker->stack) = (struct stack_entry){
        .mark = machine_set_mark(worker->machine),
        .sleep_first = to,
        .event = event,
        .node = node,
        .slept = NO_NODE,
    };
}

static bool is_asleep(const struct worker *worker, struct transition transition) {
    const struct tree *tree = &worker->exploration->tree;
    for (size_t i = top_entry(worker)->sleep_first; i < worker->sleep.count; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        if (transitions_equal(tree_at(tree, sleeper->node)->label.transition, transition)) {
            return true;
        }
    }
    return false;
}

/* Adds the children of the top node before `node` to the sleep set.  One that another worker has just taken gets its
 * label soon; false if `stop` is set meanwhile. */
static bool put_to_sleep(struct worker *worker, uint32_t node) {
    struct tree *tree = &worker->exploration->tree;
    struct stack_entry *entry = top_entry(worker);
    tree_lock(tree, entry->node);
    uint32_t child = entry->slept == NO_NODE ? tree_at(tree, entry->node)->child : tree_at(tree, entry->slept)->next;
    while (child != node) {
        if (atomic_load(&tree_at(tree, child)->state) == NODE_TAKEN) {
            tree_unlock(tree, entry->node);
            sched_yield();
            if (atomic_load(&worker->exploration->stop)) {
                return false;
            }
            tree_lock(tree, entry->node);
            continue;
        }
        struct sleeper sleeper = {.node = child};
        vector_push(&worker->sleep, &sleeper);
        entry->slept = child;
        child = tree_at(tree, child)->next;
    }
    tree_unlock(tree, entry->node);
    return true;
}

/* A step has too many choices. */
static void refuse(struct worker *worker, uint32_t pos) {
    worker->refused = true;
    worker->refused_pos = pos;
    atomic_store(&worker->exploration->stop, true);
}

/* Adds the other choices of a step to the tree.  Not if the step is part of a sequence that reverses a race (`guided`):
 * then the others were added where the step was first taken, and their own races lead here if necessary. */
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
    uint32_t parent = top_entry(worker)->node;
    for (uint64_t choice = 0; choice < choices; choice++) {
        struct transition other = {.thread = taken.thread, .kind = TRANSITION_STEP, .choice = choice};
        if (choice != taken.choice && !is_asleep(worker, other) && !is_child(worker, parent, other)) {
            struct step step;
            struct label label;
            machine_next(worker->machine, other, &step);
            chronological_label(&worker->chronological, &label, other, &step);
            label.choices = (uint32_t)choices;
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

/* Takes an atomic section with this choice.  Adds all choices with the same first `given` picks to the tree, except
 * `taken`; taking them shows what they access. */
static void branch_section(struct worker *worker, struct transition section, uint64_t taken, size_t given) {
    struct chronological *chronological = &worker->chronological;
    uint32_t parent = top_entry(worker)->node;
    chronological_add(chronological, section);
    struct label label = newest_event(worker)->label;
    struct vector picks = copy_numbers(&chronological->picked);
    struct vector alternatives = copy_numbers(&chronological->section_choices);
    chronological_pop(chronological);
    machine_undo(worker->machine, top_entry(worker)->mark);
    if (label.transition.choice != taken && !is_asleep(worker, label.transition) &&
        !is_child(worker, parent, label.transition)) {
        tree_add(&worker->exploration->tree, &worker->pool, parent, &label);
    }
    for (; picks.count > given && !chronological->too_many_choices; picks.count--) {
        uint32_t *pick = vector_at(&picks, picks.count - 1);
        uint32_t end = *(uint32_t *)vector_at(&alternatives, picks.count - 1);
        for (*pick = 1; *pick < end && !chronological->too_many_choices; ++*pick) {
            section.choice = picks_number(chronological->picks, &picks);
            branch_section(worker, section, taken, picks.count);
        }
    }
    vector_delete(&picks);
    vector_delete(&alternatives);
}

/* The newest event is an atomic section whose choice was not prescribed. */
static void branch_newest_section(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    struct transition taken = newest_event(worker)->label.transition;
    struct transition first = {.thread = taken.thread, .kind = TRANSITION_STEP};
    chronological_pop(chronological);
    machine_undo(worker->machine, top_entry(worker)->mark);
    branch_section(worker, first, taken.choice, 0);
    chronological_add(chronological, taken);
}

/* Pushes the state after the newest event, and collects its findings; `errors` were made before. */
static void arrive(struct worker *worker, uint32_t node, uint32_t errors) {
    push_entry(worker, node);
    if (machine_errors(worker->machine) > errors) {
        finding_error(worker);
    }
    finding_races(worker, false);
    if (worker->chronological.lives.count > 0) {
        finding_stale(worker);
    }
}

/* Takes the transition of a taken child of the top node. */
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
    if (chronological->too_many_choices) {
        refuse(worker, chronological->too_many_pos);
    }
    tree_begin(tree, node, &newest_event(worker)->label);
    arrive(worker, node, errors);
}

/* Takes a transition that no sequence prescribes; the new state has no node yet. */
static void descend_freely(struct worker *worker, struct transition transition) {
    uint32_t errors = machine_errors(worker->machine);
    assert(!is_asleep(worker, transition) && "W1: nothing asleep is taken");
    chronological_add(&worker->chronological, transition);
    arrive(worker, NO_NODE, errors);
}

/* Removes one event, and then further ones up to a state with a node: in a state without one nothing is left to
 * explore. */
static void ascend(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    while (--worker->stack.count > 0) {
        chronological_pop(chronological);
        if (top_entry(worker)->node != NO_NODE) {
            break;
        }
    }
    worker->sleep.count = entry_at(worker, worker->stack.count)->sleep_first;
    if (worker->stack.count > 0) {
        worker->reversed_until = (uint32_t)chronological->events.count;
        machine_undo(worker->machine, top_entry(worker)->mark);
    }
}

/* The next choice of an atomic section. */
static bool next_choice_of_section(struct worker *worker, struct transition *transition) {
    struct chronological *chronological = &worker->chronological;
    const struct vector *alternatives = &chronological->section_choices;
    struct vector *picked = &chronological->picked;
    chronological_add(chronological, *transition);
    chronological_pop(chronological);
    machine_undo(worker->machine, top_entry(worker)->mark);
    while (picked->count > 0) {
        uint32_t *last = vector_at(picked, picked->count - 1);
        if (++*last < *(uint32_t *)vector_at(alternatives, picked->count - 1)) {
            transition->choice = picks_number(chronological->picks, picked);
            return true;
        }
        picked->count--;
    }
    return false;
}

/* The next choice of the same step. */
static bool next_choice(struct worker *worker, struct transition *transition) {
    struct step step;
    machine_next(worker->machine, *transition, &step);
    return step.kind == STEP_ATOMIC_BEGIN ? next_choice_of_section(worker, transition)
                                          : ++transition->choice < machine_choices(worker->machine, transition->thread);
}

/* Is the transition enabled, and none of its choices in the sleep set? */
static bool is_awake(struct worker *worker, struct transition transition) {
    const struct tree *tree = &worker->exploration->tree;
    bool step = transition.kind == TRANSITION_STEP;
    bool awake = machine_is_enabled(worker->machine, transition);
    for (size_t i = top_entry(worker)->sleep_first; i < worker->sleep.count && awake; i++) {
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

/* Finds an enabled step some choice of which is not in the sleep set, and that choice. */
static bool find_awake_choice(struct worker *worker, struct transition *found) {
    uint32_t threads = worker->chronological.may_choose ? machine_threads(worker->machine) : 0;
    for (uint32_t i = 0; i < threads; i++) {
        *found = (struct transition){.thread = i, .kind = TRANSITION_STEP};
        bool awake = machine_is_enabled(worker->machine, *found);
        while (awake && is_asleep(worker, *found)) {
            awake = next_choice(worker, found);
        }
        if (awake) {
            return true;
        }
    }
    return false;
}

/* Finds an enabled transition that is not in the sleep set: preferably of the thread that ran last, and rather a step
 * than a drain, unless many entries wait to drain.  So one thread nearly finishes before the next one begins, and
 * reversing a race leaves little to do.  A step with some choices in the sleep set comes last: these may yet be
 * woken. */
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
    return find_awake_choice(worker, found);
}

/* Extends the execution by any transition; false if it is maximal or redundant. */
static bool extend_freely(struct worker *worker) {
    struct transition any;
    top_entry(worker)->extended = true;
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
            reverse_all_races(worker);
        }
    } else if (finding_end(worker, outcome)) {
        reverse_all_races(worker);
    }
    return false;
}

/* For an assertion: the choice of a section is no choice of the machine's. */
__attribute__((unused)) static bool can_be_taken(struct worker *worker, struct transition transition) {
    struct step step;
    machine_next(worker->machine, transition, &step);
    transition.choice = step.kind == STEP_ATOMIC_BEGIN ? 0 : transition.choice;
    return machine_is_enabled(worker->machine, transition);
}

/* Adds or removes one event. */
static void advance(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    if (top_entry(worker)->node == NO_NODE && !top_entry(worker)->extended && extend_freely(worker)) {
        return;
    }
    uint32_t node = top_entry(worker)->node;
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
    } else if (tree_at(tree, node)->child != NO_NODE || top_entry(worker)->extended || !extend_freely(worker)) {
        if (tree_leave(tree, &worker->pool, node)) {
            ascend(worker);
        }
    }
}

/* Executes the transitions from the root to a node that the worker has taken. */
static void follow_path(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    push_entry(worker, tree->root);
    for (size_t i = 1; i < worker->path.count; i++) {
        uint32_t node = *(uint32_t *)vector_at(&worker->path, i);
        if (!put_to_sleep(worker, node)) {
            return;
        }
        if (i + 1 == worker->path.count) {
            if (is_asleep(worker, tree_at(tree, node)->label.transition)) {
                tree_skip(tree, &worker->pool, node);
            } else {
                /* A worker may take another choice of a step while the execution with the first one is not at its end
                 * yet, where the races before that step are reversed. */
                bool early = tree_at(tree, node)->label.choices > 1;
                worker->reversed_until = early ? 0 : (uint32_t)worker->chronological.events.count;
                descend(worker, node, true);
            }
            return;
        }
        chronological_add(&worker->chronological, tree_at(tree, node)->label.transition);
        if (atomic_load(&worker->exploration->stop)) {
            return;
        }
        push_entry(worker, node);
    }
}

/* --- Many workers ------------------------------------------------------------------------------------------------- */

/* The explored part of the tree, as far as it is known, if all children of a node count the same. */
static double explored_part(const struct worker *worker) {
    const struct tree *tree = &worker->exploration->tree;
    double part = 0;
    double weight = 1;
    for (size_t i = 0; i + 1 < worker->stack.count && entry_at(worker, i + 1)->node != NO_NODE; i++) {
        uint32_t below = entry_at(worker, i + 1)->node;
        unsigned children = 0;
        unsigned before = 0;
        tree_lock(tree, entry_at(worker, i)->node);
        for (uint32_t child = tree_at(tree, entry_at(worker, i)->node)->child; child != NO_NODE;
             child = tree_at(tree, child)->next) {
            before = child == below ? children : before;
            children++;
        }
        tree_unlock(tree, entry_at(worker, i)->node);
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

/* Does the current execution seem to have no end?  If it has one after all, a search with bounds finds that out.  Few
 * steps may take long for other reasons. */
static bool seems_endless(struct worker *worker) {
    const struct explore_options *options = worker->exploration->options;
    const struct verdict *verdict = worker->verdict;
    uint64_t ended = verdict->traces + verdict->blocked + verdict->cut + verdict->redundant;
    if (options->longest_steps == 0 || worker->stack.count == 0) {
        return false;
    }
    if (ended != worker->ended || worker->since == 0) {
        worker->ended = ended;
        worker->since = limits_cpu();
    }
    size_t steps = worker->chronological.taken.count;
    double seconds = limits_cpu() - worker->since;
    worker->endless =
        steps > options->longest_steps || (steps > options->longest_steps / FEW_STEPS &&
                                           seconds > options->longest_s * worker->exploration->workers_count);
    return worker->endless;
}

/* Every worker checks now and then for an endless execution, and the first one for limits. */
static bool must_stop(struct worker *worker) {
    struct exploration *exploration = worker->exploration;
    if (++worker->iterations % ITERATIONS_PER_CHECK == 0 && seems_endless(worker)) {
        atomic_store(&exploration->stop, true);
    }
    if (worker->number == 0 && worker->iterations % ITERATIONS_PER_CHECK == 0) {
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
        push_entry(worker, tree->root);
        if (machine_errors(worker->machine) > 0) {
            finding_error(worker); /* before the first step */
        }
    }
    while (!must_stop(worker)) {
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
