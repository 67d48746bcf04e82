/* Reachability by explicit-state search: does a program have an execution that ends in an error, or in a state that its
 * caller looks for?
 *
 * The machine takes every step; a search decides which states to visit, in which order, and knows which were visited.
 * There are two implementations with one interface:
 *
 *   - by components (components.h), without hooks and not for races: local states of threads and pieces of shared
 *     memory are numbered, the machine computes only once what a thread does in one local state when it reads one
 *     value, and a state is a tuple of numbers in a compressed table.  Breadth first, on several cores.
 *   - on the machine itself (machine_search.c): any model, any program, with hooks.  Depth first, with marks and undo.
 *     A state is identified by a 128-bit hash of its key.
 *
 * Under SC search_run uses components if it can; with store buffers buffered.h decides. */
#ifndef PICKET_REACH_SEARCH_H
#define PICKET_REACH_SEARCH_H

#include "engine/limits.h"
#include "engine/progress.h"
#include "machine/machine.h"
#include "util/vector.h"

struct search_result;

/* What a caller may add to a search.  Each function may be NULL.  A monitor is `monitor_size` bytes that belong to the
 * state: it starts as `monitor_start` (zero if NULL), changes with steps, and is restored by undoing. */
struct search_hooks {
    void *data;
    size_t monitor_size;
    const uint8_t *monitor_start;

    /* May this enabled transition, with its choice, be taken here?  Must not change the machine. */
    bool (*allows)(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor);

    /* Updates the monitor after a transition (machine_last describes it).  False rejects the transition: the search
     * does not visit the state after it. */
    bool (*follow)(void *data, struct machine *machine, struct transition transition, uint8_t *monitor);

    /* Is the search too long for the caller?  It then ends at a limit, with no reason. */
    bool (*stops)(void *data, const struct search_result *result);

    /* Is this a state that the caller looks for?  Called for every new state, before errors of the machine count. */
    bool (*goal)(void *data, struct machine *machine, const uint8_t *monitor);

    /* Writes the bytes that identify the state, instead of machine_serialise and the monitor, to *buffer, which grows
     * by realloc; returns their number.  States with the same key must have the same future. */
    size_t (*key)(void *data, struct machine *machine, const uint8_t *monitor, uint8_t **buffer, size_t *capacity);
};

struct search_task {
    const struct program *program;
    struct machine_options machine;
    struct limits *limits;
    struct progress *progress;        /* may be NULL */
    const struct search_hooks *hooks; /* may be NULL: the search is for errors of the machine */
    uint32_t jobs;                    /* number of threads that search; 0: 1 */
    bool errors_pass;                 /* an error of the machine ends its path, but is no result */
    bool shortest;                    /* the result must be a shortest execution */
    bool everything;      /* the search must visit every final state, not only enough of them to find all errors */
    bool abstract;        /* with long buffers, search for a proof with abstract ones (buffered.h) */
    bool on_machine;      /* for tests: search on the machine even if components are possible */
    size_t longest;       /* by components: a store waits while its buffer has `longest` entries */
    uint64_t most_states; /* the search ends after this number; 0: no limit */
    /* If not NULL: called for every new state in which an execution has ended, with the machine in that state, by one
     * thread at a time. */
    void (*final)(void *data, struct machine *machine, enum outcome outcome);
    void *final_data;
};

enum search_end {
    SEARCH_FOUND,     /* see path and error */
    SEARCH_EXHAUSTED, /* no such state is reachable */
    SEARCH_LIMIT,     /* see limits_reason; or most_states; or a choice has too many values (reason) */
};

struct search_result {
    enum search_end end;
    const char *reason;         /* limit: the reason, if limits_reason has none; else NULL */
    bool goal;                  /* found: by the hook `goal`, not an error of the machine */
    struct machine_error error; /* found, not goal */
    struct vector path;         /* found: of struct transition, from the start; slots are those of a new machine */
    enum await_mode awaits;     /* of the machine that can take the path; may differ from the task's */
    bool longer;                /* by components: some store had to wait */
    size_t buffered;            /* by components: greatest number of entries in a buffer */
    unsigned met;               /* what executions have met: bits of enum met */
    uint64_t states;            /* different ones */
    uint64_t transitions;       /* number of transitions taken, also to known states */
    uint64_t complete;          /* final states by outcome */
    uint64_t blocked;
    uint64_t cut;
    uint64_t runaway;
    uint64_t depth;        /* of the deepest state */
    uint64_t vector_bytes; /* of all compressed states */
    uint64_t table_bytes;  /* of all other memory per state */
};

/* A hook `allows` that lets threads step only when all buffers are empty: the executions are those of SC, but fences
 * are steps. */
bool search_drains_first(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor);

void search_result_init(struct search_result *result);
void search_result_delete(struct search_result *result);

/* `result` is initialised. */
void search_run(const struct search_task *task, struct search_result *result);

#endif
