/* What all questions share: the solver, started for the first one, and two threads of each class, so that a question
 * can be about two of them. */
#ifndef PICKET_PROVE_QUESTIONS_H
#define PICKET_PROVE_QUESTIONS_H

#include "prove/instance.h"
#include "prove/steps.h"

struct questions {
    struct system *system;
    struct steps *steps;
    const char *directory; /* for SMT-LIB files */
    struct answered *answered;
    bool has_solver;
    const char *no_solver; /* why there is none */
    struct solver solver;
    struct instance *threads[2][MOST_CLASSES];
};

/* `answered` (answered.h) may be NULL. */
void questions_init(struct questions *questions, struct steps *steps, const char *directory, struct answered *answered);
void questions_delete(struct questions *questions);

/* False if there is no solver. */
bool questions_start(struct questions *questions);

/* A thread of the class; the two sides are different threads. */
struct instance *questions_thread(struct questions *questions, int side, uint32_t class);

/* The condition that the two are different threads. */
Z3_ast threads_differ(struct instance *one, struct instance *other);

/* Can a thread of one class take a step beside a thread of the other? */
bool classes_meet(const struct system *system, uint32_t one, uint32_t other);

/* Can two threads be before these instructions at the same time, according to joins? */
bool points_meet(const struct system *system, uint32_t one, uint32_t index, uint32_t other, uint32_t other_index);

/* The line of an instruction, for names of questions. */
uint32_t questions_line(const struct questions *questions, uint32_t class, uint32_t index);

#endif
