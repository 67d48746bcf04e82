/* The edges of a new event.  First the structural ones are collected, from what its thread did before; then those
 * through memory, from the chains of the words that it touches; then its row and its races are set. */
#ifndef PICKET_EXPLORE_EDGES_H
#define PICKET_EXPLORE_EDGES_H

#include "explore/chronological.h"

/* What is known of a thread. */
struct line {
    uint32_t last_step;
    uint32_t last_drain;
    uint32_t woken_by;
    uint64_t fenced;       /* serial numbers up to this one were drained before a step that waited for them */
    struct vector stores;  /* of uint32_t: event of each store, by serial number */
    struct vector updates; /* of uint32_t: event of its drain, or NO_EVENT */
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

/* From the drains of the thread, to a step that had to wait for them. */
void edges_add_updates(struct chronological *chronological, struct line *line);
void edges_add_step(struct chronological *chronological, struct line *line, const struct step *step);
/* To a drain: from its store, and the drains that had to come before it. */
void edges_add_drain(struct chronological *chronological, struct line *line, const struct event *event);
/* From what the event depends on through memory; links it for those to come. */
void edges_add_memory(struct chronological *chronological, uint32_t index);

/* Adds the edges' events and what happens before them to the row of an event that has no races. */
void edges_join(struct chronological *chronological, uint32_t index);
/* Sets the row of the newest event, and finds its races: those found if it is an event that waits, else the edges
 * behind the first `structural` ones that no other path doubles. */
void edges_finish(struct chronological *chronological, uint32_t index, size_t structural, bool waits);
/* Adds a race of the newest event, whose races begin at `first`. */
void edges_add_race(struct chronological *chronological, uint32_t first, uint32_t event);
/* Drops those of its races that happen before another one: once the latest is reversed, they are races there. */
void edges_keep_latest(struct chronological *chronological, uint32_t first);

#endif
