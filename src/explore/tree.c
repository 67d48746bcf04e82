/* Insertion follows POPL 2014, Definition 6.2, with two differences.  The explored part stays in the tree, so that
 * sequences can be inserted while several workers explore it.  And a new branch has only those elements of the sequence
 * that its last one needs and that wake all sleepers passed on the way down: every continuation of such a branch is
 * explored anyway, none is redundant, and the branch covers more sequences to come. */
#include "explore/tree.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define SPINS 64
#define TREE_BLOCK 1024 /* number of nodes that a worker gets at a time */
#define MAX_CHUNKS (UINT32_MAX / TREE_CHUNK)

void tree_lock_shared(struct tree_node *node) {
    for (unsigned i = 1; atomic_exchange_explicit(&node->locked, true, memory_order_acquire); i++) {
        if (i % SPINS == 0) {
            sched_yield();
        }
    }
}

/* --- Nodes -------------------------------------------------------------------------------------------------------- */

static void add_block(struct tree *tree, struct tree_pool *pool) {
    pthread_mutex_lock(&tree->growing);
    uint32_t first = tree->blocks++ * TREE_BLOCK;
    if (!tree->chunks[first / TREE_CHUNK]) {
        tree->chunks[first / TREE_CHUNK] = memory_allocate(TREE_CHUNK * sizeof **tree->chunks);
    }
    pthread_mutex_unlock(&tree->growing);
    for (uint32_t i = TREE_BLOCK; i-- > 0;) {
        tree_at(tree, first + i)->next = pool->free;
        pool->free = first + i;
    }
}

static uint32_t node_new(struct tree *tree, struct tree_pool *pool, uint32_t parent, enum node_state state) {
    if (pool->free == NO_NODE) {
        add_block(tree, pool);
    }
    uint32_t node = pool->free;
    struct tree_node *new = tree_at(tree, node);
    pool->free = new->next;
    new->parent = parent;
    new->child = new->last = new->next = new->pending = NO_NODE;
    new->workers = 0;
    atomic_store_explicit(&new->state, state, memory_order_relaxed);
    new->free = false;
    return node;
}

/* Not by recursion: there may be as many levels below a node as an execution has events. */
static void release_children(struct tree *tree, struct tree_pool *pool, uint32_t node) {
    uint32_t at = node;
    while (at != node || tree_at(tree, node)->child != NO_NODE) {
        struct tree_node *released = tree_at(tree, at);
        uint32_t child = released->child;
        if (child != NO_NODE) {
            released->child = tree_at(tree, child)->next;
        } else {
            child = released->parent;
            released->next = pool->free;
            pool->free = at;
        }
        at = child;
    }
    struct tree_node *empty = tree_at(tree, node);
    empty->child = empty->last = empty->pending = NO_NODE;
}

void tree_init(struct tree *tree, struct tree_pool *pool, bool shared) {
    *tree = (struct tree){.shared = shared};
    pthread_mutex_init(&tree->growing, NULL);
    tree->chunks = memory_allocate(MAX_CHUNKS * sizeof *tree->chunks); /* pages are touched only when used */
    pool->free = NO_NODE;
    tree->root = node_new(tree, pool, NO_NODE, NODE_RUNNING);
    tree_at(tree, tree->root)->workers = 1;
}

void tree_delete(struct tree *tree) {
    for (uint32_t i = 0; i < MAX_CHUNKS && tree->chunks[i]; i++) {
        free(tree->chunks[i]);
    }
    free(tree->chunks);
    pthread_mutex_destroy(&tree->growing);
}

static enum node_state state_of(const struct tree *tree, uint32_t node) {
    return atomic_load_explicit(&tree_at(tree, node)->state, memory_order_acquire);
}

static void set_state(struct tree *tree, uint32_t node, enum node_state state) {
    atomic_store_explicit(&tree_at(tree, node)->state, state, memory_order_release);
}

/* Attaches a child that is alone or the first of a branch; the parent is locked. */
static void attach(struct tree *tree, uint32_t parent, uint32_t child) {
    struct tree_node *node = tree_at(tree, parent);
    if (node->last == NO_NODE) {
        node->child = child;
    } else {
        tree_at(tree, node->last)->next = child;
    }
    node->last = child;
    if (node->pending == NO_NODE && state_of(tree, child) == NODE_PENDING) {
        node->pending = child;
    }
}

/* --- Taking and leaving ------------------------------------------------------------------------------------------- */

/* The node is locked. */
static uint32_t take_pending(struct tree *tree, uint32_t node) {
    uint32_t taken = tree_at(tree, node)->pending;
    if (taken != NO_NODE) {
        tree_at(tree, node)->pending = tree_at(tree, taken)->next;
        tree_at(tree, taken)->workers = 1;
        set_state(tree, taken, NODE_TAKEN);
    }
    return taken;
}

uint32_t tree_take(struct tree *tree, uint32_t node) {
    tree_lock(tree, node);
    uint32_t taken = take_pending(tree, node);
    tree_unlock(tree, node);
    return taken;
}

void tree_begin(struct tree *tree, uint32_t node, const struct label *label) {
    uint32_t parent = tree_at(tree, node)->parent;
    tree_lock(tree, parent);
    label_copy(&tree_at(tree, node)->label, label);
    set_state(tree, node, NODE_RUNNING);
    tree_unlock(tree, parent);
}

void tree_skip(struct tree *tree, struct tree_pool *pool, uint32_t node) {
    uint32_t parent = tree_at(tree, node)->parent;
    tree_lock(tree, parent);
    tree_lock(tree, node);
    release_children(tree, pool, node);
    tree_at(tree, node)->free = true;
    tree_at(tree, node)->workers = 0;
    set_state(tree, node, NODE_DONE);
    tree_unlock(tree, node);
    tree_unlock(tree, parent);
}

void tree_add(struct tree *tree, struct tree_pool *pool, uint32_t parent, const struct label *label) {
    uint32_t child = node_new(tree, pool, parent, NODE_PENDING);
    label_copy(&tree_at(tree, child)->label, label);
    tree_lock(tree, parent);
    attach(tree, parent, child);
    tree_unlock(tree, parent);
}

/* Attaches the first child of a node that is explored freely. */
static void attach_free(struct tree *tree, uint32_t parent, uint32_t child) {
    tree_lock(tree, parent);
    attach(tree, parent, child);
    tree_at(tree, parent)->free = true;
    tree_unlock(tree, parent);
}

uint32_t tree_add_free(struct tree *tree, struct tree_pool *pool, uint32_t parent, struct transition transition) {
    uint32_t child = node_new(tree, pool, parent, NODE_TAKEN);
    tree_at(tree, child)->label.transition = transition;
    tree_at(tree, child)->workers = 1;
    attach_free(tree, parent, child);
    return child;
}

uint32_t tree_add_running(struct tree *tree, struct tree_pool *pool, uint32_t parent, const struct label *label) {
    uint32_t child = node_new(tree, pool, parent, NODE_RUNNING);
    label_copy(&tree_at(tree, child)->label, label);
    tree_at(tree, child)->workers = 1;
    tree_at(tree, child)->free = true;
    attach_free(tree, parent, child);
    return child;
}

/* Are all earlier siblings of the node, and of those above it up to one that was explored freely, done? */
static bool earlier_are_done(const struct tree *tree, uint32_t node) {
    for (uint32_t parent = tree_at(tree, node)->parent; tree->shared && parent != NO_NODE;
         parent = tree_at(tree, node)->parent) {
        for (uint32_t sibling = tree_at(tree, parent)->child; sibling != node; sibling = tree_at(tree, sibling)->next) {
            if (state_of(tree, sibling) != NODE_DONE) {
                return false;
            }
        }
        if (tree_at(tree, parent)->free) {
            return true;
        }
        node = parent;
    }
    return true;
}

/* Can no worker insert below the node any more?  The node and its parent are locked.  While this searches the siblings,
 * one far above may wake one further down and be done itself: the second search sees that. */
static bool is_closed(const struct tree *tree, uint32_t node) {
    bool done = earlier_are_done(tree, node);
    return done ? earlier_are_done(tree, node) : done;
}

static bool has_unfinished_child(const struct tree *tree, uint32_t node) {
    uint32_t child = tree->shared ? tree_at(tree, node)->child : NO_NODE;
    while (child != NO_NODE && state_of(tree, child) == NODE_DONE) {
        child = tree_at(tree, child)->next;
    }
    return child != NO_NODE;
}

/* The worker leaves the node if nothing is pending there; with `anyway` in any case. */
static bool leave(struct tree *tree, struct tree_pool *pool, uint32_t node, bool anyway) {
    uint32_t parent = tree_at(tree, node)->parent;
    if (parent != NO_NODE) {
        tree_lock(tree, parent);
    }
    tree_lock(tree, node);
    struct tree_node *left = tree_at(tree, node);
    bool leaves = left->pending == NO_NODE || anyway;
    if (leaves && --left->workers == 0 && left->pending == NO_NODE && !has_unfinished_child(tree, node)) {
        if (left->free || is_closed(tree, node)) {
            release_children(tree, pool, node);
            left->free = true;
        }
        set_state(tree, node, NODE_DONE);
    }
    tree_unlock(tree, node);
    if (parent != NO_NODE) {
        tree_unlock(tree, parent);
    }
    return leaves;
}

bool tree_leave(struct tree *tree, struct tree_pool *pool, uint32_t node) {
    return leave(tree, pool, node, false);
}

/* Counts the worker in a child that is running; false if it is not. */
static bool enter(struct tree *tree, uint32_t parent, uint32_t child) {
    tree_lock(tree, parent);
    bool running = state_of(tree, child) == NODE_RUNNING;
    if (running) {
        tree_lock(tree, child);
        tree_at(tree, child)->workers++;
        tree_unlock(tree, child);
    }
    tree_unlock(tree, parent);
    return running;
}

static uint32_t next_child(struct tree *tree, uint32_t node, uint32_t child) {
    tree_lock(tree, node);
    uint32_t next = tree_at(tree, child)->next;
    tree_unlock(tree, node);
    return next;
}

/* The worker is counted in the nodes of the path; it leaves those below which it finds nothing to take. */
static bool steal_below(struct tree *tree, struct tree_pool *pool, struct vector *path) {
    bool fresh = true; /* the last node of the path is new: `child` is not set for it */
    uint32_t child = NO_NODE;
    while (path->count > 0) {
        uint32_t node = *(uint32_t *)vector_at(path, path->count - 1);
        if (fresh) {
            tree_lock(tree, node);
            uint32_t taken = take_pending(tree, node);
            child = tree_at(tree, node)->child;
            tree_unlock(tree, node);
            if (taken != NO_NODE) {
                vector_push(path, &taken);
                return true;
            }
        }
        while (child != NO_NODE && !enter(tree, node, child)) {
            child = next_child(tree, node, child);
        }
        fresh = child != NO_NODE || !tree_leave(tree, pool, node);
        if (child != NO_NODE) {
            vector_push(path, &child);
        } else if (!fresh && --path->count > 0) {
            child = next_child(tree, *(uint32_t *)vector_at(path, path->count - 1), node);
        }
    }
    return false;
}

bool tree_steal(struct tree *tree, struct tree_pool *pool, struct vector *path) {
    path->count = 0;
    tree_lock(tree, tree->root);
    bool running = state_of(tree, tree->root) == NODE_RUNNING;
    tree_at(tree, tree->root)->workers += running;
    tree_unlock(tree, tree->root);
    if (running) {
        vector_push(path, &tree->root);
    }
    return running && steal_below(tree, pool, path);
}

/* --- Insertion ---------------------------------------------------------------------------------------------------- */

bool tree_covers(const struct tree *tree, uint32_t node, uint32_t from, struct outline *outline) {
    bool covers = false;
    bool open = false;
    tree_lock(tree, node);
    for (uint32_t child = tree_at(tree, from)->next; child != NO_NODE && !covers && !open;) {
        enum initial initial = outline_initial(outline, tree_at(tree, child)->label.transition, true);
        if (initial == INITIAL_YES) {
            tree_lock(tree, child);
            tree_unlock(tree, node);
            node = child;
            child = tree_at(tree, node)->child;
            covers = tree_at(tree, node)->free || child == NO_NODE || outline->count == 0;
        } else {
            open = initial == INITIAL_OPEN;
            child = tree_at(tree, child)->next;
        }
    }
    tree_unlock(tree, node);
    return covers;
}

/* Removes the sleepers that depend on `passed`. */
static void pass_sleepers(const struct tree *tree, struct vector *asleep, const struct label *passed, bool fifo) {
    size_t count = 0;
    for (size_t i = 0; i < asleep->count; i++) {
        struct sleeper *sleeper = vector_at(asleep, i);
        struct label scratch;
        const struct label *label = sleeper_label(tree, *sleeper, &scratch);
        if (labels_independent(label, passed, fifo)) {
            struct sleeper kept = *sleeper;
            kept.passed = kept.passed || label_serves(passed, label);
            *(struct sleeper *)vector_at(asleep, count++) = kept;
        }
    }
    asleep->count = count;
}

/* Keeps those elements of the sequence that its last one needs or that wake a sleeper. */
static void shorten(const struct tree *tree, struct sequence *sequence, const struct vector *asleep) {
    sequence_mark_last(sequence);
    for (size_t i = 0; i < asleep->count; i++) {
        struct label scratch;
        struct sleeper sleeper = *(struct sleeper *)vector_at(asleep, i);
        if (!sleeper.open && !sequence_mark_waker(sequence, sleeper_label(tree, sleeper, &scratch))) {
            return;
        }
    }
    sequence_keep_marked(sequence);
}

/* The parent is locked. */
static void append_branch(struct tree *tree, struct tree_pool *pool, uint32_t parent, const struct sequence *sequence) {
    uint32_t top = NO_NODE;
    uint32_t above = parent;
    for (size_t i = 0; i < sequence->elements.count; i++) {
        uint32_t node = node_new(tree, pool, above, NODE_PENDING);
        label_copy(&tree_at(tree, node)->label, sequence_label(sequence, i));
        if (i == 0) {
            top = node;
        } else {
            attach(tree, above, node);
        }
        above = node;
    }
    attach(tree, parent, top);
}

/* The worker goes down to a child; if the child is running or done, the worker is counted in it, which keeps it. */
static void go_down(struct tree *tree, uint32_t child, struct vector *entered) {
    if (tree->shared && (state_of(tree, child) == NODE_RUNNING || state_of(tree, child) == NODE_DONE)) {
        tree_at(tree, child)->workers++;
        set_state(tree, child, NODE_RUNNING);
        vector_push(entered, &child);
    }
}

bool tree_covers_all_choices(const struct tree *tree, const struct vector *asleep, const struct label *label,
                             struct picks *picks) {
    struct vector choices;
    vector_init(&choices, sizeof(struct picked));
    struct picked own = {.choice = label->transition.choice, .choices = label->choices};
    vector_push(&choices, &own);
    for (size_t i = 0; i < asleep->count; i++) {
        const struct sleeper *sleeper = vector_at(asleep, i);
        const struct label *other = &tree_at(tree, sleeper->node)->label;
        if (sleeper->open && other->transition.thread == label->transition.thread) {
            struct picked picked = {.choice = other->transition.choice, .choices = other->choices};
            vector_push(&choices, &picked);
        }
    }
    bool all = picks_cover(picks, &choices);
    vector_delete(&choices);
    return all;
}

/* An insertion in progress. */
struct insertion {
    struct tree *tree;
    struct tree_pool *pool;
    struct vector entered; /* of uint32_t: nodes in which the worker is counted */
};

static void insert_from(struct insertion *insertion, uint32_t node, uint32_t child, struct sequence *sequence,
                        struct vector *asleep);

/* The sequence leaves open which of several choices a thread makes, and the child has one of them: inserts the sequence
 * with that choice below the child.  The child's parent is locked. */
static void insert_one_choice(struct insertion *insertion, uint32_t child, const struct sequence *sequence,
                              const struct vector *asleep) {
    struct tree *tree = insertion->tree;
    tree_lock(tree, child);
    if (tree_at(tree, child)->free || tree_at(tree, child)->child == NO_NODE) {
        tree_unlock(tree, child);
        return;
    }
    struct sequence narrowed;
    struct vector still_asleep;
    const struct label *label = &tree_at(tree, child)->label;
    sequence_copy(&narrowed, sequence);
    vector_init(&still_asleep, sizeof(struct sleeper));
    memcpy(vector_grow(&still_asleep, asleep->count), asleep->data, asleep->count * sizeof(struct sleeper));
    sequence_take_out(&narrowed, narrowed.elements.count, label);
    pass_sleepers(tree, &still_asleep, label, sequence->chronological->fifo);
    go_down(tree, child, &insertion->entered);
    insert_from(insertion, child, tree_at(tree, child)->child, &narrowed, &still_asleep);
    vector_delete(&still_asleep);
    sequence_delete(&narrowed);
}

/* Inserts the sequence at a node that is locked, among the children from this one on, and unlocks the node. */
static void insert_from(struct insertion *insertion, uint32_t node, uint32_t child, struct sequence *sequence,
                        struct vector *asleep) {
    struct tree *tree = insertion->tree;
    bool fifo = sequence->chronological->fifo;
    while (child != NO_NODE) {
        size_t index;
        const struct label *label = &tree_at(tree, child)->label;
        bool initial = sequence_weak_initial(sequence, label, &index);
        bool open = initial && index == sequence->elements.count && sequence_leaves_open(sequence, label) &&
                    !tree_covers_all_choices(tree, asleep, label, sequence->chronological->picks);
        if (open) {
            insert_one_choice(insertion, child, sequence, asleep);
        }
        if (!initial || open) {
            struct sleeper sleeper = {.node = child, .open = open};
            vector_push(asleep, &sleeper);
            child = tree_at(tree, child)->next;
            continue;
        }
        sequence_take_out(sequence, index, label);
        tree_lock(tree, child);
        if (tree_at(tree, child)->free || tree_at(tree, child)->child == NO_NODE || sequence->elements.count == 0) {
            tree_unlock(tree, child);
            tree_unlock(tree, node);
            return;
        }
        pass_sleepers(tree, asleep, label, fifo);
        go_down(tree, child, &insertion->entered);
        tree_unlock(tree, node);
        node = child;
        child = tree_at(tree, node)->child;
    }
    shorten(tree, sequence, asleep);
    append_branch(tree, insertion->pool, node, sequence);
    tree_unlock(tree, node);
}

void tree_insert(struct tree *tree, struct tree_pool *pool, uint32_t node, uint32_t from, struct sequence *sequence,
                 struct vector *asleep) {
    struct insertion insertion = {.tree = tree, .pool = pool};
    struct sleeper first = {.node = from};
    vector_init(&insertion.entered, sizeof(uint32_t));
    vector_push(asleep, &first);
    tree_lock(tree, node);
    insert_from(&insertion, node, tree_at(tree, from)->next, sequence, asleep);
    for (size_t i = insertion.entered.count; i-- > 0;) {
        leave(tree, pool, *(uint32_t *)vector_at(&insertion.entered, i), true);
    }
    vector_delete(&insertion.entered);
}
