/* A concurrent program printed as a sequential one: lazy sequentialization over a shared memory abstraction, after
 * Tomasco, Nguyen, Inverso, Fischer, La Torre and Parlato, "Lazy Sequentialization for TSO and PSO via Shared Memory
 * Abstractions" (FMCAD 2016).
 *
 * The printed C has no threads.  Each thread is a function whose steps are numbered; it is resumed at its program
 * counter and runs up to a guessed step.  A driver resumes all threads, in the order of their numbers, once in each of
 * `rounds` rounds, and then main once more.  Every shared access is a call of the abstraction (src/seq/memory).
 *
 * The parts, one file each:
 *
 *     unroll.c      one function without cycles for each thread, by copies of its blocks (copies.c), with what is known
 *                   of its values (value.c) and without unread results (dead.c)
 *     points.c      which objects an address may be in
 *     cells.c       which objects are shared, and their locations
 *     steps.c       where a thread may be switched from
 *     thread.c, access.c, codes.c   a thread as C: control, memory, operations on locks and threads
 *     sequential.c  the whole */
#ifndef PICKET_SEQ_PRINT_SEQUENTIAL_H
#define PICKET_SEQ_PRINT_SEQUENTIAL_H

#include <stdio.h>

#include "emit/emit.h"
#include "ir/program.h"
#include "util/diagnostics.h"

/* The abstractions: X(NAME, text). */
#define ABSTRACTIONS(X)                                                                                                \
    X(SC, "sc")                                                                                                        \
    X(TSO, "tso")                                                                                                      \
    X(ETSO, "etso")                                                                                                    \
    X(PSO, "pso")                                                                                                      \
    X(EPSO, "epso")

#define X(name, text) ABSTRACTION_##name,
enum abstraction { ABSTRACTIONS(X) ABSTRACTION_COUNT };
#undef X
extern const char *const abstraction_names[ABSTRACTION_COUNT];

struct sequential_options {
    enum abstraction abstraction;
    uint32_t rounds;
    uint32_t unroll; /* a loop iterates at most this often beyond its first iteration */
    uint32_t clock;  /* times are below it */
    uint32_t queue;  /* nodes of a list, entries of a queue */
    enum dialect dialect;
};

/* What the options may be: bounds that keep clock, nodes and rounds in a byte. */
#define SEQUENTIAL_MOST 255u

/* Prints a program that has not been flattened.  If a construct is not supported, returns false and prints nothing;
 * `diagnostics` says which, and where. */
bool sequential_print(const struct program *program, const struct sequential_options *options, const char *file,
                      FILE *out, struct diagnostics *diagnostics);

#endif
