/* A set of instruction sequences, as a tree: children of a node in a list. */
#include "reach/sequences.h"

static const struct sequence_node *node_at(const struct sequences *sequences, uint32_t index) {
    return vector_at(&sequences->nodes, index);
}

/* The child of a node for a name; SEQUENCES_OUTSIDE if there is none. */
static uint32_t lead(const struct sequences *sequences, uint32_t node, uint32_t name) {
    for (uint32_t child = node_at(sequences, node)->child; child != 0; child = node_at(sequences, child)->sibling) {
        if (node_at(sequences, child)->instruction == name) {
            return child;
        }
    }
    return SEQUENCES_OUTSIDE;
}

static void add(struct sequences *sequences, const struct vector *sequence) {
    uint32_t at = 0;
    for (size_t i = 0; i < sequence->count; i++) {
        uint32_t instruction = *(const uint32_t *)vector_at(sequence, i);
        uint32_t next = lead(sequences, at, instruction);
        if (next == SEQUENCES_OUTSIDE) {
            next = (uint32_t)sequences->nodes.count;
            struct sequence_node node = {.instruction = instruction, .sibling = node_at(sequences, at)->child};
            vector_push(&sequences->nodes, &node);
            ((struct sequence_node *)vector_at(&sequences->nodes, at))->child = next;
        }
        at = next;
    }
    ((struct sequence_node *)vector_at(&sequences->nodes, at))->ends = true;
}

void sequences_init(struct sequences *sequences, const struct vector *list, const uint32_t *origins) {
    vector_init(&sequences->nodes, sizeof(struct sequence_node));
    vector_grow(&sequences->nodes, 1);
    sequences->origins = origins;
    sequences->count = list ? list->count : 0;
    for (size_t i = 0; i < sequences->count; i++) {
        add(sequences, vector_at(list, i));
    }
}

void sequences_delete(struct sequences *sequences) {
    vector_delete(&sequences->nodes);
}

uint32_t sequences_step(const struct sequences *sequences, uint32_t node, uint32_t instruction) {
    uint32_t name = sequences->origins[instruction];
    return node == SEQUENCES_OUTSIDE || name == 0 ? node : lead(sequences, node, name);
}

bool sequences_ends(const struct sequences *sequences, uint32_t node, uint32_t instruction) {
    uint32_t next = sequences_step(sequences, node, instruction);
    return next != SEQUENCES_OUTSIDE && node_at(sequences, next)->ends;
}
