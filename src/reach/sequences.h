/* A set of instruction sequences, as a tree; an attack moves down the tree as it executes instructions. */
#ifndef PICKET_REACH_SEQUENCES_H
#define PICKET_REACH_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/vector.h"

/* Node 0 is the root, where every sequence begins; SEQUENCES_OUTSIDE stands for any prefix that is not in the tree. */
#define SEQUENCES_OUTSIDE UINT32_MAX

struct sequence_node {
    uint32_t instruction;
    uint32_t child;   /* the first, or 0 */
    uint32_t sibling; /* the next, or 0 */
    bool ends;        /* a sequence ends here */
};

struct sequences {
    struct vector nodes;     /* of struct sequence_node */
    const uint32_t *origins; /* by instruction: its name in the sequences, 0: it is in none and is ignored */
    size_t count;            /* of sequences */
};

/* `list` is of struct vector of uint32_t; NULL stands for the empty list. */
void sequences_init(struct sequences *sequences, const struct vector *list, const uint32_t *origins);
void sequences_delete(struct sequences *sequences);

/* The node after the instruction. */
uint32_t sequences_step(const struct sequences *sequences, uint32_t node, uint32_t instruction);

/* Does a sequence end with this instruction, after this node? */
bool sequences_ends(const struct sequences *sequences, uint32_t node, uint32_t instruction);

#endif
