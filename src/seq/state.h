/* One path of one thread: the state of symbolic execution.  Paths that reach the same position, in the same iterations
 * of the loops around it, are merged. */
#ifndef PICKET_SEQ_STATE_H
#define PICKET_SEQ_STATE_H

#include "ir/flow.h"
#include "seq/symbolic.h"

#define MOST_LOOPS 24

/* The position of a path: for each loop around it the header's index in reverse post-order and the iteration, then the
 * block's own index.  Positions are visited in ascending order, so all paths that lead to a position have been visited
 * before. */
struct path_position {
    uint32_t depth; /* loops around it */
    uint32_t at[2 * MOST_LOOPS + 1];
};

struct local {
    uint64_t base;
    uint64_t size;
    bool thread_local; /* a variable, which is initialised */
};

/* The event of the path's last step, where the guard holds (stale.h). */
struct moment {
    uint32_t event;
    literal guard;
};

struct state {
    struct path_position position;
    uint32_t block;
    uint32_t pos; /* in the source: of the last instruction that has one */
    literal guard;
    struct value *registers;
    struct words private;   /* memory that no other thread can reach */
    struct words shared;    /* all other memory, while there is one thread or in an atomic section */
    struct vector locals;   /* of struct local: private ones, oldest first */
    struct vector escaping; /* of struct value: bases of the others */
    uint64_t stack_next;
    struct value heap_next;
    struct value children; /* number of threads created */
    struct vector moments; /* of struct moment; empty unless stale addresses are checked */
    bool alone;            /* no thread has been created yet */
    uint32_t await;        /* instruction of the waiting loop, UINT32_MAX: none */
    uint64_t await_locals; /* private memory from there on is of this iteration */
    uint32_t await_event;  /* the first event of this iteration */
    literal dirty;         /* the iteration has changed something */
    uint32_t section;      /* event, NO_EVENT: not in an atomic section */
    uint32_t section_depth;
    uint32_t counted[MOST_LOOPS]; /* by loop around it: iterations that count against the bound */
};

struct run; /* of one thread: symbolic.c */

struct state *state_new(uint32_t registers);
struct state *state_copy(const struct state *state, uint32_t registers);
void state_delete(struct state *state);
int position_compare(const struct path_position *one, const struct path_position *other);

/* Shared memory that a path has not written: the initial bytes, or what an atomic section reads first.  Private memory
 * likewise: 0. */
struct content shared_missing(void *path, uint64_t address, unsigned size);
struct content private_missing(void *path, uint64_t address, unsigned size);
struct path {
    struct symbolic *execution;
    struct state *state;
};

/* Makes `state` the union of two paths at one position, and consumes the other; `live`: bit set of registers.  Returns
 * NULL, or the reason for which that is impossible. */
const char *state_merge(struct symbolic *execution, struct state *state, struct state *other, uint32_t registers,
                        const uint64_t *live);

/* A second thread is created: the contents of shared memory become the initial memory of all. */
void state_share(struct symbolic *execution, struct state *state);

#endif
