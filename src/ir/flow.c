/* Blocks from leaders, dominators by the iterative method of Cooper, Harvey and Kennedy, natural loops from back edges.
 */
#include "ir/flow.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/vector.h"

struct leaders {
    uint8_t *marks;
};

static void mark_leader(void *data, uint32_t target) {
    ((struct leaders *)data)->marks[target] = 1;
}

static void find_blocks(struct flow *flow) {
    uint32_t count = flow->function->count;
    struct leaders leaders = {memory_allocate((size_t)count + 1)};
    leaders.marks[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *instruction = &flow->code[i];
        instruction_targets(flow->program, instruction, mark_leader, &leaders);
        if (instruction_ends_block(instruction)) {
            leaders.marks[i + 1] = 1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        flow->blocks_count += leaders.marks[i];
    }
    flow->blocks = memory_allocate(flow->blocks_count * sizeof *flow->blocks);
    flow->block_of = memory_allocate(count * sizeof *flow->block_of);
    uint32_t block = NO_BLOCK;
    for (uint32_t i = 0; i < count; i++) {
        if (leaders.marks[i]) {
            block++;
            flow->blocks[block].first = i;
        }
        flow->block_of[i] = block;
        flow->blocks[block].end = i + 1;
    }
    free(leaders.marks);
}

struct edge_collector {
    struct flow *flow;
    struct vector *edges; /* of uint32_t */
    uint32_t first;
};

static void add_successor(void *data, uint32_t target) {
    struct edge_collector *collector = data;
    uint32_t block = collector->flow->block_of[target];
    for (size_t i = collector->first; i < collector->edges->count; i++) {
        if (*(uint32_t *)vector_at(collector->edges, i) == block) {
            return;
        }
    }
    vector_push(collector->edges, &block);
}

static void find_edges(struct flow *flow) {
    struct vector edges;
    vector_init(&edges, sizeof(uint32_t));
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        struct block *block = &flow->blocks[b];
        const struct instruction *last = &flow->code[block->end - 1];
        struct edge_collector collector = {flow, &edges, (uint32_t)edges.count};
        block->successors = collector.first;
        instruction_targets(flow->program, last, add_successor, &collector);
        if (!instruction_ends_block(last)) {
            add_successor(&collector, block->end);
        }
        block->successors_count = (uint32_t)edges.count - block->successors;
    }
    size_t successors = edges.count;
    for (size_t i = 0; i < successors; i++) {
        flow->blocks[*(uint32_t *)vector_at(&edges, i)].predecessors_count++;
    }
    uint32_t next = (uint32_t)successors;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        flow->blocks[b].predecessors = next;
        next += flow->blocks[b].predecessors_count;
        flow->blocks[b].predecessors_count = 0;
    }
    vector_grow(&edges, successors);
    flow->edges = edges.data;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        for (uint32_t i = 0; i < flow->blocks[b].successors_count; i++) {
            struct block *to = &flow->blocks[flow->edges[flow->blocks[b].successors + i]];
            flow->edges[to->predecessors + to->predecessors_count++] = b;
        }
    }
}

/* Numbers the blocks in reverse post-order; returns them in that order. */
static uint32_t *find_order(struct flow *flow, uint32_t *reachable) {
    uint32_t *order = memory_allocate(flow->blocks_count * sizeof *order);
    uint32_t *stack = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *stack);
    uint32_t *next = memory_allocate(flow->blocks_count * sizeof *next);
    uint8_t *seen = memory_allocate(flow->blocks_count);
    uint32_t depth = 1;
    uint32_t done = 0;
    seen[0] = 1;
    while (depth > 0) {
        struct block *block = &flow->blocks[stack[depth - 1]];
        uint32_t *at = &next[stack[depth - 1]];
        if (*at < block->successors_count) {
            uint32_t successor = flow->edges[block->successors + (*at)++];
            if (!seen[successor]) {
                seen[successor] = 1;
                stack[depth++] = successor;
            }
        } else {
            order[done++] = stack[--depth];
        }
    }
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        flow->blocks[b].order = NO_BLOCK;
        flow->blocks[b].dominator = NO_BLOCK;
    }
    for (uint32_t i = 0; i < done / 2; i++) {
        uint32_t other = order[i];
        order[i] = order[done - 1 - i];
        order[done - 1 - i] = other;
    }
    for (uint32_t i = 0; i < done; i++) {
        flow->blocks[order[i]].order = i;
    }
    free(stack);
    free(next);
    free(seen);
    *reachable = done;
    return order;
}

static uint32_t common_dominator(const struct flow *flow, uint32_t one, uint32_t other) {
    while (one != other) {
        if (flow->blocks[one].order > flow->blocks[other].order) {
            one = flow->blocks[one].dominator;
        } else {
            other = flow->blocks[other].dominator;
        }
    }
    return one;
}

static void find_dominators(struct flow *flow, const uint32_t *order, uint32_t reachable) {
    flow->blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < reachable; i++) {
            struct block *block = &flow->blocks[order[i]];
            uint32_t dominator = NO_BLOCK;
            for (uint32_t k = 0; k < block->predecessors_count; k++) {
                uint32_t from = flow->edges[block->predecessors + k];
                if (flow->blocks[from].dominator != NO_BLOCK) {
                    dominator = dominator == NO_BLOCK ? from : common_dominator(flow, from, dominator);
                }
            }
            changed = changed || block->dominator != dominator;
            block->dominator = dominator;
        }
    }
    flow->blocks[0].dominator = NO_BLOCK;
}

bool flow_dominates(const struct flow *flow, uint32_t block, uint32_t other) {
    while (other != NO_BLOCK && flow->blocks[other].order > flow->blocks[block].order) {
        other = flow->blocks[other].dominator;
    }
    return other == block;
}

/* --- Loops -------------------------------------------------------------------------------------------------------- */

struct back_edge {
    uint32_t loop;
    uint32_t from;
};

/* The back edges in the order of their sources, and a loop for each header, in the order of its first back edge. */
static void find_back_edges(struct flow *flow, const uint32_t *order, uint32_t reachable, struct vector *edges,
                            struct vector *loops) {
    uint32_t *with_header = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *with_header); /* 0: none */
    for (uint32_t i = 0; i < reachable; i++) {
        const struct block *block = &flow->blocks[order[i]];
        for (uint32_t k = 0; k < block->successors_count; k++) {
            uint32_t to = flow->edges[block->successors + k];
            if (flow->blocks[to].order > i) {
                continue;
            }
            if (!flow_dominates(flow, to, order[i])) {
                flow->irreducible = true;
                continue;
            }
            if (with_header[to] == 0) {
                vector_push(loops, &(struct loop){.header = to, .parent = NO_BLOCK, .innermost = true});
                with_header[to] = (uint32_t)loops->count;
            }
            vector_push(edges, &(struct back_edge){with_header[to] - 1, order[i]});
        }
    }
    free(with_header);
}

static int by_loop(const void *one, const void *other) {
    const struct back_edge *a = one;
    const struct back_edge *b = other;
    return a->loop != b->loop ? (a->loop > b->loop) - (a->loop < b->loop) : (a->from > b->from) - (a->from < b->from);
}

static int by_number(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one;
    uint32_t b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The blocks of a loop are those from which a back edge's source is reached without passing the header.  `seen` has for
 * each block the last loop, + 1, in which it was found. */
static void find_members(const struct flow *flow, struct loop *loop, const struct vector *edges, size_t *next,
                         uint32_t *seen) {
    struct vector stack;
    struct vector blocks;
    uint32_t index = ((struct back_edge *)vector_at(edges, *next))->loop;
    vector_init(&stack, sizeof(uint32_t));
    vector_init(&blocks, sizeof(uint32_t));
    vector_push(&blocks, &loop->header);
    seen[loop->header] = index + 1;
    for (; *next < edges->count && ((struct back_edge *)vector_at(edges, *next))->loop == index; ++*next) {
        vector_push(&stack, &((struct back_edge *)vector_at(edges, *next))->from);
    }
    while (stack.count > 0) {
        uint32_t b = *(uint32_t *)vector_at(&stack, --stack.count);
        if (seen[b] == index + 1) {
            continue;
        }
        seen[b] = index + 1;
        vector_push(&blocks, &b);
        const struct block *block = &flow->blocks[b];
        for (uint32_t k = 0; k < block->predecessors_count; k++) {
            uint32_t before = flow->edges[block->predecessors + k];
            if (flow->blocks[before].order != NO_BLOCK) {
                vector_push(&stack, &before);
            }
        }
    }
    vector_delete(&stack);
    qsort(blocks.data, blocks.count, sizeof(uint32_t), by_number);
    loop->blocks = blocks.data;
    loop->blocks_count = (uint32_t)blocks.count;
    uint32_t first = loop->blocks[0];
    loop->members =
        memory_allocate(((size_t)(loop->blocks[blocks.count - 1] - first) / 64 + 1) * sizeof *loop->members);
    for (uint32_t i = 0; i < loop->blocks_count; i++) {
        loop->members[(loop->blocks[i] - first) / 64] |= UINT64_C(1) << (loop->blocks[i] - first) % 64;
    }
}

static int by_size(const void *one, const void *other) {
    const struct loop *a = *(struct loop *const *)one;
    const struct loop *b = *(struct loop *const *)other;
    return a->blocks_count != b->blocks_count
               ? (a->blocks_count < b->blocks_count) - (a->blocks_count > b->blocks_count)
               : (a > b) - (a < b);
}

/* Larger loops come first, so the last loop that is assigned to a block is the smallest around it. */
static void nest_loops(struct flow *flow) {
    struct loop **sorted = memory_allocate(((size_t)flow->loops_count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        sorted[i] = &flow->loops[i];
    }
    qsort((void *)sorted, flow->loops_count, sizeof *sorted, by_size);
    flow->loop_of = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *flow->loop_of);
    memset(flow->loop_of, 0xff, flow->blocks_count * sizeof *flow->loop_of);
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        struct loop *loop = sorted[i];
        loop->parent = flow->loop_of[loop->header];
        if (loop->parent != NO_BLOCK) {
            flow->loops[loop->parent].innermost = false;
        }
        for (uint32_t k = 0; k < loop->blocks_count; k++) {
            flow->loop_of[loop->blocks[k]] = (uint32_t)(loop - flow->loops);
        }
    }
    free((void *)sorted);
}

static void find_loops(struct flow *flow, const uint32_t *order, uint32_t reachable) {
    struct vector edges;
    struct vector loops;
    vector_init(&edges, sizeof(struct back_edge));
    vector_init(&loops, sizeof(struct loop));
    find_back_edges(flow, order, reachable, &edges, &loops);
    flow->loops = loops.data;
    flow->loops_count = (uint32_t)loops.count;
    if (edges.count > 0) {
        uint32_t *seen = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *seen);
        size_t next = 0;
        qsort(edges.data, edges.count, sizeof(struct back_edge), by_loop);
        for (uint32_t i = 0; i < flow->loops_count; i++) {
            find_members(flow, &flow->loops[i], &edges, &next, seen);
        }
        free(seen);
    }
    nest_loops(flow);
    vector_delete(&edges);
}

void flow_init(struct flow *flow, const struct program *program, uint32_t function) {
    memset(flow, 0, sizeof *flow);
    flow->program = program;
    flow->function = &program->functions[function];
    flow->code = function_code(program, function);
    find_blocks(flow);
    find_edges(flow);
    uint32_t reachable;
    uint32_t *order = find_order(flow, &reachable);
    find_dominators(flow, order, reachable);
    find_loops(flow, order, reachable);
    free(order);
}

void flow_delete(struct flow *flow) {
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        free(flow->loops[i].blocks);
        free(flow->loops[i].members);
    }
    free(flow->loops);
    free(flow->loop_of);
    free(flow->edges);
    free(flow->block_of);
    free(flow->blocks);
}
