/* Copies of basic blocks: their order, the edges between them, and how often a loop iterates. */
#include "seq/print/copies.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define MOST_ITERATIONS 20000u /* of a loop decided by known numbers */

/* An iteration of a loop, in certain iterations of the loops around it. */
struct iteration_key {
    uint32_t loop;
    uint32_t numbers[MOST_DEPTH];
};

uint32_t position_of(struct unroller *unroller, uint32_t pos) {
    if (unroller->flat->positions[pos].line > 0) {
        unroller->user_pos = pos;
    }
    return unroller->user_pos;
}

void unroller_refuse(struct unroller *unroller, uint32_t pos, const char *message) {
    const struct position *position = &unroller->flat->positions[position_of(unroller, pos)];
    if (!unroller->failed) {
        diagnostics_add(unroller->diagnostics, program_string(unroller->flat, position->file), position->line,
                        position->column, "not supported: %s", message);
    }
    unroller->failed = true;
}

/* --- Loops around a block ----------------------------------------------------------------------------------------- */

/* The loops around a block, from the outside in; returns their number. */
static uint32_t loops_around(const struct unroller *unroller, uint32_t block, uint32_t *loops) {
    uint32_t depth = 0;
    for (uint32_t l = unroller->flow.loop_of[block]; l != NO_BLOCK; l = unroller->flow.loops[l].parent) {
        depth++;
    }
    uint32_t at = depth;
    for (uint32_t l = unroller->flow.loop_of[block]; l != NO_BLOCK; l = unroller->flow.loops[l].parent) {
        loops[--at] = l;
    }
    return depth;
}

static uint32_t order_of(const struct unroller *unroller, const uint32_t *loops, uint32_t depth, uint32_t level,
                         uint32_t block) {
    return unroller->flow.blocks[level < depth ? unroller->flow.loops[loops[level]].header : block].order;
}

/* Which of two copies comes first?  Negative, zero or positive. */
static int copy_compare(const struct unroller *unroller, const struct copy *one, const struct copy *other) {
    uint32_t one_loops[MOST_DEPTH] = {0};
    uint32_t other_loops[MOST_DEPTH] = {0};
    uint32_t one_depth = loops_around(unroller, one->block, one_loops);
    uint32_t other_depth = loops_around(unroller, other->block, other_loops);
    for (uint32_t level = 0;; level++) {
        bool same = level < one_depth && level < other_depth && one_loops[level] == other_loops[level];
        if (!same) {
            uint32_t first = order_of(unroller, one_loops, one_depth, level, one->block);
            uint32_t second = order_of(unroller, other_loops, other_depth, level, other->block);
            return first < second ? -1 : first > second;
        }
        uint32_t first = one->iterations[level].number;
        uint32_t second = other->iterations[level].number;
        if (first != second) {
            return first < second ? -1 : 1;
        }
    }
}

bool copies_prepare(struct unroller *unroller, uint32_t pos) {
    const struct flow *flow = &unroller->flow;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        uint32_t depth = 0;
        for (uint32_t l = unroller->flow.loop_of[b]; l != NO_BLOCK; l = flow->loops[l].parent) {
            depth++;
        }
        if (depth > MOST_DEPTH) {
            unroller_refuse(unroller, pos, "a thread has too many loops in loops");
        }
    }
    if (flow->irreducible) {
        unroller_refuse(unroller, pos, "a thread has a loop with several entries");
    }
    return !unroller->failed;
}

/* --- Edges -------------------------------------------------------------------------------------------------------- */

void fixup_set(struct unroller *unroller, const struct fixup *fixup, uint32_t target) {
    if (fixup->in_pool) {
        *(uint32_t *)vector_at(&unroller->builder.operands, fixup->index) = target;
        return;
    }
    struct instruction *instruction = builder_at(&unroller->builder, fixup->index);
    uint32_t *fields[] = {&instruction->dst, &instruction->a, &instruction->b, &instruction->c};
    *fields[fixup->field] = target;
}

void copy_delete(struct copy *copy) {
    free(copy->values);
    vector_delete(&copy->edges);
}

struct value *values_copy(const struct unroller *unroller, const struct value *values) {
    size_t size = ((size_t)unroller->flow.function->registers + 1) * sizeof *values;
    struct value *copy = memory_allocate(size);
    if (values) {
        memcpy(copy, values, size);
    }
    return copy;
}

static void copy_merge(struct unroller *unroller, struct copy *into, const struct copy *from) {
    for (uint32_t r = 0; r < unroller->flow.function->registers; r++) {
        into->values[r] = value_merge(into->values[r], from->values[r]);
    }
    for (uint32_t d = 0; d < MOST_DEPTH; d++) {
        struct iteration *one = &into->iterations[d];
        const struct iteration *other = &from->iterations[d];
        one->counted = one->counted > other->counted ? one->counted : other->counted;
        one->decided |= other->decided;
        one->before |= other->before;
    }
    into->await = into->await == from->await ? into->await : NO_AWAIT;
    into->changed |= from->changed;
    if (into->announced != from->announced) {
        unroller_refuse(unroller, unroller->flow.code[unroller->flow.blocks[into->block].first].pos,
                        "a thread's number is announced on one path only");
    }
}

static struct iteration_key key_of(const struct copy *copy, uint32_t loop, uint32_t depth) {
    struct iteration_key key = {.loop = loop};
    for (uint32_t d = 0; d <= depth; d++) {
        key.numbers[d] = copy->iterations[d].number;
    }
    return key;
}

/* Does the block only fail?  Going there does not leave a loop: an error does not decide whether the loop continues. */
static bool is_dead_end(const struct unroller *unroller, uint32_t block) {
    const struct instruction *last = &unroller->flow.code[unroller->flow.blocks[block].end - 1];
    return last->op == OP_ERROR || last->op == OP_CUT || last->op == OP_HALT;
}

/* Enters the iterations of the block's loops as they are after an edge from `from`. */
static void enter_iterations(struct unroller *unroller, const struct copy *from, struct copy *to) {
    uint32_t old_loops[MOST_DEPTH] = {0};
    uint32_t new_loops[MOST_DEPTH] = {0};
    uint32_t old_depth = loops_around(unroller, from->block, old_loops);
    uint32_t new_depth = loops_around(unroller, to->block, new_loops);
    bool same = true;
    for (uint32_t d = 0; d < new_depth; d++) {
        same = same && d < old_depth && old_loops[d] == new_loops[d];
        to->iterations[d] = same ? from->iterations[d] : (struct iteration){0};
        if (same && unroller->flow.loops[new_loops[d]].header == to->block) {
            const struct iteration *last = &from->iterations[d];
            to->iterations[d] = (struct iteration){
                .number = last->number + 1, .counted = last->counted, .before = last->decided, .start = last->start};
        }
    }
    for (uint32_t d = 0; d < old_depth && !is_dead_end(unroller, to->block); d++) {
        if (!loop_has(&unroller->flow.loops[old_loops[d]], to->block)) {
            struct iteration_key key = key_of(from, old_loops[d], d);
            *hash_table_slot(unroller->left, &key, sizeof key, NULL) = 1;
        }
    }
}

static uint64_t hash_known(const struct unroller *unroller, const struct copy *copy) {
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t hash = 0;
    for (uint32_t r = 0; r < unroller->flow.function->registers; r++) {
        hash = (hash ^ copy->values[r].known) * prime;
        hash = (hash ^ (copy->values[r].known ? copy->values[r].number : 0)) * prime;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Where an iteration begins with this copy, counts the one before it, unless known numbers have decided that the loop
 * continues, and have changed: a loop in which they stay the same would never end.  By now it is known whether the
 * iteration before could leave the loop.  False if the loop is cut here. */
static bool count_iteration(struct unroller *unroller, struct copy *copy) {
    uint32_t loops[MOST_DEPTH] = {0};
    uint32_t depth = loops_around(unroller, copy->block, loops);
    if (depth == 0 || unroller->flow.loops[loops[depth - 1]].header != copy->block) {
        return true;
    }
    struct iteration *iteration = &copy->iterations[depth - 1];
    uint64_t known = hash_known(unroller, copy);
    if (iteration->number > 0) {
        struct iteration_key key = key_of(copy, loops[depth - 1], depth - 1);
        key.numbers[depth - 1]--;
        bool left = hash_table_find(unroller->left, &key, sizeof key);
        iteration->counted += !iteration->before || left || known == iteration->start;
    }
    iteration->start = known;
    if (iteration->number > MOST_ITERATIONS + unroller->bound) {
        unroller_refuse(unroller, unroller->flow.code[unroller->flow.blocks[copy->block].first].pos,
                        "a loop iterates too often");
    }
    return iteration->counted <= unroller->bound;
}

void copies_edge(struct unroller *unroller, const struct copy *from, uint32_t target, struct fixup fixup) {
    struct copy to = *from;
    to.block = unroller->flow.block_of[target];
    enter_iterations(unroller, from, &to);
    for (size_t i = 0; i < unroller->pending.count; i++) {
        struct copy *other = vector_at(&unroller->pending, i);
        if (other->block == to.block && copy_compare(unroller, other, &to) == 0) {
            copy_merge(unroller, other, &to);
            vector_push(&other->edges, &fixup);
            return;
        }
    }
    to.values = values_copy(unroller, from->values);
    vector_init(&to.edges, sizeof(struct fixup));
    vector_push(&to.edges, &fixup);
    vector_push(&unroller->pending, &to);
}

struct exits {
    const struct unroller *unroller;
    struct copy *copy;
};

static void note_exit(void *data, uint32_t target) {
    struct exits *exits = data;
    uint32_t loops[MOST_DEPTH] = {0};
    uint32_t depth = loops_around(exits->unroller, exits->copy->block, loops);
    for (uint32_t d = 0; d < depth; d++) {
        const struct loop *loop = &exits->unroller->flow.loops[loops[d]];
        exits->copy->iterations[d].decided |= !loop_has(loop, exits->unroller->flow.block_of[target]);
    }
}

/* Of every loop that the branch has an edge out of, the end is decided there. */
void copies_decide(const struct unroller *unroller, struct copy *copy, const struct instruction *branch) {
    struct exits exits = {unroller, copy};
    instruction_targets(unroller->flat, branch, note_exit, &exits);
}

/* --- The next copy ------------------------------------------------------------------------------------------------ */

bool copies_take(struct unroller *unroller, struct copy *copy) {
    size_t first = 0;
    for (size_t i = 1; i < unroller->pending.count; i++) {
        if (copy_compare(unroller, vector_at(&unroller->pending, i), vector_at(&unroller->pending, first)) < 0) {
            first = i;
        }
    }
    *copy = *(struct copy *)vector_at(&unroller->pending, first);
    struct copy *last = vector_at(&unroller->pending, unroller->pending.count - 1);
    *(struct copy *)vector_at(&unroller->pending, first) = *last;
    unroller->pending.count--;
    return count_iteration(unroller, copy);
}
