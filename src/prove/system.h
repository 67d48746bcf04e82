/* The program as the proof sees it: flat threads, in classes, and what their registers and memory can hold.
 *
 * A class is one THREAD_CREATE of the flat program, in one class of creators; main from its first creation or choice on
 * is the first class.  All threads exist from the beginning, each at its class's first instruction: that adds
 * executions and takes none away.  A class has one thread, or any number of threads if its creation is on a cycle of
 * the flow graph, or if its creators are many.
 *
 * What main does before runs on the machine; memory after it is the initial memory. */
#ifndef PICKET_PROVE_SYSTEM_H
#define PICKET_PROVE_SYSTEM_H

#include "engine/engine.h"
#include "ir/flow.h"
#include "ir/liveness.h"
#include "prove/space.h"

#define MOST_CLASSES 256u
#define NO_CLASS UINT32_MAX

/* Which bytes an instruction accesses; `size` 0: it ends the whole objects. */
struct access {
    bool present;
    bool reads;
    bool writes;
    bool ends;
    uint32_t size;
    struct value address;
};

/* Abstractions that are found: what an access may return besides what it reads.  They are tried in this order. */
enum found_kind {
    FOUND_NONE,     /* the abstraction is an annotation of the source */
    FOUND_WAITS,    /* every value with which the thread continues to wait */
    FOUND_CONSTANT, /* one number */
    FOUND_TO,       /* from 0 to what it reads */
    FOUND_AT_MOST,
    FOUND_AT_LEAST,
    FOUND_ANYTHING,
    FOUND_KINDS
};

struct found {
    uint32_t class;
    uint32_t access; /* instruction */
    enum found_kind kind;
    uint64_t number; /* FOUND_CONSTANT */
};

/* A load, read-modify-write or compare-and-swap that an annotation, or the proof itself, makes less certain. */
struct abstraction {
    uint32_t note;   /* the NOTE of picket_reads or picket_may_fail */
    uint32_t access; /* the instruction; UINT32_MAX: none was found */
    uint32_t result; /* which of its results the annotation is about */
    struct found found;
    bool numeric; /* the place holds no address, so any number may be returned */
};

struct class {
    uint32_t function;
    uint32_t creator;  /* class; its own number for main */
    uint32_t creation; /* instruction of the creator */
    bool many;
    bool distinct; /* `many`: no two threads have the same argument */
    struct flow flow;
    struct value *entry;        /* registers where its threads begin */
    struct value **in;          /* by block: registers there, those that are live; NULL: nothing comes here */
    uint32_t *visits;           /* by block */
    bool *feasible;             /* by edge of the flow graph */
    struct access *accesses;    /* by instruction */
    struct access *seconds;     /* likewise: the second object of an operation */
    struct vector abstractions; /* of struct abstraction */
    uint8_t *noted;             /* by instruction: it is part of an annotation's condition */
    bool *meets;                /* likewise: it is an ASSUMED, and the assumption may be met */
    uint32_t *depth;            /* by instruction: atomic sections around it; UINT32_MAX: nothing comes here */
    uint32_t *joins;            /* by instruction: the class whose thread is joined or detached, or NO_CLASS */
    bool *succeeds;             /* likewise: it is a join that ends when that one thread has, and returns 0 */
    uint32_t last;              /* the only THREAD_EXIT of its threads; UINT32_MAX: there is none */
};

struct system {
    const struct task *task;
    struct program whole;    /* flat, with all of main: what the machine runs */
    struct program flat;     /* the same, but main begins where it is on the machine */
    struct machine *machine; /* main just before its first thread */
    uint32_t first_steps;    /* that main has taken there */
    struct liveness liveness;
    struct space space;
    struct vector classes;           /* of struct class * */
    uint32_t invariants;             /* the first instructions of main are their NOTEs */
    bool annotated;                  /* there are annotations */
    const struct inferred *inferred; /* facts that were found; NULL: none */
    bool can_overflow;               /* there are additions of which that can be assumed */
    const struct vector *found;      /* of struct found: abstractions to be used; NULL: none */
    bool no_overflow;                /* additions of small numbers are assumed not to overflow */
    struct vector assumed;           /* of uint32_t: positions of those of which that was used */
    uint64_t *thresholds;
    size_t thresholds_count;
    struct assumptions outside; /* what is assumed of the outside (outside.h) */
    const char *refusal;        /* what cannot be done; NULL: all can */
    uint32_t refusal_pos;
    const char *undecided; /* a limit that was reached */
};

/* Makes the system; false with a refusal or a limit.  `no_overflow`, `found`: as the fields. */
bool system_init(struct system *system, const struct task *task, bool no_overflow, const struct vector *found);
void system_delete(struct system *system);

static inline struct class *class_of(const struct system *system, uint32_t index) {
    return *(struct class **)vector_at(&system->classes, index);
}

static inline const struct instruction *class_code(const struct system *system, const struct class *class) {
    return function_code(&system->flat, class->function);
}

static inline bool instruction_reached(const struct class *class, uint32_t index) {
    return class->depth[index] != UINT32_MAX;
}

/* Is the register live before the instruction? */
bool system_is_live(const struct system *system, const struct class *class, uint32_t index, uint32_t reg);

/* The number of the class that a THREAD_CREATE makes, or NO_CLASS. */
uint32_t system_created(const struct system *system, uint32_t creator, uint32_t creation, uint32_t function);

/* The same; it is made if it does not exist. */
uint32_t system_class(struct system *system, uint32_t creator, uint32_t creation, uint32_t function);

void system_refuse(struct system *system, uint32_t pos, const char *why);

/* Is the instruction's block on a cycle of the flow graph? */
bool flow_is_cyclic(const struct flow *flow, uint32_t instruction);

/* Does control reach the block from one that is not before it in reverse post-order? */
bool block_is_head(const struct flow *flow, uint32_t block);
/* Blocks in reverse post-order; the caller frees the array. */
uint32_t *prove_order_blocks(const struct flow *flow);

/* Does a thread reach the annotation?  A found abstraction has none. */
bool abstraction_applies(const struct class *class, const struct abstraction *abstraction);
/* The abstraction of an instruction, or NULL. */
const struct abstraction *class_abstraction(const struct class *class, uint32_t index);

/* Annotations (annotations.c): finds the abstractions of a new class, and the code of all its conditions. */
void annotations_find(const struct system *system, struct class *class);
/* After the analysis: refuses annotations that cannot be used. */
void annotations_check(struct system *system);

/* The data-flow analysis (analysis.c): runs until registers, cells and classes stay the same. */
void analysis_run(struct system *system);

/* Have no two threads of the class the same argument (distinct.c)? */
bool class_is_distinct(const struct system *system, uint32_t number);

/* The words of its objects that an operation reads or writes.  `input`: SYNC_A or SYNC_B; `value`: what is written, if
 * that is known. */
struct sync_access {
    uint32_t input;
    uint64_t offset;
    bool writes;
    bool known;
    uint64_t value;
};
void operation_words(unsigned kind, void (*visit)(void *data, const struct sync_access *access), void *data);

#endif
