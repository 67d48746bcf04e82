/* From TSO to SC: a translation of programs after Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO
 * Analysis" (CAV 2011).
 *
 * The translated program has no store buffers to think of: run under SC it reaches exactly the final shared states that
 * the program reaches under TSO with at most K rounds per thread (BOUND_ROUNDS), or with stores that drain at most K
 * rounds of their thread after the one that executed them (BOUND_AGE; 0 is SC).  A round is a maximal block of steps of
 * one thread and of drains of its buffer.
 *
 * A round of a thread becomes one atomic section.  When a thread executes a store it decides in which of its rounds the
 * store will reach memory: at once if in this one, else the store is kept until that round begins.  Of all stores kept
 * for one round only the last value of each byte matters, so what is kept does not grow with the number of stores.
 *
 * What the paper does with copies of every shared variable is done here with a table per thread: one row for each
 * aligned word (of 8 bytes) that has a pending store.  A row holds, per byte, the newest value (the view), whether the
 * byte was written by the same store as the byte before it, and for each round to come a mask and a queue of values.
 * Words without a row have nothing pending, and the view of them is memory.  So the size of the code depends neither on
 * K nor on the memory of the program, and the size of the table is linear in K.
 *
 * Beyond the paper: accesses of every size (a load whose bytes are not all from one store waits, as on the machine),
 * ends of objects, read-modify-writes, locks and their kin, waiting loops, atomic sections (inside one no round ends,
 * and its end does not end the round), thread creation, process end.  Deadlocks, leaks and liveness are not preserved.
 */
#ifndef PICKET_BOUND_BOUND_H
#define PICKET_BOUND_BOUND_H

#include "ir/program.h"
#include "util/diagnostics.h"

enum bound_kind { BOUND_ROUNDS, BOUND_AGE };

struct bound_options {
    enum bound_kind kind;
    uint32_t bound;   /* K: at least 1 for rounds */
    uint32_t copies;  /* rows of the table of a thread; 0: BOUND_COPIES */
    bool spurious;    /* condition variables wake without a signal */
    bool malloc_fail; /* malloc may return NULL; the translated program runs without that option */
    bool probe;       /* anything beyond the bound is an error with the message BOUND_WANTS_ROUND: what happens in round
                       * K + 1 of a thread; a store that drains K + 1 rounds later */
    bool portable;    /* for other tools: private memory is told from the program, not from addresses at run time */
    bool markers;     /* tell the steps of the original program by markers */
};

#define BOUND_COPIES 64u
#define BOUND_MOST 200u /* the tables of a thread stay below its private memory */

/* Markers are NONDETs with a single value; what they say is told by their width in bits, which no C type has.  A step
 * is told before it is taken, unless it has several outcomes; the end of an object is told like a store. */
enum bound_marker {
    MARKER_STEP = 61,   /* a step of the original; value: the address accessed, 0 if none */
    MARKER_DELAY = 62,  /* the store just told drains so many rounds later */
    MARKER_ROUND = 63,  /* a new round begins */
    MARKER_WAKES = 60,  /* the step told next wakes the thread with this number + 1, chosen among several */
    CHOICE_END = 58,    /* no marker: does the round end here? */
    CHOICE_DELAY = 59,  /* no marker: in which round will the store drain? */
    CHOICE_WAITER = 57, /* no marker: who is woken? */
};

/* Messages of errors that mean no error of the program. */
#define BOUND_WANTS_ROUND "a thread wants a further round"
#define BOUND_NO_COPY "more words have pending stores than the translation has copies for"
#define BOUND_NO_LOCAL "more shared locals are alive than the translation can follow"
#define BOUND_NO_WAITER "more threads wait to be woken than the translation can follow"
#define BOUND_NO_FORMAT "text is formatted or read while own stores are pending, which cannot be translated"

/* Translates.  False if there is a construct that cannot be: then `diagnostics` says which, and where. */
bool bound_translate(const struct program *program, const struct bound_options *options, struct program *result,
                     struct diagnostics *diagnostics);

/* Where a translated program keeps the number + 1 of the thread whose round it is or was, in 8 bytes.  A thread begins
 * a round (ATOMIC_BEGIN) only if that is another one. */
uint64_t bound_last_address(const struct program *translated, const struct program *original);

/* Is it one of the messages above, other than BOUND_WANTS_ROUND? */
bool bound_message_refuses(const char *message);

#endif
