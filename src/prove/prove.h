/* The engine `prove`: does the store buffer add any state?  For any number of threads, by reduction: every buffered
 * store that a later load of its thread can pass moves left to where it was issued, or every such load moves right to
 * where the store has drained (docs/prove.md). */
#ifndef PICKET_PROVE_PROVE_H
#define PICKET_PROVE_PROVE_H

#include "engine/engine.h"
#include "prove/seed.h"

enum proof_word {
    PROOF_HOLDS,
    PROOF_FAILS,     /* some pair does not move, as far as can be shown */
    PROOF_UNDECIDED, /* a limit was reached, or the solver has no answer */
    PROOF_REFUSED,
};

/* A line of the program that takes part in a proof. */
struct proof_line {
    char *file;
    uint32_t line;
    char *what; /* "the store to x" */
};

/* Why a store or a load does not move: the step of another thread that it does not pass. */
struct obstacle {
    struct proof_line step;
    char *model;     /* memory in which it does not; NULL: none is known */
    bool unanswered; /* the solver gave no answer, so it may move */
};

enum pair_reason {
    PAIR_STORE_MOVES,
    PAIR_LOAD_MOVES,
    PAIR_FAILS,
    PAIR_OPEN, /* a limit was reached first */
};

struct proof_pair {
    struct proof_line store;
    struct proof_line load;
    enum pair_reason reason;
    bool asked;                  /* the reason needed a question */
    struct obstacle store_stops; /* if it fails */
    struct obstacle load_stops;
};

struct proof {
    enum proof_word word;
    char reason[256]; /* why undecided or refused */
    char *file;       /* refused: where; NULL if nowhere */
    uint32_t line;
    uint32_t classes;      /* of threads, main among them */
    uint32_t many_classes; /* with any number of threads */
    struct vector pairs;   /* of struct proof_pair */
    uint32_t left_movers;  /* stores that were shown to move left */
    uint32_t right_movers; /* loads that were shown to move right */
    uint64_t queries;
    double time_s;
};

struct prove_options {
    const char *smt; /* a directory for SMT-LIB files, or NULL */
    enum prove_seed seed;
};

/* Proves, as far as that is possible.  The task gives program, machine options and limits. */
void proof_init(struct proof *proof, const struct task *task, const struct prove_options *options);
void proof_delete(struct proof *proof);

#endif
