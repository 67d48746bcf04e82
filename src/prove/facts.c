/* Claims and invariants as formulas. */
#include "prove/facts.h"

#include "ir/passes.h"
#include "prove/inferred.h"

/* Is the instruction a step of its own, which others can notice or which waits? */
static bool is_step(const struct instance *thread, uint32_t index) {
    const struct class *class = thread->class;
    const struct access *access = &class->accesses[index];
    uint8_t op = thread->code[index].op;
    return op == OP_ATOMIC_BEGIN || op == OP_SYNC ||
           (access->present && !space_private(&thread->system->space, &access->address));
}

bool facts_is_point(const struct instance *thread, uint32_t index) {
    const struct class *class = thread->class;
    if (!instruction_reached(class, index) || class->depth[index] > 0 || class->noted[index]) {
        return false;
    }
    const struct block *block = &class->flow.blocks[class->flow.block_of[index]];
    return is_step(thread, index) || facts_claim(thread, index) ||
           (index == block->first && block_is_head(&class->flow, class->flow.block_of[index]));
}

Z3_ast facts_always(struct instance *thread, struct world *world) {
    struct instance *always = thread->always;
    Z3_ast all = solver_true(thread->solver);
    for (uint32_t i = 0; i < thread->system->invariants; i++) {
        all = solver_and(thread->solver, all, path_condition(always, &always->in[0], world, i));
    }
    return all;
}

/* The instruction that follows this one if that is local code which every thread that reaches it executes once, without
 * a step or branch; UINT32_MAX: none. */
static uint32_t after(const struct instance *thread, uint32_t index) {
    const struct instruction *code = &thread->code[index];
    const struct flow *flow = &thread->class->flow;
    bool straight = code->op == OP_NOTE || code->op == OP_ASSUMED || code->op == OP_JMP || code->op == OP_NOP ||
                    code->op == OP_AWAIT || instruction_is_pure(code);
    uint32_t next = code->op == OP_NOTE ? code->b : code->op == OP_JMP ? code->a : index + 1;
    bool enters = straight && flow->blocks[flow->block_of[next]].first == next;
    return !straight || (enters && block_is_head(flow, flow->block_of[next])) ? UINT32_MAX : next;
}

bool facts_claimed(const struct instance *thread, uint32_t index) {
    for (uint32_t at = index; at != UINT32_MAX; at = after(thread, at)) {
        if (facts_claim(thread, at)) {
            return true;
        }
    }
    return false;
}

Z3_ast facts_arriving(struct instance *thread, const struct state *state, struct world *world, uint32_t index) {
    Z3_ast all = solver_true(thread->solver);
    struct state now = instance_copy(thread, state);
    for (uint32_t at = index; at != UINT32_MAX; at = after(thread, at)) {
        if (facts_claim(thread, at)) {
            all = solver_and(thread->solver, all, path_condition(thread, &now, world, at));
        }
        if (instruction_is_pure(&thread->code[at])) {
            execute(thread, &now, NULL, at);
        }
    }
    instance_forget(&now);
    return all;
}

uint32_t facts_before(const struct instance *thread, uint32_t index) {
    const struct flow *flow = &thread->class->flow;
    const struct block *block = &flow->blocks[flow->block_of[index]];
    uint32_t before = UINT32_MAX;
    if (index > block->first) {
        before = index - 1;
    } else if (block->predecessors_count == 1 && !block_is_head(flow, flow->block_of[index])) {
        before = flow->blocks[flow->edges[block->predecessors]].end - 1;
    }
    return before == UINT32_MAX || is_step(thread, before) ? UINT32_MAX : before;
}

Z3_ast facts_at(struct instance *thread, struct world *world, uint32_t index) {
    struct solver *solver = thread->solver;
    Z3_ast all = facts_always(thread, world);
    if (facts_claimed(thread, index)) {
        struct state state = instance_state(thread, index);
        all = solver_and(solver, all, facts_arriving(thread, &state, world, index));
        instance_forget(&state);
    }
    for (uint32_t at = facts_before(thread, index); at != UINT32_MAX; at = facts_before(thread, at)) {
        if (facts_claim(thread, at) && instance_reaches(thread, at)) {
            struct state state = instance_state(thread, at);
            all = solver_and(solver, all, path_condition(thread, &state, world, at));
            instance_forget(&state);
        }
    }
    return all;
}

Z3_ast facts_known(struct instance *thread, const struct state *state, struct world *world, uint32_t index,
                   struct hash_table *parts) {
    const struct inferred *inferred = thread->system->inferred;
    Z3_ast facts = facts_at(thread, world, index);
    return inferred ? solver_and(thread->solver, facts, inferred_at(inferred, thread, state, world, index, parts))
                    : facts;
}

Z3_ast facts_between(struct instance *one, uint32_t point, struct instance *other, uint32_t other_point) {
    const struct inferred *inferred = one->system->inferred;
    return inferred ? inferred_between(inferred, one, point, other, other_point) : solver_true(one->solver);
}
