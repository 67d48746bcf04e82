/* The tree of explored prefixes and of those still to be explored: wakeup trees (Abdulla, Aronis, Jonsson and Sagonas,
 * Optimal dynamic partial order reduction, POPL 2014) that keep the explored part as long as it is needed.
 *
 * A node is a state and the event that leads there.  Its children are ordered by the time at which they were found and
 * are explored in that order; each one is in the sleep set while a later one is explored.  When the turn of a node
 * comes, the exploration follows its children; a node without children is explored freely: the worker chooses any
 * transitions. Inserting a sequence follows children that are weak initials of the rest of the sequence.  A node that
 * is or was explored freely covers the rest; otherwise the rest becomes a new, last, child.
 *
 * Several workers may share a tree.  Each has the nodes from the root to its present one on its stack and is counted in
 * them; a node is done when nothing is pending in it and the last worker leaves it.  A node has a lock for its list of
 * children and their states; a worker that holds it may lock a child, never the parent.  A sequence may still be
 * inserted below a node that is running or done while an earlier sibling of it, or of a node above it, runs: a node is
 * kept that long. */
#ifndef PICKET_EXPLORE_TREE_H
#define PICKET_EXPLORE_TREE_H

#include <pthread.h>
#include <stdatomic.h>

#include "explore/outline.h"

#define NO_NODE UINT32_MAX
#define TREE_CHUNK 8192

enum node_state {
    NODE_PENDING,
    NODE_TAKEN,   /* by a worker that has not made its event yet */
    NODE_RUNNING, /* its label is that of its event */
    NODE_DONE,
};

/* Invariants, in debug builds evaluated now and then (invariants.h), of a node whose lock is held:
 *
 *     T1  Its children are linked from `child` to `last`, and each has it as parent.
 *     T2  `pending` is the first pending child, and all after it are pending, none before it.
 *     T3  No two pending children have the same transition.
 *     T4  A node on the stack of a worker counts a worker and is not done. */
struct tree_node {
    struct label label;
    uint32_t parent;
    uint32_t child; /* first */
    uint32_t last;  /* child */
    uint32_t next;  /* sibling */
    uint32_t pending;
    uint32_t workers;
    _Atomic uint8_t state; /* enum node_state; changes under the lock of the parent */
    atomic_bool locked;
    bool free; /* its children were not prescribed */
};

struct tree {
    bool shared;               /* by several workers */
    struct tree_node **chunks; /* of TREE_CHUNK nodes: they never move */
    uint32_t blocks;           /* of TREE_BLOCK nodes, in use */
    uint32_t root;
    pthread_mutex_t growing;
};

/* Where a worker takes new nodes from. */
struct tree_pool {
    uint32_t free;
};

/* An element of a sleep set: a node whose event has been explored, or is being explored by another worker. */
struct sleeper {
    uint32_t node;
    bool passed; /* a load that its own buffer would have served: the store has drained since */
    bool open;   /* it covers only the executions with its choice */
};

void tree_init(struct tree *tree, struct tree_pool *pool, bool shared);
void tree_delete(struct tree *tree);

static inline struct tree_node *tree_at(const struct tree *tree, uint32_t node) {
    return &tree->chunks[node / TREE_CHUNK][node % TREE_CHUNK];
}

void tree_lock_shared(struct tree_node *node);

static inline void tree_lock(const struct tree *tree, uint32_t node) {
    if (tree->shared) {
        tree_lock_shared(tree_at(tree, node));
    }
}

static inline void tree_unlock(const struct tree *tree, uint32_t node) {
    if (tree->shared) {
        atomic_store_explicit(&tree_at(tree, node)->locked, false, memory_order_release);
    }
}

/* The label of a sleeper; uses `scratch` if it differs from the node's. */
static inline const struct label *sleeper_label(const struct tree *tree, struct sleeper sleeper,
                                                struct label *scratch) {
    const struct label *label = &tree_at(tree, sleeper.node)->label;
    if (!sleeper.passed) {
        return label;
    }
    *scratch = *label;
    label_arrive(scratch);
    return scratch;
}

/* Takes the first pending child, or returns NO_NODE. */
uint32_t tree_take(struct tree *tree, uint32_t node);

/* Sets the label of a taken node, whose event was made. */
void tree_begin(struct tree *tree, uint32_t node, const struct label *label);

/* Marks a taken node that needs no exploration as done. */
void tree_skip(struct tree *tree, struct tree_pool *pool, uint32_t node);

/* Adds a last child: a pending one, or the taken one with which a node is explored freely. */
void tree_add(struct tree *tree, struct tree_pool *pool, uint32_t parent, const struct label *label);
uint32_t tree_add_free(struct tree *tree, struct tree_pool *pool, uint32_t parent, struct transition transition);

/* Adds the child at which the worker is, and which it explores freely. */
uint32_t tree_add_running(struct tree *tree, struct tree_pool *pool, uint32_t parent, const struct label *label);

/* Does an outline show that a child of the node after `from`, where the worker is, covers its sequence?  Consumes the
 * outline. */
bool tree_covers(const struct tree *tree, uint32_t node, uint32_t from, struct outline *outline);

/* Inserts a sequence at a node, after its child `from`, unless a child there covers it.  `asleep` (of struct sleeper)
 * is the sleep set of the node while `from` is explored.  Consumes both. */
void tree_insert(struct tree *tree, struct tree_pool *pool, uint32_t node, uint32_t from, struct sequence *sequence,
                 struct vector *asleep);

/* Do the label and the open sleepers of its thread have all choices of the step? */
bool tree_covers_all_choices(const struct tree *tree, const struct vector *asleep, const struct label *label,
                             struct picks *picks);

/* The worker leaves a node at which nothing is pending; returns false if something is, and the worker stays. */
bool tree_leave(struct tree *tree, struct tree_pool *pool, uint32_t node);

/* Looks for a pending node and takes it.  `path` (of uint32_t) leads there from the root, and the worker is counted in
 * all its nodes.  False if there is none now. */
bool tree_steal(struct tree *tree, struct tree_pool *pool, struct vector *path);

static inline bool tree_done(const struct tree *tree) {
    return atomic_load_explicit(&tree_at(tree, tree->root)->state, memory_order_acquire) == NODE_DONE;
}

#endif
