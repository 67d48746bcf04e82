/* The edges of a new event: first the structural ones, from earlier events of its thread; then those through memory,
 * from the chains of the words that it accesses; then its row and its races. */
#ifndef PICKET_EXPLORE_EDGES_H
#define PICKET_EXPLORE_EDGES_H

#include "explore/chronological.h"

/* The events of one thread that later ones depend on. */
struct line {
    uint32_t last_step;
    uint32_t last_drain;
    uint64_t fenced;       /* stores with a number up to this one were drained before a step that waited for them */
    struct vector stores;  /* of uint32_t: event of each store, by serial number */
    struct vector updates; /* of uint32_t: event of the drain of each store, or NO_EVENT */
};

void edges_add_line(struct chronological *chronological);

static inline struct line *line_of(struct chronological *chronological, uint32_t thread) {
    while (thread >= chronological->lines.count) {
        edges_add_line(chronological);
    }
    return ((struct line **)chronological->lines.data)[thread];
}

static inline bool is_store(uint8_t kind) {
    return kind == STEP_STORE || kind == STEP_FREE || kind == STEP_LEAVE;
}

static inline bool waits_for_buffer(const struct step *step) {
    return step->kind != STEP_LOAD && step->kind != STEP_STORE && step->kind != STEP_DRAIN && step->kind != STEP_FREE &&
           step->kind != STEP_LEAVE && step->kind != STEP_NONDET && step->kind != STEP_MALLOC;
}

static inline bool joins(const struct step *step) {
    return step->kind == STEP_SYNC && step->sub == SYNC_THREAD_JOIN && step->result == 0;
}

/* An edge from an event, unless it is NO_EVENT. */
static inline void edges_add(struct chronological *chronological, uint32_t event) {
    if (event != NO_EVENT) {
        *(uint32_t *)vector_room(&chronological->predecessors) = event;
    }
}

/* From the drains of the thread to a step that had to wait for them. */
void edges_add_updates(struct chronological *chronological, struct line *line);
void edges_add_step(struct chronological *chronological, struct line *line, const struct step *step);
/* To a drain: from its store, and from the drains that had to come before it. */
void edges_add_drain(struct chronological *chronological, struct line *line, const struct event *event);
/* From the events on which the event depends through memory; adds its accesses to the chains. */
void edges_add_memory(struct chronological *chronological, uint32_t index);

/* Adds the events of the edges, and those that happen before them, to the row of an event that has no races. */
void edges_join(struct chronological *chronological, uint32_t index);
/* Sets the row of the newest event and finds its races.  If the event waits, they are those in `found`; else the edges
 * after the first `structural` ones that are not implied by others. */
void edges_finish(struct chronological *chronological, uint32_t index, size_t structural, bool waits);

#endif
