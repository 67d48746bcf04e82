/* The flow graph of a function: basic blocks, dominators, and loops. */
#ifndef PICKET_IR_FLOW_H
#define PICKET_IR_FLOW_H

#include "ir/program.h"

#define NO_BLOCK UINT32_MAX

struct block {
    uint32_t first; /* instructions first .. end - 1 of the function */
    uint32_t end;
    uint32_t successors; /* in flow.edges: successors .. successors + successors_count */
    uint32_t successors_count;
    uint32_t predecessors;
    uint32_t predecessors_count;
    uint32_t dominator; /* immediate; NO_BLOCK for the first and for unreachable blocks */
    uint32_t order;     /* in reverse post-order; NO_BLOCK if unreachable */
};

/* A natural loop: all back edges to one header. */
struct loop {
    uint32_t header;  /* block */
    uint32_t *blocks; /* ascending */
    uint32_t blocks_count;
    uint64_t *members; /* the same blocks as a bit set, which begins with the first of them */
    uint32_t parent;   /* the smallest loop around this one, or NO_BLOCK */
    bool innermost;
};

struct flow {
    const struct program *program;
    const struct function *function;
    const struct instruction *code;
    struct block *blocks;
    uint32_t blocks_count;
    uint32_t *block_of; /* by instruction */
    uint32_t *edges;
    struct loop *loops;
    uint32_t loops_count;
    uint32_t *loop_of; /* by block: the smallest loop around it, or NO_BLOCK */
    bool irreducible;  /* some cycle has no header that dominates it */
};

void flow_init(struct flow *flow, const struct program *program, uint32_t function);
void flow_delete(struct flow *flow);

bool flow_dominates(const struct flow *flow, uint32_t block, uint32_t other);

static inline bool loop_has(const struct loop *loop, uint32_t block) {
    uint32_t first = loop->blocks[0];
    uint32_t last = loop->blocks[loop->blocks_count - 1];
    return block >= first && block <= last && (loop->members[(block - first) / 64] >> (block - first) % 64 & 1);
}

#endif
