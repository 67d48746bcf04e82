/* The edges of an event, and its clock and races that follow from them. */
#include "explore/edges.h"
#include "explore/bus.h"
#include "explore/without.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define LARGE_ACCESS 64

/* --- Threads ------------------------------------------------------------------------------------------------------ */

void edges_add_line(struct chronological *chronological) {
    struct line *line = memory_allocate(sizeof *line);
    vector_push(&chronological->lines, &line);
    line->last_step = line->last_drain = NO_EVENT;
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

/* Are all other threads joined, or not created yet?  Then no other order is possible: all events so far happen before
 * the next one, and the clocks stay short. */
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
    if (chronological->settles && joins(step)) {
        edges_add(chronological, line_of(chronological, (uint32_t)step->other)->last_step);
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

/* Adds the loads of the drain's own thread that its store served early: they come after the drain, so a later write of
 * these bytes of the word comes after them. */
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

/* Adds the events on which an access of `thread` depends in one word.  Own drains have structural edges, except one
 * that a load overlaps and that does not cover the load. */
static void visit_word(struct chronological *chronological, uint32_t thread, const struct access *access,
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
                if (access_changes(access)) {
                    add_early_readers(chronological, node->event, word, node->bytes & open);
                }
                edges_add(chronological, node->event);
            } else if (!access_changes(access)) {
                const struct label *label = &chronological_event(chronological, node->event)->label;
                bool covers = label->access[0].address <= access->address &&
                              access->address + access->size <= label->access[0].address + label->access[0].size;
                if (!covers) {
                    edges_add(chronological, node->event);
                }
            }
            open &= (uint8_t)~node->bytes;
        } else if (!same && (access->writes || node->adds != access->adds)) {
            edges_add(chronological, node->event);
        }
    }
}

/* Adds the events on which an access to many words depends: compares it with every earlier event. */
static void visit_all(struct chronological *chronological, const struct label *label) {
    for (uint32_t i = (uint32_t)chronological->events.count - 1; i-- > 0;) {
        const struct event *event = chronological_event(chronological, i);
        if (event->label.transition.thread != label->transition.thread &&
            !labels_independent(&event->label, label, chronological->fifo)) {
            edges_add(chronological, i);
        }
    }
}

static void visit_access(struct chronological *chronological, uint32_t thread, const struct access *access) {
    for (uint64_t word = access->address / 8; word <= (access->address + access->size - 1) / 8; word++) {
        visit_word(chronological, thread, access, word);
    }
    for (size_t i = chronological->large.count; i-- > 0;) {
        uint32_t event = *(uint32_t *)vector_at(&chronological->large, i);
        const struct label *label = &chronological_event(chronological, event)->label;
        for (uint32_t k = 0; k < label->accesses && label->transition.thread != thread; k++) {
            if (label_access(label, k)->size > LARGE_ACCESS && accesses_conflict(access, label_access(label, k))) {
                edges_add(chronological, event);
                break;
            }
        }
    }
}

static bool is_large(const struct label *label) {
    bool large = false;
    for (uint32_t i = 0; i < label->accesses && !large; i++) {
        large = label_access(label, i)->size > LARGE_ACCESS;
    }
    return large;
}

/* The change of the bytes of an access, as far as it is known, or NULL. */
static const struct change *change_of(const struct chronological *chronological, const struct access *access) {
    const struct change *changes = chronological->changes.data;
    for (size_t i = 0; i < chronological->changes.count; i++) {
        if (changes[i].address == access->address && changes[i].size == access->size) {
            return &changes[i];
        }
    }
    return NULL;
}

void edges_add_memory(struct chronological *chronological, uint32_t index) {
    const struct label *label = &chronological_event(chronological, index)->label;
    bool large = is_large(label);
    if (large) {
        visit_all(chronological, label);
        vector_push(&chronological->large, &index);
    }
    for (uint32_t i = 0; i < label->accesses && !large; i++) {
        visit_access(chronological, label->transition.thread, label_access(label, i));
    }
    /* The large access itself is in the list of large accesses. */
    for (uint32_t i = 0; i < label->accesses; i++) {
        const struct access *access = label_access(label, i);
        if (access->size <= LARGE_ACCESS) {
            chains_add(&chronological->chains, index, access, change_of(chronological, access));
        }
    }
}

/* --- Clocks and races --------------------------------------------------------------------------------------------- */

/* Joins the clocks of some predecessors to that of an event. */
static void join_clocks(struct chronological *chronological, uint32_t index, size_t from, size_t to) {
    const uint32_t *predecessors = chronological->predecessors.data;
    clocks_join(&chronological->clocks, index, predecessors + from, to - from);
}

/* Adds the predecessors themselves. */
static void put_events(struct chronological *chronological, uint32_t index) {
    clocks_finish(&chronological->clocks, index, chronological->predecessors.data, chronological->predecessors.count);
}

/* The highest floor of the first predecessors. */
static uint32_t highest_floor(const struct chronological *chronological, size_t count) {
    const uint32_t *predecessors = chronological->predecessors.data;
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t floor = clocks_floor(&chronological->clocks, predecessors[i]);
        highest = floor > highest ? floor : highest;
    }
    return highest;
}

/* Adds a race of the newest event, whose races begin at `first`, with the label that the event then has, if that is
 * known. */
static void add_race(struct chronological *chronological, uint32_t first, struct race race) {
    for (size_t i = first; i < chronological->races.count; i++) {
        if (((struct race *)vector_at(&chronological->races, i))->event == race.event) {
            return;
        }
    }
    *(struct race *)vector_room(&chronological->races) = race;
}

/* The newest event may be another one without the earlier event of its race. */
static struct race race_with(struct chronological *chronological, uint32_t index, uint32_t earlier) {
    const struct event *event = chronological_event(chronological, index);
    struct race race = {.event = earlier, .first = (uint32_t)chronological->reversed.count};
    if (event->kind == STEP_CAS || event->kind == STEP_SYNC) {
        struct without without;
        without_init(&without, chronological, event->label.transition.thread, earlier);
        race.labels = without_add_labels(&without, &event->label);
    }
    return race;
}

void edges_join(struct chronological *chronological, uint32_t index) {
    join_clocks(chronological, index, 0, chronological->predecessors.count);
    put_events(chronological, index);
}

/* Does one event change what the other one reads? */
static bool changes_what_reads(const struct label *one, const struct label *other) {
    for (uint32_t i = 0; i < one->accesses; i++) {
        const struct access *access = label_access(one, i);
        for (uint32_t k = 0; k < other->accesses && access_changes(access); k++) {
            if (label_access(other, k)->reads && accesses_overlap(access, label_access(other, k))) {
                return true;
            }
        }
    }
    return false;
}

/* Is the event among the first `structural` predecessors, which come before in any case? */
static bool is_structural(const struct chronological *chronological, size_t structural, uint32_t event) {
    const uint32_t *predecessors = chronological->predecessors.data;
    for (size_t i = 0; i < structural; i++) {
        if (predecessors[i] == event) {
            return true;
        }
    }
    return false;
}

/* Drops the races of an event that happen before another one of its races: they are races again in the execution that
 * reverses the latter. */
static void keep_latest(struct chronological *chronological, uint32_t first) {
    struct race *races = chronological->races.data;
    size_t kept = first;
    for (size_t i = first; i < chronological->races.count; i++) {
        bool latest = true;
        for (size_t k = first; k < chronological->races.count && latest; k++) {
            latest = !happens_before(chronological, races[i].event, races[k].event);
        }
        if (latest) {
            races[kept++] = races[i];
        }
    }
    chronological->races.count = kept;
}

void edges_finish(struct chronological *chronological, uint32_t index, size_t structural, bool waits) {
    size_t count = chronological->predecessors.count;
    uint32_t first = chronological_event(chronological, index)->races;
    clocks_push(&chronological->clocks, highest_floor(chronological, structural));
    join_clocks(chronological, index, 0, structural);
    for (size_t f = 0; waits && f < chronological->found.count; f++) {
        struct race blocked = *(struct race *)vector_at(&chronological->found, f);
        if (!happens_before(chronological, blocked.event, index) &&
            !is_structural(chronological, structural, blocked.event)) {
            add_race(chronological, first, blocked);
        }
    }
    for (size_t i = structural; chronological->bus && i < count; i++) {
        uint32_t lock = bus_locked_by(chronological, *(uint32_t *)vector_at(&chronological->predecessors, i));
        if (lock != NO_EVENT && !happens_before(chronological, lock, index) &&
            !is_structural(chronological, structural, lock)) {
            add_race(chronological, first, race_with(chronological, index, lock));
        }
    }
    join_clocks(chronological, index, structural, count);
    for (size_t i = structural; i < count; i++) {
        uint32_t before = *(uint32_t *)vector_at(&chronological->predecessors, i);
        if (chronological->bus && bus_locked_by(chronological, before) != NO_EVENT) {
            continue;
        }
        bool same = thread_of(chronological, before) == thread_of(chronological, index);
        /* A waiting event stays enabled without an event that changes nothing that it reads. */
        bool reverses = !waits || !changes_what_reads(&chronological_event(chronological, before)->label,
                                                      &chronological_event(chronological, index)->label);
        if (!same && reverses && !happens_before(chronological, before, index) &&
            !is_structural(chronological, structural, before)) {
            add_race(chronological, first, race_with(chronological, index, before));
        }
    }
    put_events(chronological, index);
    if (waits || chronological->bus) {
        keep_latest(chronological, first);
    }
}
