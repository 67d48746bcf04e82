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

/* Which bytes an instruction accesses; `size` 0: it ends the whole objects. */
struct access {
    bool present;
    bool reads;
    bool writes;
    bool ends;
    uint32_t size;
    struct value address;
};

struct class {
    uint32_t function;
    uint32_t creator;  /* class; its own number for main */
    uint32_t creation; /* instruction of the creator */
    bool many;
    bool distinct; /* `many`: no two threads have the same argument */
    struct flow flow;
    struct value *entry;     /* registers where its threads begin */
    struct value **in;       /* by block: registers there, those that are live; NULL: nothing comes here */
    uint32_t *visits;        /* by block */
    bool *feasible;          /* by edge of the flow graph */
    struct access *accesses; /* by instruction */
    struct access *seconds;  /* likewise: the second object of an operation */
    uint32_t *depth;         /* by instruction: atomic sections around it; UINT32_MAX: nothing comes here */
};

struct system {
    const struct task *task;
    struct program whole;    /* flat, with all of main: what the machine runs */
    struct program flat;     /* the same, but main begins where it is on the machine */
    struct machine *machine; /* main just before its first thread */
    struct liveness liveness;
    struct space space;
    struct vector classes; /* of struct class * */
    uint64_t *thresholds;
    size_t thresholds_count;
    const char *refusal; /* what cannot be done; NULL: all can */
    uint32_t refusal_pos;
    const char *undecided; /* a limit that was reached */
};

/* Makes the system; false with a refusal or a limit. */
bool system_init(struct system *system, const struct task *task);
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

/* The number of the class that a THREAD_CREATE makes; it is made if it does not exist. */
uint32_t system_class(struct system *system, uint32_t creator, uint32_t creation, uint32_t function);

void system_refuse(struct system *system, uint32_t pos, const char *why);

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
