/* Putting threads into scenes, and executing them. */
#include "prove/scene.h"

#include "prove/inferred.h"
#include "prove/joins.h"
#include "util/hash_table.h"

void scene_init(struct scene *scene, struct questions *questions) {
    scene->questions = questions;
    scene->solver = &questions->solver;
    beginning_init(&scene->beginning, questions->system, scene->solver);
    world_init(&scene->before, &scene->beginning);
    world_init(&scene->after, &scene->beginning);
    vector_init(&scene->exits, sizeof(struct exit));
    scene->reached = solver_true(scene->solver);
    scene->assumed = hash_table_new();
}

void scene_delete(struct scene *scene) {
    exits_delete(&scene->exits);
    hash_table_free(scene->assumed);
    world_delete(&scene->before);
    world_delete(&scene->after);
    beginning_delete(&scene->beginning);
}

void scene_place(struct scene *scene, struct instance *thread, const struct state *state, uint32_t index) {
    struct solver *solver = scene->solver;
    beginning_know(&scene->beginning, thread, state, NULL);
    scene->reached = solver_and(solver, scene->reached, state->guard);
    scene->reached =
        solver_and(solver, scene->reached, facts_known(thread, state, &scene->before, index, scene->assumed));
}

static struct state unguarded(struct instance *thread, const struct state *state) {
    struct state copy = instance_copy(thread, state);
    copy.guard = solver_true(thread->solver);
    return copy;
}

static bool ends_at_point(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    return facts_is_point(thread, index);
}

/* A thread that passes a join knows what the joined thread knew at its end. */
static void place_joined(struct scene *scene, struct instance *thread, uint32_t index) {
    uint32_t joined = joins_class(thread->class, index);
    if (joined == NO_CLASS || class_of(thread->system, joined)->last == UINT32_MAX) {
        return;
    }
    struct instance *other = questions_thread(scene->questions, 1, joined);
    uint32_t last = other->class->last;
    if (instance_reaches(other, last)) {
        struct state state = instance_state(other, last);
        scene_place(scene, other, &state, last);
        scene->reached = solver_and(scene->solver, scene->reached, facts_between(thread, index, other, last));
        instance_forget(&state);
    }
}

void scene_go(struct scene *scene, struct instance *thread, const struct state *state, uint32_t index) {
    struct state before = unguarded(thread, state);
    place_joined(scene, thread, index);
    path_run(thread, &before, &scene->after, index, ends_at_point, NULL, &scene->exits);
    instance_forget(&before);
}

uint32_t scene_begin(struct scene *scene, struct instance *thread) {
    struct state before = unguarded(thread, &thread->in[0]);
    uint32_t first = thread->number == 0 ? thread->code[thread->system->invariants].a : 0;
    scene->beginning.initial = true;
    if (facts_is_point(thread, first)) {
        vector_push(&scene->exits, &(struct exit){first, instance_copy(thread, &before)});
    } else {
        path_run(thread, &before, &scene->after, first, ends_at_point, NULL, &scene->exits);
    }
    instance_forget(&before);
    return first;
}

static bool ends_step(void *data, const struct instance *thread, uint32_t index) {
    const struct step_site *step = data;
    return !step->section || path_ends_section(NULL, thread, index);
}

void scene_disturb(struct scene *scene, struct instance *own, uint32_t point, struct instance *other,
                   const struct step_site *step) {
    struct solver *solver = scene->solver;
    struct state state = instance_state(other, step->index);
    struct state before = unguarded(other, &state);
    scene_place(scene, other, &state, step->index);
    scene->reached = solver_and(solver, scene->reached, threads_differ(own, other));
    scene->reached = solver_and(solver, scene->reached, facts_between(own, point, other, step->index));
    struct step_site copy = *step;
    path_run(other, &before, &scene->after, step->index, ends_step, &copy, &scene->exits);
    instance_forget(&state);
    instance_forget(&before);
}

Z3_ast scene_with(const struct scene *scene, Z3_ast condition) {
    struct solver *solver = scene->solver;
    Z3_ast all = solver_and(solver, scene->reached, solver_and(solver, scene->after.enabled, condition));
    return solver_and(solver, all, scene->beginning.known);
}

bool step_writes(const struct step_site *step) {
    for (size_t i = 0; i < step->accesses.count; i++) {
        if ((*(const struct access **)vector_at(&step->accesses, i))->writes) {
            return true;
        }
    }
    return false;
}
