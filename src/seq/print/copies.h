/* What the two halves of unrolling share: which copies there are (copies.c), and what they are made of (unroll.c).
 *
 * A copy is a basic block in a certain iteration of each loop around it.  Copies are made in an order in which all
 * edges go forward: by the loops around them from the outside in, first by the position of the loop (the reverse
 * post-order of its header), then by iteration.  When a copy is made, all edges into it are known, and so is what they
 * have in common. */
#ifndef PICKET_SEQ_PRINT_COPIES_H
#define PICKET_SEQ_PRINT_COPIES_H

#include "ir/builder.h"
#include "ir/flow.h"
#include "seq/print/unroll.h"
#include "seq/print/value.h"
#include "util/hash_table.h"

#define MOST_DEPTH 12u /* of loops in loops */
#define NO_AWAIT UINT32_MAX

/* An iteration of a loop around a copy. */
struct iteration {
    uint32_t number;
    uint32_t counted; /* how many before it count against the bound */
    bool decided;     /* known numbers have decided a branch out of the loop */
    bool before;      /* so they had in the iteration before it */
    uint64_t start;   /* a hash of what was known at its start */
};

/* A branch target to be set: a field of an instruction, or an operand of a switch. */
struct fixup {
    bool in_pool;
    uint32_t index;
    uint8_t field; /* 0 dst, 1 a, 2 b, 3 c */
};

/* A copy to be made, with what is known at its start. */
struct copy {
    uint32_t block;
    struct iteration iterations[MOST_DEPTH];
    struct value *values; /* by register */
    uint32_t await;       /* the AWAIT in whose iteration it is, NO_AWAIT if that differs */
    bool changed;         /* that iteration may have changed memory */
    uint32_t announced;   /* number + 1 that CHILD has returned for the next thread, 0 if none */
    struct vector edges;  /* of struct fixup */
};

struct unroller {
    const struct program *flat;
    uint32_t bound;
    const bool *constant;
    struct diagnostics *diagnostics;
    struct builder builder;
    struct unrolled *unrolled;
    struct vector arguments; /* of struct value[2], by thread */
    bool failed;
    /* The thread being unrolled. */
    uint32_t thread;
    uint32_t user_pos; /* the last position in the user's source: it represents code of Picket's own library */
    struct flow flow;
    struct vector pending;      /* of struct copy */
    struct vector cuts;         /* of struct fixup: edges to the end, by reason */
    struct vector failed_waits; /* of struct fixup */
    struct hash_table *left;    /* of struct iteration_key: iterations that can leave their loop */
};

/* The position of an instruction, or where the user's program has called what it belongs to. */
uint32_t position_of(struct unroller *unroller, uint32_t pos);
void unroller_refuse(struct unroller *unroller, uint32_t pos, const char *message);

/* Finds the loops of the thread being unrolled.  False if they cannot be unrolled. */
bool copies_prepare(struct unroller *unroller, uint32_t pos);

/* Sets a branch target. */
void fixup_set(struct unroller *unroller, const struct fixup *fixup, uint32_t target);

/* An edge to the block at instruction `target`, from the end of a copy. */
void copies_edge(struct unroller *unroller, const struct copy *from, uint32_t target, struct fixup fixup);
/* Notes that known numbers decide a branch at the end of a copy. */
void copies_decide(const struct unroller *unroller, struct copy *copy, const struct instruction *branch);

/* Takes the copy that comes next; to be deleted.  False if its loop is cut there. */
bool copies_take(struct unroller *unroller, struct copy *copy);
void copy_delete(struct copy *copy);

/* A copy of what is known; of nothing if it is NULL. */
struct value *values_copy(const struct unroller *unroller, const struct value *values);

#endif
