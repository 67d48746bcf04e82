/* Insertion follows POPL 2014, Definition 6.2: down the tree along children that can come first in what is left of the
 * sequence; a leaf on that way has it covered; otherwise the rest becomes a new, last, branch. */
#include "explore/wakeup_tree.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

void wakeup_pool_init(struct wakeup_pool *pool) {
    vector_init(&pool->nodes, sizeof(struct wakeup_node));
    pool->free = NO_NODE;
}

void wakeup_pool_delete(struct wakeup_pool *pool) {
    vector_delete(&pool->nodes);
}

static uint32_t node_new(struct wakeup_pool *pool, const struct label *label) {
    uint32_t node = pool->free;
    if (node == NO_NODE) {
        vector_grow(&pool->nodes, 1);
        node = (uint32_t)pool->nodes.count - 1;
    } else {
        pool->free = wakeup_at(pool, node)->next;
    }
    *wakeup_at(pool, node) = (struct wakeup_node){.label = *label, .child = NO_NODE, .next = NO_NODE};
    return node;
}

void wakeup_release(struct wakeup_pool *pool, uint32_t node) {
    wakeup_at(pool, node)->next = pool->free;
    pool->free = node;
}

void wakeup_release_all(struct wakeup_pool *pool, uint32_t first) {
    while (first != NO_NODE) {
        struct wakeup_node *node = wakeup_at(pool, first);
        uint32_t next = node->next;
        uint32_t child = node->child;
        wakeup_release_all(pool, child);
        wakeup_release(pool, first);
        first = next;
    }
}

bool wakeup_weak_initial(const struct wakeup_sequence *sequence, const struct label *label, uint32_t *place) {
    for (uint32_t i = 0; i < sequence->count; i++) {
        if (transitions_equal(sequence->labels[i]->transition, label->transition)) {
            for (uint32_t k = 0; k < i; k++) {
                if (sequence->depends(sequence->data, sequence->index[i], sequence->index[k])) {
                    return false;
                }
            }
            *place = i;
            return true;
        }
    }
    if (label->transition.kind == TRANSITION_STEP && label->transition.thread == sequence->turned_away) {
        return false;
    }
    struct label waiting = *label;
    for (uint32_t i = 0; i < sequence->count; i++) {
        if (!labels_independent(sequence->labels[i], &waiting, sequence->fifo)) {
            return false;
        }
        label_pass(&waiting, sequence->labels[i]);
    }
    *place = sequence->count;
    return true;
}

static void remove_element(struct wakeup_sequence *sequence, uint32_t place) {
    if (place < sequence->count) {
        uint32_t behind = sequence->count - place - 1;
        memmove(sequence->labels + place, sequence->labels + place + 1, behind * sizeof *sequence->labels);
        memmove(sequence->index + place, sequence->index + place + 1, behind * sizeof *sequence->index);
        sequence->count--;
    }
}

static void append_branch(struct wakeup_pool *pool, uint32_t parent, uint32_t *first,
                          const struct wakeup_sequence *sequence) {
    uint32_t previous = NO_NODE;
    for (uint32_t child = *first; child != NO_NODE; child = wakeup_at(pool, child)->next) {
        previous = child;
    }
    for (uint32_t i = 0; i < sequence->count; i++) {
        uint32_t node = node_new(pool, sequence->labels[i]);
        if (i > 0) {
            wakeup_at(pool, parent)->child = node;
        } else if (previous != NO_NODE) {
            wakeup_at(pool, previous)->next = node;
        } else if (parent != NO_NODE) {
            wakeup_at(pool, parent)->child = node;
        } else {
            *first = node;
        }
        parent = node;
    }
}

/* Loads of the sequence that the store now drained would have served early change: they get labels of their own. */
static void pass_all(struct wakeup_sequence *sequence, const struct label *label, struct vector *passed) {
    for (uint32_t i = 0; i < sequence->count && label->transition.kind == TRANSITION_DRAIN; i++) {
        if (sequence->labels[i]->early == label->transition.choice &&
            sequence->labels[i]->transition.thread == label->transition.thread) {
            struct label *copy = memory_allocate(sizeof *copy);
            *copy = *sequence->labels[i];
            label_pass(copy, label);
            sequence->labels[i] = copy;
            vector_push(passed, &copy);
        }
    }
}

static void insert(struct wakeup_pool *pool, uint32_t *first, struct wakeup_sequence *sequence, struct vector *passed) {
    uint32_t parent = NO_NODE;
    uint32_t list = *first;
    for (uint32_t child = list; child != NO_NODE;) {
        uint32_t place;
        if (!wakeup_weak_initial(sequence, &wakeup_at(pool, child)->label, &place)) {
            child = wakeup_at(pool, child)->next;
            continue;
        }
        remove_element(sequence, place);
        pass_all(sequence, &wakeup_at(pool, child)->label, passed);
        if (wakeup_at(pool, child)->child == NO_NODE || sequence->count == 0) {
            return;
        }
        parent = child;
        list = wakeup_at(pool, child)->child;
        child = list;
    }
    append_branch(pool, parent, parent == NO_NODE ? first : &list, sequence);
}

void wakeup_insert(struct wakeup_pool *pool, uint32_t *first, struct wakeup_sequence *sequence) {
    struct vector passed;
    vector_init(&passed, sizeof(struct label *));
    insert(pool, first, sequence, &passed);
    for (size_t i = 0; i < passed.count; i++) {
        free(*(struct label **)vector_at(&passed, i));
    }
    vector_delete(&passed);
}

void wakeup_add(struct wakeup_pool *pool, uint32_t *first, const struct label *label) {
    struct wakeup_sequence sequence = {.labels = &label, .count = 1};
    append_branch(pool, NO_NODE, first, &sequence);
}

uint32_t wakeup_take(struct wakeup_pool *pool, uint32_t *first) {
    uint32_t node = *first;
    *first = wakeup_at(pool, node)->next;
    return node;
}
