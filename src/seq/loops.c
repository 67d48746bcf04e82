/* Loops: which iteration of which loop a path is in, and which iterations count against a bound. */
#include <stdlib.h>

#include "ir/loops.h"
#include "seq/run.h"
#include "seq/seq.h"
#include "util/memory.h"

#define MOST_CONSTANT_ITERATIONS 1000000u
#define MOST_COUNTED 32u /* iterations of a loop with a counter that values may leave earlier */

/* The loops around a block, outermost first. */
static void find_chain(const struct flow *flow, uint32_t block, struct loop_chain *chain) {
    uint32_t inwards[MOST_LOOPS];
    chain->depth = 0;
    for (uint32_t l = flow->loop_of[block]; l != NO_BLOCK; l = flow->loops[l].parent) {
        if (chain->depth == MOST_LOOPS) {
            chain->depth = MOST_LOOPS + 1;
            return;
        }
        inwards[chain->depth++] = l;
    }
    for (uint32_t i = 0; i < chain->depth; i++) {
        chain->loops[i] = inwards[chain->depth - 1 - i];
    }
}

uint32_t symbolic_bound(const struct symbolic *execution, uint32_t loop) {
    for (size_t i = 0; i < execution->bounds.count; i++) {
        const struct loop_bound *bound = vector_at(&execution->bounds, i);
        if (bound->loop == loop) {
            return bound->iterations;
        }
    }
    return execution->iterations;
}

/* Identifies an iteration of a loop by its header's position and the iterations of the loops around it. */
static uint64_t iteration_name(const struct path_position *position, uint32_t depth, uint32_t back) {
    uint64_t name = depth + 1;
    for (uint32_t i = 0; i <= 2 * depth + 1; i++) {
        uint32_t part = position->at[i] - (i == 2 * depth + 1 ? back : 0);
        name = (name ^ part) * 0x9e3779b97f4a7c15u;
        name ^= name >> 31;
    }
    return name;
}

static bool has_name(const struct vector *names, uint64_t name) {
    const uint64_t *all = names->data;
    for (size_t i = names->count; i-- > 0;) {
        if (all[i] == name) {
            return true;
        }
    }
    return false;
}

static void add_name(struct vector *names, uint64_t name) {
    if (!has_name(names, name)) {
        vector_push(names, &name);
    }
}

/* A register that the loop adds to and compares counts its iterations, if its value is known. */
static bool is_counter(const struct run *run, const struct loop *loop, uint32_t counter) {
    for (uint32_t b = 0; b < run->flow->blocks_count; b++) {
        for (uint32_t i = run->flow->blocks[b].first; loop_has(loop, b) && i < run->flow->blocks[b].end; i++) {
            if (run->code[i].op == OP_ICMP && (run->code[i].a == counter || run->code[i].b == counter)) {
                return true;
            }
        }
    }
    return false;
}

static void find_counters(const struct run *run, const struct loop *loop, struct loop_counters *counters) {
    counters->count = 0;
    for (uint32_t b = 0; b < run->flow->blocks_count; b++) {
        for (uint32_t i = run->flow->blocks[b].first; loop_has(loop, b) && i < run->flow->blocks[b].end; i++) {
            const struct instruction *code = &run->code[i];
            bool adds =
                (code->op == OP_ADD || code->op == OP_SUB) && code->dst == code->a && (code->b & OPERAND_CONSTANT);
            if (adds && counters->count < MOST_COUNTERS && is_counter(run, loop, code->dst)) {
                counters->registers[counters->count++] = code->dst;
            }
        }
    }
}

static bool has_counter(const struct run *run, const struct state *state, uint32_t loop) {
    const struct loop_counters *counters = &run->counters[loop];
    uint64_t known;
    for (uint32_t i = 0; i < counters->count; i++) {
        if (value_is_constant(&run->execution->terms, state->registers[counters->registers[i]], &known)) {
            return true;
        }
    }
    return false;
}

/* One counts if some paths have left the loop in the last one and others not, for then values decide. */
bool loops_iterate(struct run *run, struct state *state) {
    struct symbolic *execution = run->execution;
    uint32_t depth = state->position.depth;
    if (depth == 0) {
        return true;
    }
    uint32_t loop = run->chains[state->block].loops[depth - 1];
    uint32_t iteration = state->position.at[2 * depth - 1];
    const struct block *block = &run->flow->blocks[state->block];
    if (run->flow->loops[loop].header != state->block || iteration == 0) {
        return true;
    }
    uint64_t last = iteration_name(&state->position, depth - 1, 1);
    bool counted =
        seq_options(execution->task)->iterations == 0 && iteration <= MOST_COUNTED && has_counter(run, state, loop);
    bool counts =
        run->endless[loop] || (has_name(&run->left, last) && !counted) || iteration > MOST_CONSTANT_ITERATIONS;
    if (execution->settled && iteration > FEW_CONSTANT_ITERATIONS && !has_counter(run, state, loop)) {
        counts = true; /* nothing that is known makes it end */
    }
    if (!counts && iteration > execution->most_constant) {
        execution->hurried = true;
        return false;
    }
    uint32_t header = (uint32_t)(run->code - execution->program->code) + block->first;
    state->counted[depth - 1] += counts;
    if (state->counted[depth - 1] > symbolic_bound(execution, header)) {
        struct cut cut = {state->guard, run->thread, header, run->code[block->first].pos, run->endless[loop]};
        vector_push(&execution->cuts, &cut);
        for (uint32_t i = 0; i + 1 < depth; i++) { /* what would come after this loop may have left those around it */
            add_name(&run->left, iteration_name(&state->position, i, 0));
        }
        return false;
    }
    return true;
}

void loops_leave(struct run *run, const struct path_position *position, uint32_t first, uint32_t end, uint32_t to) {
    for (uint32_t i = first; i < end && !block_is_dead_end(run->flow, to); i++) {
        add_name(&run->left, iteration_name(position, i, 0));
    }
}

void loops_init(struct run *run) {
    const struct flow *flow = run->flow;
    vector_init(&run->left, sizeof(uint64_t));
    run->endless = memory_allocate((flow->loops_count + 1) * sizeof *run->endless);
    run->counters = memory_allocate((flow->loops_count + 1) * sizeof *run->counters);
    for (uint32_t l = 0; l < flow->loops_count; l++) {
        find_counters(run, &flow->loops[l], &run->counters[l]);
        run->endless[l] = loop_is_endless(flow, &flow->loops[l]);
    }
    run->chains = memory_allocate((flow->blocks_count + 1) * sizeof *run->chains);
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        find_chain(flow, b, &run->chains[b]);
    }
}

void loops_delete(struct run *run) {
    free(run->endless);
    free(run->counters);
    free(run->chains);
    vector_delete(&run->left);
}
