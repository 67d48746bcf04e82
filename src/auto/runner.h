/* An member's child as the parent sees it: its process, its pipe, its board.
 *
 *                  ready            pause                    end of pipe
 *     started  ───────────► runs ◄────────► paused     any ─────────────► gone
 *                             │                │
 *                             └── hand in ─────┘  SIGUSR1: it sends what it has and ends; after a while it is killed
 *
 * A child is not stopped before its board says that it is ready: until then it would outlive a parent that is
 * killed. */
#ifndef PICKET_AUTO_RUNNER_H
#define PICKET_AUTO_RUNNER_H

#include <sys/types.h>
#include <time.h>

#include "auto/portfolio.h"
#include "engine/board.h"

struct runner {
    pid_t process;  /* 0: none */
    int pipe;       /* to read from */
    int complaints; /* a file with what it writes to stderr */
    clockid_t clock;
    struct board *board;
    struct vector received; /* of uint8_t: frames that are not complete, or not judged */
    bool paused;
    bool killed;    /* by the parent */
    double until;   /* if it has to end: time at which it is killed; otherwise 0 */
    double credit;  /* CPU seconds that count as used when it began */
    unsigned turns; /* slices of time it has had */
    double cpu_s;
};

/* Forks; false if that is not possible.  In the child it does not return. */
bool runner_start(struct runner *runner, const struct member *member, const struct limits *limits);

void runner_pause(struct runner *runner);
void runner_continue(struct runner *runner);
void runner_hand_in(struct runner *runner);
void runner_kill(struct runner *runner);

/* CPU seconds of the child. */
double runner_time(struct runner *runner);
uint64_t runner_memory(const struct runner *runner); /* MB */
void runner_text(const struct runner *runner, char *text, size_t size);

/* Reads what is there, without waiting.  False at the end of the pipe. */
bool runner_receive(struct runner *runner);

/* The first complete frame, which is valid until it is taken away; false if there is none. */
bool runner_frame(struct runner *runner, const void **bytes, size_t *size);
void runner_take_frame(struct runner *runner, size_t size);

enum runner_ending {
    RUNNER_ENDED,
    RUNNER_FULL,   /* memory was full */
    RUNNER_KILLED, /* by the parent */
    RUNNER_FAILED, /* `defect` is the kind of failure, *complaint its text on stderr (or NULL) */
};

/* Waits for the end of the process, which has closed its pipe or was killed. */
enum runner_ending runner_end(struct runner *runner, char *defect, size_t size, char **complaint);

#endif
