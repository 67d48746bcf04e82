/* The paths of a thread with an added value, followed from step to step with memory unknown. */
#include <stdlib.h>

#include "prove/found.h"
#include "prove/scene.h"
#include "util/memory.h"

#define MOST_STEPS 64u /* of all paths together */

struct following {
    struct questions *questions;
    struct instance *thread;
    const struct abstraction *abstraction;
    struct vector visited; /* of uint32_t: heads of inner loops that the thread has come past */
    unsigned steps;
};

/* May the instruction do more than read memory and compute? */
static bool has_effect(const struct instruction *code) {
    switch (code->op) {
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
    case OP_SYNC:
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
    case OP_FREE:
    case OP_LEAVE:
    case OP_STACK_RESTORE:
    case OP_MALLOC:
    case OP_ALLOCA:
    case OP_LIB:
    case OP_EXIT:
    case OP_RET:
    case OP_HALT:
    case OP_NONDET:
    case OP_ASSUME:
        return true;
    default:
        return false;
    }
}

/* Has no path of the loop from its head to the access an effect? */
static bool is_quiet_from(const struct instance *thread, const struct loop *loop, uint32_t access) {
    const struct flow *flow = &thread->class->flow;
    bool *seen = memory_allocate((size_t)flow->blocks_count + 1);
    uint32_t *stack = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *stack);
    uint32_t count = 0;
    uint32_t block = flow->block_of[access];
    uint32_t end = access;
    bool quiet = true;
    for (;;) {
        for (uint32_t i = flow->blocks[block].first; i < end; i++) {
            quiet = quiet && !has_effect(&thread->code[i]);
        }
        for (uint32_t i = 0; i < flow->blocks[block].predecessors_count && block != loop->header; i++) {
            uint32_t from = flow->edges[flow->blocks[block].predecessors + i];
            if (!seen[from]) {
                seen[from] = true;
                stack[count++] = from;
            }
        }
        if (count == 0 || !quiet) {
            break;
        }
        block = stack[--count];
        end = flow->blocks[block].end;
    }
    free(seen);
    free(stack);
    return quiet;
}

const struct loop *found_quiet_loop(const struct instance *thread, uint32_t access, uint32_t index) {
    const struct flow *flow = &thread->class->flow;
    for (uint32_t i = 0; i < flow->loops_count && !flow->irreducible; i++) {
        const struct loop *loop = &flow->loops[i];
        if (flow->blocks[loop->header].first == index && loop_has(loop, flow->block_of[access]) &&
            is_quiet_from(thread, loop, access)) {
            return loop;
        }
    }
    return NULL;
}

static bool can_be(struct following *following, Z3_ast known, Z3_ast condition) {
    struct solver *solver = following->thread->solver;
    return solver_ask(solver, solver_and(solver, known, condition), "an added value leads back") != ANSWER_NO;
}

/* Is everything that is live there as it was at the loop's head? */
static Z3_ast same_as_at(const struct instance *thread, const struct loop *loop, const struct state *state,
                         uint32_t index) {
    struct solver *solver = thread->solver;
    const struct state *head = &thread->in[loop->header];
    Z3_ast same = solver_true(solver);
    for (uint32_t r = 0; head->terms && r < thread->registers; r++) {
        if (system_is_live(thread->system, thread->class, index, r)) {
            same = solver_and(solver, same, solver_equal(solver, state->terms[r], head->terms[r]));
        }
    }
    return head->terms ? same : solver_false(solver);
}

static bool goes_back(struct following *following, const struct state *state, uint32_t index, Z3_ast known);

/* Follows the exits of a piece of code that was executed in the scene. */
static bool exits_go_back(struct following *following, struct scene *scene, Z3_ast known) {
    struct solver *solver = scene->solver;
    known = solver_and(solver, known, scene->beginning.known);
    bool fine =
        !scene->beginning.hopeless && scene->after.writes.count == 0 && !can_be(following, known, scene->after.failed);
    Z3_ast left = scene->after.enabled;
    for (size_t i = 0; i < scene->exits.count; i++) {
        left = solver_and(solver, left, solver_not(solver, ((struct exit *)vector_at(&scene->exits, i))->state.guard));
    }
    fine = fine && !can_be(following, known, left); /* the thread does not end there */
    for (size_t i = 0; fine && i < scene->exits.count; i++) {
        const struct exit *exit = vector_at(&scene->exits, i);
        Z3_ast here = solver_and(solver, known, exit->state.guard);
        fine = !can_be(following, here, solver_true(solver)) || goes_back(following, &exit->state, exit->index, here);
    }
    return fine;
}

static bool was_visited(const struct following *following, uint32_t index) {
    for (size_t i = 0; i < following->visited.count; i++) {
        if (*(uint32_t *)vector_at(&following->visited, i) == index) {
            return true;
        }
    }
    return false;
}

static bool is_around(const struct following *following, uint32_t block) {
    const struct flow *flow = &following->thread->class->flow;
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        if (flow->loops[i].header == block &&
            loop_has(&flow->loops[i], flow->block_of[following->abstraction->access])) {
            return true;
        }
    }
    return flow->irreducible;
}

/* The thread is before a point with an added value in its past. */
static bool goes_back(struct following *following, const struct state *state, uint32_t index, Z3_ast known) {
    struct instance *thread = following->thread;
    struct solver *solver = thread->solver;
    const struct flow *flow = &thread->class->flow;
    const struct loop *loop = found_quiet_loop(thread, following->abstraction->access, index);
    if (loop && !can_be(following, known, solver_not(solver, same_as_at(thread, loop, state, index)))) {
        return true;
    }
    if (++following->steps > MOST_STEPS || has_effect(&thread->code[index]) || facts_claim(thread, index)) {
        return false;
    }
    uint32_t block = flow->block_of[index];
    bool head = flow->blocks[block].first == index && block_is_head(flow, block);
    if (head && (is_around(following, block) || was_visited(following, index))) {
        /* At the head of an inner loop again: all its iterations were followed.  At that of a loop around the access
         * something is not as it was. */
        return !is_around(following, block);
    }
    struct state next = instance_copy(thread, state);
    next.guard = solver_true(solver);
    if (head) {
        vector_push(&following->visited, &index);
        instance_enter_loop(thread, &next, block);
    }
    struct scene scene;
    scene_init(&scene, following->questions);
    scene.after.checks = true;
    scene_go(&scene, thread, &next, index);
    bool fine = exits_go_back(following, &scene, known);
    scene_delete(&scene);
    instance_forget(&next);
    following->visited.count -= head;
    return fine;
}

/* The local code after the access. */
static bool ends_at_point(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    return facts_is_point(thread, index);
}

bool found_is_idle(struct questions *questions, const struct abstraction *abstraction, uint32_t class) {
    struct instance *thread = questions_thread(questions, 0, class);
    struct following following = {.questions = questions, .thread = thread, .abstraction = abstraction};
    uint32_t access = abstraction->access;
    const struct instruction *code = &thread->code[access];
    if (abstraction->found.kind == FOUND_NONE || !instance_reaches(thread, access)) {
        return false;
    }
    struct scene scene;
    struct state state = instance_state(thread, access);
    struct state after = instance_copy(thread, &state);
    vector_init(&following.visited, sizeof(uint32_t));
    scene_init(&scene, questions);
    scene.after.checks = true;
    struct term value = solver_variable(scene.solver, "added", 0, bits_mask(8u * code->width));
    struct term content = world_read(&scene.before, execute_operand(thread, &state, code->a),
                                     &thread->class->accesses[access].address, code->width);
    Z3_ast known =
        solver_and(scene.solver, state.guard, found_condition(thread, &state, &abstraction->found, content, value));
    if (code->op == OP_LOAD) { /* what is there is not added */
        known = solver_and(scene.solver, known, solver_not(scene.solver, solver_equal(scene.solver, value, content)));
    }
    after.terms[code->dst] = value;
    after.guard = solver_true(scene.solver);
    if (facts_is_point(thread, access + 1)) {
        vector_push(&scene.exits, &(struct exit){access + 1, instance_copy(thread, &after)});
    } else {
        path_run(thread, &after, &scene.after, access + 1, ends_at_point, NULL, &scene.exits);
    }
    bool idle = exits_go_back(&following, &scene, known);
    scene_delete(&scene);
    instance_forget(&state);
    instance_forget(&after);
    vector_delete(&following.visited);
    return idle;
}
