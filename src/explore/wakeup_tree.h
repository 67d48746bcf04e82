/* Wakeup trees: what is still to be explored from a state, as an ordered tree of event sequences (Abdulla, Aronis,
 * Jonsson and Sagonas, Optimal dynamic partial order reduction, POPL 2014).
 *
 * Nodes live in one pool and are given back as they are explored. */
#ifndef PICKET_EXPLORE_WAKEUP_TREE_H
#define PICKET_EXPLORE_WAKEUP_TREE_H

#include "engine/label.h"
#include "util/vector.h"

#define NO_NODE UINT32_MAX

struct wakeup_node {
    struct label label;
    uint32_t child; /* first */
    uint32_t next;  /* sibling */
};

struct wakeup_pool {
    struct vector nodes;
    uint32_t free;
};

void wakeup_pool_init(struct wakeup_pool *pool);
void wakeup_pool_delete(struct wakeup_pool *pool);

static inline struct wakeup_node *wakeup_at(const struct wakeup_pool *pool, uint32_t node) {
    return vector_at(&pool->nodes, node);
}

/* A sequence to be inserted: its labels in order.  `depends(data, i, k)` tells whether the element whose index is i
 * happens after the one whose index is k. */
struct wakeup_sequence {
    const struct label **labels;
    uint32_t *index; /* for the caller: what each element is */
    uint32_t count;
    bool (*depends)(const void *data, uint32_t later, uint32_t earlier);
    const void *data;
    bool fifo;
    uint32_t
        turned_away; /* the thread whose choice the sequence delays, or NO_NODE: its other choices lead elsewhere */
};

/* Is the transition a weak initial of the sequence: could it come first?  If it is element i of it, *place = i; if it
 * is none of them but disturbs none, *place = count. */
bool wakeup_weak_initial(const struct wakeup_sequence *sequence, const struct label *label, uint32_t *place);

/* Inserts the sequence below *first unless the tree has it already.  Uses the sequence up. */
void wakeup_insert(struct wakeup_pool *pool, uint32_t *first, struct wakeup_sequence *sequence);

/* Adds a single transition as the last child. */
void wakeup_add(struct wakeup_pool *pool, uint32_t *first, const struct label *label);

/* Takes the first child out; returns its node, whose children the caller goes on with. */
uint32_t wakeup_take(struct wakeup_pool *pool, uint32_t *first);
void wakeup_release(struct wakeup_pool *pool, uint32_t node);
void wakeup_release_all(struct wakeup_pool *pool, uint32_t first);

#endif
