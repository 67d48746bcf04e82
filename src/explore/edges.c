/* Where edges come from, and what follows from all of an event's together. */
#include "explore/edges.h"
#include "explore/bus.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define LARGE_ACCESS 64

/* --- Threads ------------------------------------------------------------------------------------------------------ */

void edges_add_line(struct chronological *chronological) {
    struct line *line = memory_allocate(sizeof *line);
    vector_push(&chronological->lines, &line);
    line->last_step = line->last_drain = line->woken_by = NO_EVENT;
    vector_init(&line->stores, sizeof(uint32_t));
    vector_init(&line->updates, sizeof(uint32_t));
}

/* --- Edges by structure ------------------------------------------------------------------------------------------- */

void edges_add_updates(struct chronological *chronological, struct line *line) {
    if (chronological->fifo) {
        edges_add(chronological, line->last_drain);
        return;
    }
    for (uint64_t serial = line->fenced + 1; serial < line->updates.count; serial++) {
        edges_add(chronological, *(uint32_t *)vector_at(&line->updates, serial));
    }
}

/* Is nobody else there, not yet or not any more?  Then nothing can come in another order: whatever has come so far
 * happens before what comes next, and the clocks stay short. */
static bool is_alone(const struct chronological *chronological) {
    return chronological->others == 0;
}

void edges_add_step(struct chronological *chronological, struct line *line, const struct step *step) {
    edges_add(chronological, line->last_step);
    if (is_alone(chronological)) {
        edges_add(chronological, line->last_drain);
    } else if (chronological->buffered && waits_for_buffer(step)) {
        edges_add_updates(chronological, line);
    }
    if (joins(step)) {
        edges_add(chronological, line_of(chronological, (uint32_t)step->other)->last_step);
    }
    if (step->kind == STEP_SYNC && step->phase != 0) {
        edges_add(chronological, line->woken_by);
    }
}

void edges_add_drain(struct chronological *chronological, struct line *line, const struct event *event) {
    edges_add(chronological, event->store);
    if (chronological->fifo || is_alone(chronological)) {
        edges_add(chronological, line->last_drain);
        return;
    }
    const struct event *store = chronological_event(chronological, event->store);
    for (uint64_t serial = line->fenced + 1; serial < event->serial; serial++) {
        uint32_t update = *(uint32_t *)vector_at(&line->updates, serial);
        if (update == NO_EVENT) {
            continue;
        }
        const struct event *other =
            chronological_event(chronological, chronological_event(chronological, update)->store);
        if (other->barrier < store->barrier ||
            accesses_overlap(&chronological_event(chronological, update)->label.access[0], &event->label.access[0])) {
            edges_add(chronological, update);
        }
    }
}

/* --- Edges through memory ----------------------------------------------------------------------------------------- */

static uint32_t thread_of(const struct chronological *chronological, uint32_t event) {
    return chronological_event(chronological, event)->label.transition.thread;
}

/* Loads of the drain's own thread that its store had served early: they follow it, so a later write of these bytes of
 * the word follows them. */
static void add_early_readers(struct chronological *chronological, uint32_t drain, uint64_t word, uint8_t bytes) {
    uint32_t store = chronological_event(chronological, drain)->store;
    if (store == NO_EVENT) {
        return;
    }
    for (uint32_t load = chronological_event(chronological, store)->early; load != NO_EVENT;
         load = chronological_event(chronological, load)->early) {
        const struct access *read = &chronological_event(chronological, load)->label.access[0];
        bool in_word = read->address / 8 <= word && (read->address + read->size - 1) / 8 >= word;
        if (in_word && (bytes_in_word(read, word) & bytes)) {
            edges_add(chronological, load);
        }
    }
}

/* Adds what an access of `thread` depends on in one word.  Own drains are left to the structural edges, except one that
 * a load overlaps but is not covered by. */
static void walk_word(struct chronological *chronological, uint32_t thread, const struct access *access,
                      uint64_t word) {
    uint8_t open = bytes_in_word(access, word);
    for (uint32_t link = chains_head(&chronological->chains, word); link != NO_LINK && open;) {
        const struct chain_link *node = chains_at(&chronological->chains, link);
        link = node->previous;
        if (!(node->bytes & open)) {
            continue;
        }
        bool same = thread_of(chronological, node->event) == thread;
        if (node->writes) {
            if (!same) {
                if (access->writes) {
                    add_early_readers(chronological, node->event, word, node->bytes & open);
                }
                edges_add(chronological, node->event);
            } else if (!access->writes) {
                const struct label *label = &chronological_event(chronological, node->event)->label;
                bool covers = label->access[0].address <= access->address &&
                              access->address + access->size <= label->access[0].address + label->access[0].size;
                if (!covers) {
                    edges_add(chronological, node->event);
                }
            }
            open &= (uint8_t)~node->bytes;
        } else if (access->writes && !same) {
            edges_add(chronological, node->event);
        }
    }
}

/* An event that may touch anything, or spans many words: every earlier one is looked at. */
static void walk_all(struct chronological *chronological, const struct label *label) {
    for (uint32_t i = (uint32_t)chronological->events.count - 1; i-- > 0;) {
        const struct event *event = chronological_event(chronological, i);
        if (event->label.transition.thread != label->transition.thread &&
            !labels_independent(&event->label, label, chronological->fifo)) {
            edges_add(chronological, i);
        }
    }
}

static void walk_access(struct chronological *chronological, uint32_t thread, const struct access *access) {
    for (uint64_t word = access->address / 8; word <= (access->address + access->size - 1) / 8; word++) {
        walk_word(chronological, thread, access, word);
    }
    for (size_t i = chronological->large.count; i-- > 0;) {
        uint32_t event = *(uint32_t *)vector_at(&chronological->large, i);
        const struct label *label = &chronological_event(chronological, event)->label;
        if (label->transition.thread != thread &&
            (label->accesses > MAX_ACCESSES || accesses_overlap(access, &label->access[0]))) {
            edges_add(chronological, event);
        }
    }
}

static bool is_large(const struct label *label) {
    bool large = label->accesses > MAX_ACCESSES;
    for (uint32_t i = 0; i < label->accesses && !large; i++) {
        large = label->access[i].size > LARGE_ACCESS;
    }
    return large;
}

void edges_add_memory(struct chronological *chronological, uint32_t index) {
    const struct label *label = &chronological_event(chronological, index)->label;
    if (is_large(label)) {
        walk_all(chronological, label);
        vector_push(&chronological->large, &index);
        /* Those that wait look for what a section has overwritten along the chains. */
        for (size_t i = chronological_event(chronological, index)->olds; i < chronological->olds.count; i++) {
            chains_add(&chronological->chains, index,
                       &((struct old_value *)vector_at(&chronological->olds, i))->access);
        }
        return;
    }
    for (uint32_t i = 0; i < label->accesses; i++) {
        walk_access(chronological, label->transition.thread, &label->access[i]);
    }
    for (uint32_t i = 0; i < label->accesses; i++) {
        chains_add(&chronological->chains, index, &label->access[i]);
    }
}

/* --- Clocks and races --------------------------------------------------------------------------------------------- */

/* Joins the clocks of some of the edges' events to that of an event. */
static void join_clocks(struct chronological *chronological, uint32_t index, size_t from, size_t to) {
    const uint32_t *predecessors = chronological->predecessors.data;
    for (size_t i = from; i < to; i++) {
        clocks_join(&chronological->clocks, index, predecessors[i]);
    }
}

/* The edges' events themselves. */
static void put_events(struct chronological *chronological, uint32_t index) {
    const uint32_t *predecessors = chronological->predecessors.data;
    for (size_t i = 0; i < chronological->predecessors.count; i++) {
        clocks_put(&chronological->clocks, index, predecessors[i]);
    }
    clocks_settle(&chronological->clocks);
}

/* The highest floor of the first edges' events. */
static uint32_t highest_floor(const struct chronological *chronological, size_t count) {
    const uint32_t *predecessors = chronological->predecessors.data;
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t floor = clocks_at(&chronological->clocks, predecessors[i])->floor;
        highest = floor > highest ? floor : highest;
    }
    return highest;
}

void edges_add_race(struct chronological *chronological, uint32_t first, uint32_t event) {
    for (size_t i = first; i < chronological->races.count; i++) {
        if (*(uint32_t *)vector_at(&chronological->races, i) == event) {
            return;
        }
    }
    vector_push(&chronological->races, &event);
}

void edges_join(struct chronological *chronological, uint32_t index) {
    join_clocks(chronological, index, 0, chronological->predecessors.count);
    put_events(chronological, index);
}

/* Does the event only read of what the other one touches, and hold nothing afterwards? */
static bool only_looks(const struct event *event, const struct event *other) {
    if (event->label.accesses > MAX_ACCESSES || other->label.accesses > MAX_ACCESSES) {
        return false;
    }
    for (uint32_t i = 0; i < event->label.accesses; i++) {
        for (uint32_t k = 0; k < other->label.accesses && event->label.access[i].writes; k++) {
            if (accesses_overlap(&event->label.access[i], &other->label.access[k])) {
                return false;
            }
        }
    }
    return event->kind != STEP_SYNC || event->refused;
}

/* Is the event among the first `structural` predecessors: one that must come before, whatever else it does? */
static bool is_structural(const struct chronological *chronological, size_t structural, uint32_t event) {
    const uint32_t *predecessors = chronological->predecessors.data;
    for (size_t i = 0; i < structural; i++) {
        if (predecessors[i] == event) {
            return true;
        }
    }
    return false;
}

void edges_finish(struct chronological *chronological, uint32_t index, size_t structural, bool waits) {
    size_t count = chronological->predecessors.count;
    uint32_t first = chronological_event(chronological, index)->races;
    clocks_push(&chronological->clocks, highest_floor(chronological, structural));
    join_clocks(chronological, index, 0, structural);
    for (size_t f = 0; waits && f < chronological->found.count; f++) {
        uint32_t blocked = *(uint32_t *)vector_at(&chronological->found, f);
        if (!happens_before(chronological, blocked, index) && !is_structural(chronological, structural, blocked)) {
            edges_add_race(chronological, first, blocked);
        }
    }
    for (size_t i = structural; chronological->bus && i < count; i++) {
        uint32_t lock = bus_locked_by(chronological, *(uint32_t *)vector_at(&chronological->predecessors, i));
        if (lock != NO_EVENT && !happens_before(chronological, lock, index) &&
            !is_structural(chronological, structural, lock)) {
            edges_add_race(chronological, first, lock);
        }
    }
    join_clocks(chronological, index, structural, count);
    for (size_t i = structural; i < count; i++) {
        uint32_t before = *(uint32_t *)vector_at(&chronological->predecessors, i);
        if (chronological->bus && bus_locked_by(chronological, before) != NO_EVENT) {
            continue;
        }
        bool same = thread_of(chronological, before) == thread_of(chronological, index);
        /* What a waiting event writes can also come before those that have only looked. */
        bool turns =
            !waits || only_looks(chronological_event(chronological, before), chronological_event(chronological, index));
        if (!same && turns && !happens_before(chronological, before, index) &&
            !is_structural(chronological, structural, before)) {
            edges_add_race(chronological, first, before);
        }
    }
    put_events(chronological, index);
}

void edges_keep_latest(struct chronological *chronological, uint32_t first) {
    uint32_t *races = chronological->races.data;
    size_t kept = first;
    for (size_t i = first; i < chronological->races.count; i++) {
        bool latest = true;
        for (size_t k = first; k < chronological->races.count && latest; k++) {
            latest = !happens_before(chronological, races[i], races[k]);
        }
        if (latest) {
            races[kept++] = races[i];
        }
    }
    chronological->races.count = kept;
}
