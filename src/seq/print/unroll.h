/* Threads without cycles: every thread that the program can have within the bound becomes a function of its own, in
 * which all branches go forward.
 *
 *  U1. An instruction is executed at most once.  So a local or a block of the heap is a global, a thread-local
 *      variable has one global for each thread, and a creation creates one thread.
 *  U2. Branches go forward in the order of the instructions.
 *  U3. An iteration of a waiting loop that changes nothing does not exist: the loop ends, or the execution ends.
 *
 * Loops are cut after `bound` further iterations.  An iteration does not count if known numbers have decided that it
 * does not leave the loop, so that a loop over a constant range is complete. */
#ifndef PICKET_SEQ_PRINT_UNROLL_H
#define PICKET_SEQ_PRINT_UNROLL_H

#include "ir/program.h"
#include "util/diagnostics.h"
#include "util/vector.h"

#define MOST_THREADS 60u /* one bit each, with some to spare */

struct thread_plan {
    uint32_t function; /* of the unrolled program */
    uint32_t start;    /* the function of the flat program that it runs */
    uint32_t pos;      /* of its creation */
    bool created;      /* a creation was found, not only the CHILD before it */
};

/* The CUTs of an unrolled program. */
enum cut_reason {
    CUT_LOOP = CUT_BOUND,   /* a loop was to iterate once more */
    CUT_WAIT = CUT_FRONTIER /* an iteration of a waiting loop has failed */
};

/* A thread-local variable of a thread. */
struct thread_local_copy {
    uint32_t thread;
    uint32_t global; /* of the flat program */
    uint32_t copy;   /* of the unrolled program */
};

/* The globals of the flat program keep their numbers; those of locals, blocks of the heap and copies follow them. */
struct unrolled {
    struct program program;
    struct vector threads; /* of struct thread_plan, by number */
    struct vector heap;    /* of uint32_t: globals that are blocks of the heap, ascending */
    struct vector copies;  /* of struct thread_local_copy */
};

/* Unrolls a flat program.  `constant`: by global of the flat program, whether it is never written (NULL: not known).
 * False if that is impossible: `diagnostics` says why. */
bool unroll(const struct program *flat, uint32_t bound, const bool *constant, struct unrolled *unrolled,
            struct diagnostics *diagnostics);
void unrolled_delete(struct unrolled *unrolled);

#endif
