/* The engine `prove`: does the store buffer add any state, and do claims and assertions hold?  For any number of
 * threads, by reduction: every buffered store that a later load of its thread can pass moves left to where it was
 * issued, or every such load moves right to where the store has drained (docs/prove.md). */
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

/* A claim, invariant or assertion that could not be proved, or a step that may be an error. */
struct proof_obligation {
    char *what; /* "the claim", "the assertion", ... */
    struct proof_line where;
    const char *how;        /* "does not hold at first", "is made false by", ... */
    struct proof_line step; /* what is NULL: no step is concerned */
    char *model;            /* as of an obstacle */
    bool unanswered;
};

/* An abstraction that would help. */
struct proof_help {
    struct proof_line access;
    char *place;      /* its name in the program; may be empty */
    char *text;       /* what it may return, in words */
    char *expression; /* the same as C, with %V and %P for variable and place; NULL: there is none */
    bool update;      /* of a read-modify-write */
    bool idle;        /* it only adds waiting */
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
    uint32_t line;              /* refused: where */
    char *file;                 /* NULL if nowhere */
    struct vector pairs;        /* of struct proof_pair */
    struct vector broken;       /* of struct proof_obligation */
    struct vector abstractions; /* of struct proof_line: those of the source, and those that were found */
    struct vector idle_found;   /* of struct found */
    struct vector helping;      /* of struct proof_help: with these all pairs would move; they prove nothing */
    struct vector facts;        /* of char *: what was found to hold and may have been used, in words */
    struct vector assumptions;  /* of struct proof_line: additions that are assumed not to overflow */
    struct vector outside;      /* of struct assumed: what is assumed of the outside */
    uint64_t queries;
    uint64_t pair_queries; /* of those, about pairs */
    double time_s;
    uint32_t classes;      /* of threads, main among them */
    uint32_t many_classes; /* with any number of threads */
    uint32_t assertions;   /* that a thread may reach */
    uint32_t written;      /* of those, assertions of the program itself */
    uint32_t claims;       /* of the source, invariants among them */
    uint32_t idle;         /* abstractions that only add waiting, those of `idle_found` */
    uint32_t found;        /* abstractions that are not in the source */
    uint32_t left_movers;  /* stores that were shown to move left */
    uint32_t right_movers; /* loads that were shown to move right */
    bool adds_state;       /* not shown that none is added */
    bool claims_broken;    /* some of `broken` are claims or invariants */
    bool can_assume;       /* some addition may be assumed not to overflow */
    bool waits;            /* some operation can wait: deadlocks are not excluded */
    char reason[256];      /* why undecided or refused */
};

struct prove_options {
    const char *smt; /* a directory for SMT-LIB files, or NULL */
    enum prove_seed seed;
    bool no_facts;        /* nothing is inferred or assumed */
    bool no_abstractions; /* none are sought */
    bool by_place;        /* for robustness: conflicts by place; assertions are left out */
};

/* Proves, as far as that is possible.  The task gives program, machine options and limits. */
void proof_init(struct proof *proof, const struct task *task, const struct prove_options *options);
void proof_delete(struct proof *proof);

#endif
