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

/* Adds to the loop all blocks from which the back edge's source is reached without passing the header. */
static void add_members(const struct flow *flow, struct loop *loop, uint32_t from) {
    struct vector stack;
    vector_init(&stack, sizeof(uint32_t));
    vector_push(&stack, &from);
    while (stack.count > 0) {
        uint32_t b = *(uint32_t *)vector_at(&stack, --stack.count);
        if (loop_has(loop, b)) {
            continue;
        }
        loop->members[b / 64] |= UINT64_C(1) << b % 64;
        const struct block *block = &flow->blocks[b];
        for (uint32_t k = 0; k < block->predecessors_count; k++) {
            uint32_t before = flow->edges[block->predecessors + k];
            if (flow->blocks[before].order != NO_BLOCK) {
                vector_push(&stack, &before);
            }
        }
    }
    vector_delete(&stack);
}

static struct loop *loop_with_header(struct flow *flow, struct vector *loops, uint32_t header) {
    for (size_t i = 0; i < loops->count; i++) {
        struct loop *loop = vector_at(loops, i);
        if (loop->header == header) {
            return loop;
        }
    }
    struct loop *loop = vector_grow(loops, 1);
    loop->header = header;
    loop->parent = NO_BLOCK;
    loop->innermost = true;
    loop->members = memory_allocate((flow->blocks_count + 63) / 64 * sizeof *loop->members);
    loop->members[header / 64] |= UINT64_C(1) << header % 64;
    return loop;
}

static size_t loop_size(const struct flow *flow, const struct loop *loop) {
    size_t size = 0;
    for (uint32_t w = 0; w < (flow->blocks_count + 63) / 64; w++) {
        size += (size_t)__builtin_popcountll(loop->members[w]);
    }
    return size;
}

static void find_loops(struct flow *flow, const uint32_t *order, uint32_t reachable) {
    struct vector loops;
    vector_init(&loops, sizeof(struct loop));
    for (uint32_t i = 0; i < reachable; i++) {
        const struct block *block = &flow->blocks[order[i]];
        for (uint32_t k = 0; k < block->successors_count; k++) {
            uint32_t to = flow->edges[block->successors + k];
            if (flow->blocks[to].order > i) {
                continue;
            }
            if (flow_dominates(flow, to, order[i])) {
                add_members(flow, loop_with_header(flow, &loops, to), order[i]);
            } else {
                flow->irreducible = true;
            }
        }
    }
    flow->loops = loops.data;
    flow->loops_count = (uint32_t)loops.count;
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        struct loop *loop = &flow->loops[i];
        for (uint32_t k = 0; k < flow->loops_count; k++) {
            struct loop *around = &flow->loops[k];
            if (k == i || !loop_has(around, loop->header)) {
                continue;
            }
            around->innermost = false;
            if (loop->parent == NO_BLOCK || loop_size(flow, around) < loop_size(flow, &flow->loops[loop->parent])) {
                loop->parent = k;
            }
        }
    }
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
        free(flow->loops[i].members);
    }
    free(flow->loops);
    free(flow->edges);
    free(flow->block_of);
    free(flow->blocks);
}
