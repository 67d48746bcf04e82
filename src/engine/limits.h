/* Time, memory and Ctrl-C: the reasons for which a run ends early.
 *
 * The limits hold from the moment at which the command line has been read.  Signals are for the process as a whole, so
 * the flag that they set is one for the process, and so are the limits before a search has begun; everything else is in
 * the struct. */
#ifndef PICKET_ENGINE_LIMITS_H
#define PICKET_ENGINE_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct limits {
    double timeout;     /* seconds, 0: none */
    uint64_t memory_mb; /* 0: none */
    uint32_t countdown; /* calls of limits_reached until memory is measured again ... */
    uint32_t interval;  /* ... and from then on until the next time */
    double looked;      /* time (limits_now) of the last measurement of memory */
    bool memory_full;
    double until;        /* if not 0: time (limits_now) at which this search has used its share ... */
    double until_cpu;    /* ... or (limits_cpu) processor time */
    uint32_t until_asks; /* number of calls until the clock is read again */
    bool share_over;
};

/* What ends the process when a signal arrives before a search has begun. */
enum limits_watch_mode {
    WATCH_READING, /* the reader of the input, which returns within a second, or else the handler */
    WATCH_SIMPLE,  /* the handler, at once: the command has no results to report */
};

/* Starts the limits: the clock runs, and Ctrl-C is caught (a second one ends the process at once).  `unread` is what
 * the handler writes to standard output if it ends the process; NULL: "interrupted", to standard error. */
void limits_watch(enum limits_watch_mode mode, double timeout, uint64_t memory_mb, const char *unread);

/* Must the process that reads the input for this one be stopped? */
bool limits_stop_reader(int process);

/* The reason for which reading the input was stopped; NULL: it was not. */
const char *limits_unread_reason(void);

/* A search begins; limits_watch has started the clock. */
void limits_start(struct limits *limits);

/* Has a limit been reached?  Cheap: meant to be called at every step. */
bool limits_reached(struct limits *limits);

/* This process is the child of one that checks the limits and reads `board`: it has no clock, ignores the signals that
 * end the parent, and its search ends when SIGUSR1 arrives. */
struct board;
void limits_begin_child(struct board *board);

/* May `bytes` more bytes be used?  If not, the memory limit counts as reached. */
bool limits_allow(struct limits *limits, uint64_t bytes);

/* The reason: "time-out after 10 s", "memory limit of 100 MB", "interrupted"; NULL if no limit was reached. */
const char *limits_reason(const struct limits *limits);

/* The flag that the signals set, for the machine's long local runs. */
const atomic_bool *limits_flag(void);

/* Three quarters of the memory that the machine, or this process's control group, has, in MB; 0: unknown. */
uint64_t limits_default_memory(void);

double limits_now(void);           /* seconds of a clock that never decreases */
double limits_cpu(void);           /* seconds of processor time of the process */
uint64_t limits_memory(void);      /* of the process now, in MB */
uint64_t limits_peak_memory(void); /* the greatest amount so far */

#endif
