/* One or two threads at points, memory in which all facts hold, and what a step makes of it. */
#ifndef PICKET_PROVE_SCENE_H
#define PICKET_PROVE_SCENE_H

#include "prove/facts.h"
#include "prove/questions.h"

struct scene {
    struct questions *questions;
    struct solver *solver;
    struct beginning beginning;
    struct world before; /* nothing is written in it */
    struct world after;
    struct vector exits;        /* of struct exit: where the step leads */
    Z3_ast reached;             /* the threads are where they are, and every fact holds */
    struct hash_table *assumed; /* ids of inferred facts that are part of that */
};

void scene_init(struct scene *scene, struct questions *questions);
void scene_delete(struct scene *scene);

/* A thread is before an instruction, in this state. */
void scene_place(struct scene *scene, struct instance *thread, const struct state *state, uint32_t index);

/* The thread takes its step and continues to its next point. */
void scene_go(struct scene *scene, struct instance *thread, const struct state *state, uint32_t index);

/* A thread begins: memory is as main leaves it, since threads exist from the beginning.  Returns the instruction. */
uint32_t scene_begin(struct scene *scene, struct instance *thread);

/* Beside a thread that is at a point, another one takes its step. */
void scene_disturb(struct scene *scene, struct instance *own, uint32_t point, struct instance *other,
                   const struct step_site *step);

/* The condition that all this happens and `condition` holds. */
Z3_ast scene_with(const struct scene *scene, Z3_ast condition);

/* May the step write? */
bool step_writes(const struct step_site *step);

#endif
