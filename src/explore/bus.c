/* The thread that holds the bus, and the threads that wait for it. */
#include "explore/bus.h"

#include "explore/edges.h"
#include "util/range.h"

static int lock_change(const struct event *event) {
    bool sync = event->kind == STEP_SYNC;
    return sync && event->sub == SYNC_BUS_LOCK ? 1 : sync && event->sub == SYNC_BUS_UNLOCK ? -1 : 0;
}

uint32_t bus_locked_by(const struct chronological *chronological, uint32_t unlock) {
    uint32_t thread = chronological_event(chronological, unlock)->label.transition.thread;
    if (lock_change(chronological_event(chronological, unlock)) >= 0) {
        return NO_EVENT;
    }
    int depth = -1;
    uint32_t at = unlock;
    while (depth < 0 && at-- > 0) {
        const struct event *event = chronological_event(chronological, at);
        depth += event->label.transition.thread == thread ? lock_change(event) : 0;
    }
    return depth < 0 ? NO_EVENT : at;
}

uint32_t bus_held_by(const struct chronological *chronological) {
    uint32_t first = NO_EVENT;
    int depth = 0;
    for (uint32_t i = 0; chronological->bus && i < chronological->events.count; i++) {
        depth += lock_change(chronological_event(chronological, i));
        first = depth == 0 ? NO_EVENT : first == NO_EVENT ? i : first;
    }
    return first;
}

/* Could the entry drain if no thread held the bus? */
static bool is_first(const struct chronological *chronological, const struct buffer_entry *entries, size_t index) {
    for (size_t i = 0; i < index; i++) {
        bool overlap = ranges_overlap(entries[i].address, entries[i].size, entries[index].address, entries[index].size);
        if (chronological->fifo || overlap || entries[i].barrier < entries[index].barrier) {
            return false;
        }
    }
    return true;
}

bool bus_find_waiting(struct chronological *chronological, uint32_t thread, size_t *next, struct reversal *reversal) {
    struct machine *machine = chronological->machine;
    const struct line *line = line_of(chronological, thread);
    const struct buffer_entry *entries;
    size_t count = machine_buffer(machine, thread, &entries);
    struct step step;
    *reversal = (struct reversal){
        .index = (uint32_t)chronological->events.count,
        .waits = true,
        .last_step = line->last_step,
        .last_drain = chronological->fifo ? line->last_drain : NO_EVENT,
    };
    while (*next < count) {
        const struct buffer_entry *entry = &entries[(*next)++];
        if (is_first(chronological, entries, (size_t)(entry - entries))) {
            struct transition drain = {.thread = thread, .kind = TRANSITION_DRAIN, .choice = entry->serial};
            machine_next(machine, drain, &step);
            chronological_label(chronological, &reversal->label, drain, &step);
            reversal->last_step = *(uint32_t *)vector_at(&line->stores, entry->serial);
            return true;
        }
    }
    struct transition pending = {.thread = thread, .kind = TRANSITION_STEP};
    machine_next(machine, pending, &step);
    chronological_label(chronological, &reversal->label, pending, &step);
    bool waits =
        (step.kind == STEP_SYNC && step.sub == SYNC_BUS_LOCK) || (is_store(step.kind) && !chronological->buffered);
    return (*next)++ == count && count == 0 && waits;
}
