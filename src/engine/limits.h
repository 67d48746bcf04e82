/* Time, memory and Ctrl-C: what ends a search early.
 *
 * Signals can only be told to the process, so the flag they set is the process's too; everything else is in the struct.
 */
#ifndef PICKET_ENGINE_LIMITS_H
#define PICKET_ENGINE_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct limits {
    double timeout;     /* seconds, 0: none */
    uint64_t memory_mb; /* 0: none */
    uint32_t countdown; /* until memory is looked at again ... */
    uint32_t interval;  /* ... which is done once in so many times */
    double looked;      /* when (limits_now) it was done last */
    bool memory_full;
    double until;        /* if not 0: when (limits_now) this search has had its share of the time */
    uint32_t until_asks; /* until the clock is looked at again */
    bool share_over;
};

/* Before a search has started there is nothing to tell: Ctrl-C ends the process, as undecided. */
void limits_watch(void);

/* Starts the clock and catches Ctrl-C (a second one ends the process at once). */
void limits_start(struct limits *limits);

/* Has a limit been reached?  Cheap: meant to be asked at every step. */
bool limits_reached(struct limits *limits);

/* May so many bytes more be used?  If not, the memory limit counts as reached. */
bool limits_allow(struct limits *limits, uint64_t bytes);

/* Why: "time-out after 10 s", "memory limit of 100 MB", "interrupted"; NULL if no limit was reached. */
const char *limits_reason(const struct limits *limits);

/* The flag that the signals set, for the machine's long local runs. */
const atomic_bool *limits_flag(void);

double limits_now(void);           /* seconds of a clock that never goes back */
uint64_t limits_peak_memory(void); /* of the process so far, in MB */

#endif
