/* Movers: does a step commute with every step of every other thread?  docs/prove.md has the theorem. */
#ifndef PICKET_PROVE_MOVERS_H
#define PICKET_PROVE_MOVERS_H

#include "prove/instance.h"
#include "prove/steps.h"

enum mover_answer { MOVER_OPEN, MOVER_MOVES, MOVER_STOPPED };

/* What is known of one store or load. */
struct mover {
    uint32_t class;
    uint32_t index;
    enum mover_answer without_question; /* as far as the analysis alone tells */
    enum mover_answer answer;
    size_t step;     /* the one that stops it */
    bool unanswered; /* the solver gave no answer within its resources */
    char *model;     /* memory in which it does, in the program's names; NULL: none was asked for */
};

struct movers {
    struct system *system;
    struct steps *steps;
    enum prove_seed seed;
    const char *directory; /* for SMT-LIB files */
    bool has_solver;
    const char *no_solver; /* why there is none */
    struct solver solver;
    struct instance *threads[2][MOST_CLASSES]; /* the mover's side and the other's */
    struct vector left;                        /* of struct mover: stores */
    struct vector right;                       /* likewise: loads */
};

void movers_init(struct movers *movers, struct steps *steps, enum prove_seed seed, const char *directory);
void movers_delete(struct movers *movers);

/* The store as a left mover, the load as a right mover.  With `ask` false only what needs no question is answered. */
struct mover *movers_left(struct movers *movers, uint32_t class, uint32_t index, bool ask);
struct mover *movers_right(struct movers *movers, uint32_t class, uint32_t index, bool ask);

#endif
