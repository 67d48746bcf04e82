/* Reachability by explicit-state search: is there an execution of a program that ends in an error, or in a state that
 * its caller looks for?
 *
 * Every step is the machine's; a search only decides which states it has seen and in which order it looks at them.
 * There are two ways to search, with one interface:
 *
 *   - by components (components.h), without hooks, if it is not for races: the local state of each thread and pieces of
 *     shared memory are given small numbers, what a thread does in one local state when it reads one value is asked of
 *     the machine once and remembered, and a state is a tuple of numbers in a compressed table.  It goes breadth first,
 *     on several cores.
 *   - on the machine itself (walk.c), for everything else: any model, any program, hooks; depth first with marks and
 *     undo.  A state is known by a 128-bit hash of its key.
 *
 * Under SC search_run takes the first if it can; with store buffers buffered.h does. */
#ifndef PICKET_REACH_SEARCH_H
#define PICKET_REACH_SEARCH_H

#include "engine/limits.h"
#include "engine/progress.h"
#include "machine/machine.h"
#include "util/vector.h"

struct search_result;

/* What a caller may add to a search.  Each function may be NULL.  `monitor` is `monitor_size` bytes that belong to the
 * state: they start as `monitor_start` (zero if NULL), change with a step and go back with it. */
struct search_hooks {
    void *data;
    size_t monitor_size;
    const uint8_t *monitor_start;

    /* May this enabled transition, with its choice, be taken here?  The machine is not to be changed. */
    bool (*allows)(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor);

    /* The transition was taken (machine_last tells it): the monitor follows.  False drops the path: the state behind
     * the step is not entered. */
    bool (*follow)(void *data, struct machine *machine, struct transition transition, uint8_t *monitor);

    /* Has the search become too long for the caller?  It then ends at a limit, with no reason. */
    bool (*stops)(void *data, const struct search_result *result);

    /* Is this a state that the caller looks for?  Asked of every new state, before errors of the machine count. */
    bool (*goal)(void *data, struct machine *machine, const uint8_t *monitor);

    /* The bytes by which the state is known, instead of machine_serialise and the monitor: written to *buffer, which
     * grows by realloc; returns how many.  Two states with the same key must have the same future. */
    size_t (*key)(void *data, struct machine *machine, const uint8_t *monitor, uint8_t **buffer, size_t *capacity);
};

struct search_task {
    const struct program *program;
    struct machine_options machine;
    struct limits *limits;
    struct progress *progress;        /* may be NULL */
    const struct search_hooks *hooks; /* may be NULL: the search is for errors of the machine */
    uint32_t jobs;                    /* threads to search with; 0 is 1 */
    bool errors_pass;                 /* an error of the machine ends its path and is not what is looked for */
    bool shortest;                    /* the execution found is a shortest one */
    bool everything;                  /* every final state is visited, not only enough of them to find all errors */
    bool loose;                       /* buffered.h: if buffers are long, a proof for loose ones is looked for */
    bool on_machine;                  /* search on the machine even if components would do: for tests */
    size_t longest;                   /* by components: a store waits while its buffer has so many entries */
    uint64_t most_states;             /* stop after so many; 0: never */
    /* If not NULL: called at every new state in which an execution has ended, with the machine in that state.  Calls
     * come from one thread at a time. */
    void (*final)(void *data, struct machine *machine, enum outcome outcome);
    void *final_data;
};

enum search_end {
    SEARCH_FOUND,     /* see path and error */
    SEARCH_EXHAUSTED, /* there is no such state */
    SEARCH_LIMIT,     /* see limits_reason; or most_states; or a choice has too many values (reason) */
};

struct search_result {
    enum search_end end;
    const char *reason;         /* limit: why, if limits_reason does not say it; else NULL */
    bool goal;                  /* found: by the hook, not as an error of the machine */
    struct machine_error error; /* found, not goal */
    struct vector path;         /* found: of struct transition, from the start; slots are those of a new machine */
    enum await_mode awaits;     /* of the machine on which the path runs: may differ from the task's */
    bool longer;                /* by components: some store had to wait */
    size_t buffered;            /* by components: the most entries that were in a buffer */
    unsigned met;               /* what executions have met: bits of enum met */
    uint64_t states;            /* different ones */
    uint64_t transitions;       /* taken, also to known states */
    uint64_t complete;          /* final states by outcome */
    uint64_t blocked;
    uint64_t cut;
    uint64_t runaway;
    uint64_t depth;        /* of the deepest state */
    uint64_t vector_bytes; /* of all compressed states */
    uint64_t table_bytes;  /* of everything else that is kept per state */
};

/* A hook `allows` with which every store drains at once: SC, on a machine on which fences are steps. */
bool search_drains_first(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor);

void search_result_init(struct search_result *result);
void search_result_delete(struct search_result *result);

/* `result` was initialised. */
void search_run(const struct search_task *task, struct search_result *result);

#endif
