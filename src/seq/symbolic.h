/* Symbolic execution: every thread of a flat program, once, into events.
 *
 * Paths are merged where they meet, so a thread becomes one list of events in program order, each with a guard: the
 * literal for its being executed.  Loops are unrolled; one whose exit depends on constants runs to its end, every other
 * one iterates at most as often as its bound allows and is then cut.  A waiting loop is executed once.
 *
 * An event reads a fresh term.  Its possible values are found by executing the program again until no cell of memory
 * gets a new value (objects.h); then the events are final, and an encoding (order.h, rounds.h) determines which events
 * read from which. */
#ifndef PICKET_SEQ_SYMBOLIC_H
#define PICKET_SEQ_SYMBOLIC_H

#include "engine/engine.h"
#include "seq/objects.h"
#include "seq/words.h"

#define NO_EVENT UINT32_MAX
#define NO_ACCESS UINT32_MAX
#define SEQ_THREADS 2000u /* beside main */

enum event_kind {
    EVENT_LOAD,
    EVENT_STORE,   /* of a value, or the end of an object; its position in the order of memory is that of its drain */
    EVENT_DRAINS,  /* waits for the empty buffer: fence, read-modify-write, operation, section, end of a thread */
    EVENT_BARRIER, /* PSO: stores before it reach memory before stores after it */
};

/* A part of an event: one cell, read or written if the condition holds. */
struct access {
    uint32_t cell;     /* in cells */
    uint32_t next;     /* of the same event, NO_ACCESS: none */
    uint32_t previous; /* read: the last one of this cell before, by any event, NO_ACCESS: none */
    uint32_t event;    /* read: of which event */
    bool reached;      /* read: where a store reaches memory */
    literal condition;
    struct value value;
    /* Of a read that may find what nobody has written: it does if both hold, where the first is free until the second
     * is known, which an encoding gives.  Otherwise FALSE. */
    literal initial;
    literal finds_initial;
};

struct event {
    uint8_t kind;     /* enum event_kind */
    bool may_wait;    /* it may fail and wait */
    uint32_t thread;  /* in threads */
    uint32_t pos;     /* in the program */
    uint32_t step;    /* index in the thread's steps: by which it is executed, or a store issued */
    literal guard;    /* the thread reaches it and tries */
    literal complete; /* ... and succeeds; what follows has it in its guard */
    uint32_t reads;   /* first access, NO_ACCESS: none */
    uint32_t writes;
    literal partly;   /* load: some of its bytes are never written, so no own store can serve it */
    uint32_t reached; /* store: reads where it reaches memory, of ends of objects */
};

struct cell_use {
    struct shared_object *object;
    uint64_t offset;
    uint32_t size;
    bool end;
    uint32_t last_read; /* access, NO_ACCESS: none */
    struct value initial;
};

/* A visible step of the machine, in program order: what a witness is made of. */
enum choice_kind { CHOICE_NONE, CHOICE_NUMBER, CHOICE_WOKEN };
struct step_record {
    uint32_t instruction; /* in the flat program's code */
    literal guard;
    uint32_t event; /* NO_EVENT: no thread notices it */
    uint8_t choice; /* enum choice_kind */
    term_id value;  /* the choice; WOKEN: number + 1 of the thread that is woken, 0: none */
};

/* The thread has ended the object, where the condition holds. */
struct own_end {
    struct shared_object *object;
    literal condition;
};

struct seq_thread {
    uint32_t number;
    uint32_t function;
    uint32_t depth;   /* threads that have created each other, main aside */
    uint32_t creator; /* event, NO_EVENT: main */
    literal guard;
    struct value arguments[2];
    uint32_t first_event;
    uint32_t end_event;  /* one after its last */
    literal ended;       /* it reaches its end */
    literal exits;       /* it ends the process */
    struct vector steps; /* of struct step_record */
    struct vector ends;  /* of struct own_end: also its creator's, up to its creation; empty unless they matter */
};

/* An error. */
struct failure {
    literal holds;
    uint32_t thread;
    uint32_t step; /* index of the step after which, or by which, it happens */
};

/* A thread reaches its goal and stops: an error once `wanted` threads are at theirs. */
struct goal {
    literal holds;
    uint32_t thread;
    uint32_t step; /* index of the step after which it is there */
    uint32_t wanted;
    uint32_t pos;
};

/* A thread that is blocked: at an operation, or in a waiting loop. */
struct stuck {
    literal holds;
    uint32_t thread;
    uint32_t event; /* the last one that it tries; reads from `first` on see the final memory */
    uint32_t first;
    bool at_operation;
};

/* A loop that was cut. */
#define ANOTHER_BOUND UINT32_MAX /* instead of a loop: the depth of recursion */
struct cut {
    literal holds;
    uint32_t thread;
    uint32_t loop; /* first instruction of its header in the flat program's code, or ANOTHER_BOUND */
    uint32_t pos;
    bool endless; /* the loop has no exit */
};

/* Iterations of a loop over constants that are executed at first. */
#define FEW_CONSTANT_ITERATIONS 16u

struct loop_bound {
    uint32_t loop;
    uint32_t iterations;
};

struct symbolic {
    const struct task *task;
    const struct program *program; /* flat */
    struct sets sets;
    struct objects objects;
    struct vector bounds; /* of struct loop_bound: what differs from `iterations` */
    uint32_t iterations;
    /* While not all values are known, an apparent constant may be none, and a loop over constants endless: such loops
     * are cut early, and executed anew later. */
    uint32_t most_constant;
    bool hurried; /* some loop was cut early */
    bool settled; /* only such loops are cut: one without a counter counts from now on */
    /* of one symbolic execution */
    struct gates gates;
    struct terms terms;
    struct words initial; /* shared memory when the second thread comes */
    bool has_initial;
    struct vector threads; /* of struct seq_thread */
    struct vector events;
    struct vector accesses;
    struct vector cells; /* of struct cell_use */
    struct vector failures;
    struct vector goals;
    struct vector stuck;
    struct vector cuts;
    struct vector unset;  /* of struct unset_read (unset.c) */
    struct vector final;  /* of term_id: what the final state depends on, if states are collected */
    uint32_t final_event; /* reads memory after all others, NO_EVENT: there is none */
    uint64_t assumed;     /* number of failed assumptions */
    literal dropped;      /* some assumption fails */
    literal too_deep;     /* some thread is at a creation beyond --thread-depth, and stays there */
    uint32_t stale;       /* position + 1 at which the address of an object that ends is compared, or 0 */
    bool stopped;         /* by a limit */
    char refusal[200];    /* "": none */
    uint32_t refusal_pos;
};

void symbolic_init(struct symbolic *execution, const struct task *task, const struct program *flat);
void symbolic_delete(struct symbolic *execution);

/* Executes the program until everything is known.  False if a limit was reached or the program is refused. */
bool symbolic_run(struct symbolic *execution);

static inline struct event *symbolic_event(const struct symbolic *execution, size_t index) {
    return vector_at(&execution->events, index);
}

static inline struct access *symbolic_access(const struct symbolic *execution, size_t index) {
    return vector_at(&execution->accesses, index);
}

static inline struct seq_thread *symbolic_thread(const struct symbolic *execution, size_t index) {
    return vector_at(&execution->threads, index);
}

/* The final state depends on this word of memory: for words_visit, with the execution as data. */
void symbolic_add_final(void *execution, uint64_t address, unsigned size, struct value value);

/* The bound on the iterations of a loop. */
uint32_t symbolic_bound(const struct symbolic *execution, uint32_t loop);

#endif
