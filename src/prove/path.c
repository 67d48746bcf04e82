/* Blocks in reverse post-order, one state for each, as far as the stretch goes. */
#include "prove/path.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

struct path {
    struct instance *thread;
    struct world *world;
    struct state *in; /* by block */
    path_end *end;
    void *data;
    struct vector *exits;
};

static void add_exit(struct path *path, uint32_t index, const struct state *state) {
    for (size_t i = 0; i < path->exits->count; i++) {
        struct exit *exit = vector_at(path->exits, i);
        if (exit->index == index) {
            instance_merge(path->thread, &exit->state, state, index);
            return;
        }
    }
    struct exit exit = {.index = index};
    instance_merge(path->thread, &exit.state, state, index);
    vector_push(path->exits, &exit);
}

static void go_on(void *data, uint32_t target, const struct state *state) {
    struct path *path = data;
    if (path->end(path->data, path->thread, target)) {
        add_exit(path, target, state);
    } else {
        instance_merge(path->thread, &path->in[path->thread->class->flow.block_of[target]], state, target);
    }
}

/* Executes the part of the stretch that is in one block. */
static void run_part(struct path *path, struct state *state, uint32_t from, bool first) {
    struct instance *thread = path->thread;
    const struct block *block = &thread->class->flow.blocks[thread->class->flow.block_of[from]];
    for (uint32_t at = from; at < block->end; at++) {
        if (!instruction_reached(thread->class, at) || solver_is_false(thread->solver, state->guard)) {
            return;
        }
        if ((at > from || !first) && path->end(path->data, thread, at)) {
            add_exit(path, at, state);
            return;
        }
        execute(thread, state, path->world, at);
    }
    execute_jumps(thread, state, block->end - 1, go_on, path);
}

void path_run(struct instance *thread, const struct state *before, struct world *world, uint32_t from, path_end *end,
              void *data, struct vector *exits) {
    const struct flow *flow = &thread->class->flow;
    struct path path = {.thread = thread, .world = world, .end = end, .data = data, .exits = exits};
    path.in = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *path.in);
    struct state state = instance_copy(thread, before);
    run_part(&path, &state, from, true);
    instance_forget(&state);
    for (uint32_t order = flow->blocks[flow->block_of[from]].order; order < flow->blocks_count; order++) {
        uint32_t b = thread->ordered[order];
        if (path.in[b].terms) {
            run_part(&path, &path.in[b], flow->blocks[b].first, false);
            instance_forget(&path.in[b]);
        }
    }
    free(path.in);
}

void exits_delete(struct vector *exits) {
    for (size_t i = 0; i < exits->count; i++) {
        instance_forget(&((struct exit *)vector_at(exits, i))->state);
    }
    vector_delete(exits);
}

bool path_ends_section(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    return thread->code[index].op == OP_ATOMIC_END && thread->class->depth[index] == 1;
}

static bool ends_condition(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    return thread->code[index].op == OP_NOTED;
}

Z3_ast path_condition(struct instance *thread, const struct state *state, struct world *world, uint32_t note) {
    struct solver *solver = thread->solver;
    struct vector exits;
    struct world silent = *world; /* what the condition does cannot fail or wait */
    struct state before = instance_copy(thread, state);
    before.guard = solver_true(solver);
    silent.checks = false;
    vector_init(&silent.failures, sizeof(struct failure));
    vector_init(&exits, sizeof(struct exit));
    uint32_t first = thread->code[note].a;
    if (thread->code[first].op == OP_NOTED) {
        vector_push(&exits, &(struct exit){first, instance_copy(thread, &before)});
    } else {
        path_run(thread, &before, &silent, first, ends_condition, NULL, &exits);
    }
    Z3_ast condition = solver_false(solver);
    for (size_t i = 0; i < exits.count; i++) {
        const struct exit *exit = vector_at(&exits, i);
        struct term value = execute_operand(thread, &exit->state, thread->code[exit->index].a);
        condition = solver_or(
            solver, condition,
            solver_and(solver, exit->state.guard, solver_not(solver, solver_equal(solver, value, term_number(0)))));
    }
    instance_forget(&before);
    exits_delete(&exits);
    vector_delete(&silent.failures);
    return condition;
}
