/* From TSO to SC: a translation of programs after Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO
 * Analysis" (CAV 2011).
 *
 * The translated program has no store buffers: under SC it reaches exactly the final shared states that the program
 * reaches under TSO with at most K rounds per thread (BOUND_ROUNDS), or with stores that drain at most K rounds of
 * their thread after the one that executed them (BOUND_AGE; 0 is SC).  A round is a maximal block of steps of one
 * thread and of drains of its buffer.
 *
 * A round of a thread becomes one atomic section.  When a thread executes a store, it chooses the round in which the
 * store will reach memory: in the present round the store is executed at once, otherwise it is kept until the chosen
 * round begins.  Of all stores kept for one round only the last value of each byte matters, so the memory for kept
 * stores does not grow with their number.
 *
 * Instead of the paper's copies of every shared variable, each thread has a table with one row for each aligned word
 * (of 8 bytes) that has a pending store.  A row has, per byte, the newest value (the view), whether the store that
 * wrote the byte also wrote the byte before it, and for each later round a mask and a queue of values.  A word without
 * a row has no pending store, and memory is its view.  So the size of the code depends neither on K nor on the memory
 * of the program, and the size of the table is linear in K.
 *
 * Beyond the paper: accesses of every size (a load whose bytes are not all from one store waits, as on the machine),
 * ends of objects, read-modify-writes, locks and similar operations, waiting loops, atomic sections (no round ends
 * inside one, and its end does not end the round), thread creation, process end.  Deadlocks, leaks and liveness are not
 * preserved. */
#ifndef PICKET_BOUND_BOUND_H
#define PICKET_BOUND_BOUND_H

#include "ir/program.h"
#include "util/diagnostics.h"

enum bound_kind { BOUND_ROUNDS, BOUND_AGE };

struct bound_options {
    enum bound_kind kind;
    uint32_t bound;   /* K: at least 1 for rounds */
    uint32_t copies;  /* number of rows of the table of a thread; 0: BOUND_COPIES */
    bool spurious;    /* condition variables wake without a signal */
    bool malloc_fail; /* malloc may return NULL; the translated program runs without that option */
    bool probe; /* anything beyond the bound is an error: a step in round K + 1 of a thread; a store that drains K + 1
                   rounds later */
    bool portable; /* for other tools: private memory is found in the program, not by addresses at run time */
    bool markers;  /* emit markers for the steps of the original program */
};

#define BOUND_COPIES 64u
#define BOUND_MOST 200u /* so that the tables of a thread stay below its private memory */

/* Markers are NONDETs with a single value; their width in bits, which no C type has, is their kind.  The marker of a
 * step comes before the step, unless the step has several outcomes; the end of an object has the marker of a store.
 * The end of a thread has none: that step is the same in both programs. */
enum bound_marker {
    MARKER_STEP = 61,   /* a step of the original; value: the address accessed, 0 if none */
    MARKER_DELAY = 62,  /* the store of the last marker drains after this number of rounds */
    MARKER_ROUND = 63,  /* a new round begins */
    MARKER_WAKES = 60,  /* the step of the next marker wakes the thread with this number + 1, chosen among several */
    CHOICE_END = 58,    /* no marker: does the round end here? */
    CHOICE_DELAY = 59,  /* no marker: the round in which the store will drain */
    CHOICE_WAITER = 57, /* no marker: the thread that wakes */
};

/* Translates the program.  False if a construct is not supported: `diagnostics` says which, and where. */
bool bound_translate(const struct program *program, const struct bound_options *options, struct program *result,
                     struct diagnostics *diagnostics);

/* Address of the 8 bytes in which a translated program keeps the number + 1 of the thread of the present or last round.
 * A thread begins a round (ATOMIC_BEGIN) only if the last round is another thread's. */
uint64_t bound_last_address(const struct program *translated, const struct program *original);

/* An execution of the translated program has met an error at this position.  Is it none of the program, because the
 * translation cannot follow the program there?  Then `diagnostics` says why, and where. */
bool bound_refuses(const struct program *translated, uint32_t pos, const char *message,
                   struct diagnostics *diagnostics);

#endif
