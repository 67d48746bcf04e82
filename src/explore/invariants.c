/* Invariants of events (C), nodes (T) and workers (W). */
#include "explore/invariants.h"

#include <stdlib.h>

#include "explore/edges.h"

#define MAX_CLOSED 200 /* greatest number of events of an execution whose clocks are compared in pairs */

/* --- Events ------------------------------------------------------------------------------------------------------- */

static bool is_drain(const struct event *event) {
    return event->label.transition.kind == TRANSITION_DRAIN;
}

/* C1: does an event happen after its thread's last step, a drain after its store? */
static bool follows_its_thread(const struct chronological *chronological, uint32_t index) {
    const struct event *event = chronological_event(chronological, index);
    if (is_drain(event)) {
        return event->store != NO_EVENT && happens_before(chronological, event->store, index);
    }
    uint32_t before = index;
    while (before-- > 0) {
        const struct event *other = chronological_event(chronological, before);
        if (other->label.transition.thread == event->label.transition.thread && !is_drain(other)) {
            return happens_before(chronological, before, index);
        }
    }
    return true;
}

/* C2. */
static bool is_closed(const struct chronological *chronological, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        for (uint32_t k = 0; k < i && happens_before(chronological, i, index); k++) {
            if (happens_before(chronological, k, i) && !happens_before(chronological, k, index)) {
                return false;
            }
        }
    }
    return true;
}

/* C3. */
static bool races_are_good(const struct chronological *chronological, uint32_t index) {
    const struct race *races = chronological->races.data;
    uint32_t first = chronological_event(chronological, index)->races;
    size_t end = index + 1 < chronological->events.count ? chronological_event(chronological, index + 1)->races
                                                         : chronological->races.count;
    for (size_t i = first; i < end; i++) {
        uint32_t race = races[i].event;
        if (race >= index || chronological_event(chronological, race)->trails ||
            chronological_event(chronological, race)->label.transition.thread ==
                chronological_event(chronological, index)->label.transition.thread ||
            !happens_before(chronological, race, index)) {
            return false;
        }
        for (size_t k = first; k < end; k++) {
            if (k != i && event_follows(chronological, races[k].event, race)) {
                return false;
            }
        }
    }
    return true;
}

static bool exists(const struct chronological *chronological, uint32_t event) {
    return event == NO_EVENT || event < chronological->events.count;
}

/* C4. */
static bool line_is_good(const struct chronological *chronological, const struct line *line) {
    bool good = exists(chronological, line->last_step) && exists(chronological, line->last_drain) &&
                line->updates.count == line->stores.count;
    for (size_t i = 0; i < line->stores.count && good; i++) {
        good = exists(chronological, *(uint32_t *)vector_at(&line->stores, i)) &&
               exists(chronological, *(uint32_t *)vector_at(&line->updates, i));
    }
    return good;
}

/* C5. */
static bool counts_are_good(const struct chronological *chronological) {
    uint32_t scheduled = 0;
    uint32_t choosing = 0;
    int32_t others = 0;
    for (uint32_t i = 0; i < chronological->events.count; i++) {
        const struct event *event = chronological_event(chronological, i);
        if (event->position != scheduled || event->taken >= chronological_taken_end(chronological, i)) {
            return false;
        }
        scheduled += !event->trails;
        choosing += event->chooses;
        others += event->others;
    }
    return scheduled == chronological->scheduled && choosing == chronological->choosing &&
           others == chronological->others && chronological->keys.count == chronological->events.count;
}

unsigned chronological_broken(struct chronological *chronological) {
    for (uint32_t i = 0; i < chronological->events.count; i++) {
        if (!follows_its_thread(chronological, i)) {
            return 1;
        }
        if (i < MAX_CLOSED && !is_closed(chronological, i)) {
            return 2;
        }
        if (!races_are_good(chronological, i)) {
            return 3;
        }
    }
    for (uint32_t t = 0; t < chronological->lines.count; t++) {
        if (machine_thread_exists(chronological->machine, t) &&
            !line_is_good(chronological, line_of(chronological, t))) {
            return 4;
        }
    }
    return counts_are_good(chronological) ? 0 : 5;
}

/* --- Nodes -------------------------------------------------------------------------------------------------------- */

/* The node is locked. */
static unsigned locked_broken(const struct tree *tree, uint32_t node) {
    const struct tree_node *parent = tree_at(tree, node);
    uint32_t last = NO_NODE;
    bool pending = false;
    for (uint32_t child = parent->child; child != NO_NODE; child = tree_at(tree, child)->next) {
        const struct tree_node *at = tree_at(tree, child);
        pending = pending || child == parent->pending;
        if (at->parent != node) {
            return 1;
        }
        if ((atomic_load(&at->state) == NODE_PENDING) != pending) {
            return 2;
        }
        for (uint32_t other = parent->pending; pending && other != child; other = tree_at(tree, other)->next) {
            if (transitions_equal(tree_at(tree, other)->label.transition, at->label.transition)) {
                return 3;
            }
        }
        last = child;
    }
    return parent->last != last ? 1 : parent->pending != NO_NODE && !pending ? 2 : 0;
}

unsigned tree_broken(const struct tree *tree, uint32_t node) {
    tree_lock(tree, node);
    unsigned broken = locked_broken(tree, node);
    if (broken == 0 && (tree_at(tree, node)->workers == 0 || atomic_load(&tree_at(tree, node)->state) == NODE_DONE)) {
        broken = 4;
    }
    tree_unlock(tree, node);
    return broken;
}

/* --- Workers ------------------------------------------------------------------------------------------------------ */

static const struct stack_entry *entry_at(const struct worker *worker, size_t index) {
    return vector_at(&worker->stack, index);
}

/* Does the execution, from this event on, have an event with this transition that depends on no event before it? */
static bool takes_first(const struct chronological *chronological, uint32_t from, struct transition transition) {
    uint32_t found = from;
    while (found < chronological->events.count &&
           transition_key(chronological_event(chronological, found)->label.transition) != transition_key(transition)) {
        found++;
    }
    if (found == chronological->events.count ||
        !transitions_equal(chronological_event(chronological, found)->label.transition, transition)) {
        return false;
    }
    for (uint32_t i = from; i < found; i++) {
        if (happens_before(chronological, i, found)) {
            return false;
        }
    }
    return true;
}

/* W1: does the execution take a transition that was in the sleep set of one of its states, without an event since on
 * which it depends? */
static bool takes_what_sleeps(const struct worker *worker) {
    const struct tree *tree = &worker->exploration->tree;
    bool takes = false;
    for (size_t i = 0; i + 1 < worker->stack.count && entry_at(worker, i + 1)->node != NO_NODE && !takes; i++) {
        uint32_t node = entry_at(worker, i)->node;
        tree_lock(tree, node);
        for (uint32_t child = tree_at(tree, node)->child; child != entry_at(worker, i + 1)->node && !takes;
             child = tree_at(tree, child)->next) {
            takes = takes_first(&worker->chronological, entry_at(worker, i + 1)->event,
                                tree_at(tree, child)->label.transition);
        }
        tree_unlock(tree, node);
    }
    return takes;
}

/* W2. */
static bool stack_is_good(const struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    bool good = worker->stack.count == chronological->scheduled + 1;
    size_t sleep_first = 0;
    for (size_t i = 0; i < worker->stack.count && good; i++) {
        const struct stack_entry *entry = entry_at(worker, i);
        good = entry->sleep_first >= sleep_first && entry->sleep_first <= worker->sleep.count &&
               (i == 0 || (entry->event < chronological->events.count &&
                           !chronological_event(chronological, entry->event)->trails &&
                           chronological_event(chronological, entry->event)->position == i - 1));
        sleep_first = entry->sleep_first;
    }
    return good;
}

/* W3. */
static bool sleepers_are_enabled(struct worker *worker) {
    const struct tree *tree = &worker->exploration->tree;
    for (size_t i = entry_at(worker, worker->stack.count - 1)->sleep_first; i < worker->sleep.count; i++) {
        const struct sleeper *sleeper = vector_at(&worker->sleep, i);
        struct transition asleep = tree_at(tree, sleeper->node)->label.transition;
        asleep.choice = asleep.kind == TRANSITION_STEP ? 0 : asleep.choice;
        if (!machine_is_enabled(worker->machine, asleep)) {
            return false;
        }
    }
    return true;
}

unsigned worker_broken(struct worker *worker) {
    return !stack_is_good(worker) ? 2 : takes_what_sleeps(worker) ? 1 : !sleepers_are_enabled(worker) ? 3 : 0;
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

static void fail(const char *struct_letter, unsigned number) {
    fprintf(stderr, "invariant %s%u is broken\n", struct_letter, number);
    abort();
}

void worker_check(struct worker *worker) {
    uint64_t number = ++worker->checkable;
    uint32_t every = worker->exploration->check_every;
    if (every > 0 ? number % every != 0 : (number & (number - 1)) != 0) {
        return;
    }
    unsigned broken = chronological_broken(&worker->chronological);
    if (broken > 0) {
        fail("C", broken);
    }
    for (size_t i = 0; i < worker->stack.count && entry_at(worker, i)->node != NO_NODE; i++) {
        broken = tree_broken(&worker->exploration->tree, entry_at(worker, i)->node);
        if (broken > 0) {
            fail("T", broken);
        }
    }
    /* The races are incomplete if an object was used after its end and the other threads ran on, or if a section blocks
     * the others; the answer says so. */
    bool whole = !worker->misused && !worker->held_up;
    broken = whole ? worker_broken(worker) : 0;
    if (broken > 0) {
        fail("W", broken);
    }
    if (whole && checker_run(&worker->checker, &worker->chronological) > 0) {
        checker_print(&worker->checker, &worker->chronological, stderr);
        abort();
    }
}
