/* Movers: does a step commute with every step of every other thread?  docs/prove.md has the theorem. */
#ifndef PICKET_PROVE_MOVERS_H
#define PICKET_PROVE_MOVERS_H

#include "prove/questions.h"

enum mover_answer { MOVER_OPEN, MOVER_MOVES, MOVER_STOPPED };

/* What is known of one store or load. */
struct mover {
    uint32_t class;
    uint32_t index;
    enum mover_answer without_question; /* according to the analysis alone */
    enum mover_answer answer;
    size_t step;     /* the one that stops it */
    bool unanswered; /* the solver gave no answer within its resources */
    char *model;     /* memory in which it does, in the program's names; NULL: not requested */
};

struct movers {
    struct system *system;
    struct steps *steps;
    struct questions *questions;
    enum prove_seed seed;
    bool by_place;       /* two steps that can access a common byte, one to write it, do not commute */
    struct vector left;  /* of struct mover: stores */
    struct vector right; /* likewise: loads */
};

void movers_init(struct movers *movers, struct questions *questions, enum prove_seed seed);
void movers_delete(struct movers *movers);

/* The store as a left mover, the load as a right mover.  With `ask` false only pairs that need no question are
 * decided. */
struct mover *movers_left(struct movers *movers, uint32_t class, uint32_t index, bool ask);
struct mover *movers_right(struct movers *movers, uint32_t class, uint32_t index, bool ask);

#endif
