/* One path of one thread: what symbolic execution carries from instruction to instruction.  Paths that come to the same
 * place, in the same iterations of the loops around it, become one. */
#ifndef PICKET_SEQ_STATE_H
#define PICKET_SEQ_STATE_H

#include "ir/flow.h"
#include "seq/symbolic.h"

#define MOST_LOOPS 24

/* Where a path is: for each loop around it the header's place in reverse post-order and the iteration, then the block's
 * own place.  Places are visited in ascending order, so all that leads to one has been visited before. */
struct place {
    uint32_t depth; /* loops around it */
    uint32_t at[2 * MOST_LOOPS + 1];
};

struct local {
    uint64_t base;
    uint64_t size;
};

/* The event of the path's last step, where the guard holds (stale.h). */
struct moment {
    uint32_t event;
    literal guard;
};

struct state {
    struct place place;
    uint32_t block;
    uint32_t pos; /* in the source: of the last instruction that has one */
    literal guard;
    struct value *registers;
    struct words private;   /* memory that no other thread can reach */
    struct words shared;    /* all other, while there is one thread or in an atomic section */
    struct vector locals;   /* of struct local: private ones, oldest first */
    struct vector escaping; /* of struct value: bases of the others */
    uint64_t stack_next;
    struct value heap_next;
    struct value children; /* threads created so far */
    struct vector moments; /* of struct moment; empty unless stale addresses are looked for */
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
int place_compare(const struct place *one, const struct place *other);

/* What shared memory is where a path has not written it: the initial bytes, or what an atomic section reads first. */
struct value shared_missing(void *path, uint64_t address, unsigned size);
struct path {
    struct symbolic *execution;
    struct state *state;
};

/* Makes `state` the union of two paths at one place, which excludes the other's use; `live`: bit set of registers.
 * Returns NULL, or why that cannot be done. */
const char *state_merge(struct symbolic *execution, struct state *state, struct state *other, uint32_t registers,
                        const uint64_t *live);

/* The second thread comes: what is in shared memory becomes the initial memory of all. */
void state_share(struct symbolic *execution, struct state *state);

#endif
