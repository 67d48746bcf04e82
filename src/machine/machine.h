/* The concrete machine: it steps a Program under SC, TSO or PSO, can be put back to an earlier state, and is the only
 * place where a memory model is defined.
 *
 * A transition leads from one state to the next: it is the next visible step of a thread, or the draining of one entry
 * of a store buffer.  After its step a thread also runs its local instructions up to its next visible one, so between
 * transitions every thread is at a visible instruction (or has ended).
 *
 *     struct machine *machine = machine_new(&program, &options);
 *     while ((count = machine_enabled(machine, &transitions)) > 0) {
 *         machine_take(machine, transitions[pick]);
 *     }
 *     enum outcome outcome = machine_outcome(machine);
 *
 * A thread has a slot and a number.  The slot is a small index by which the machine's functions know the thread; as
 * long as the machine lives it stays the same for one creation (the k-th child of its parent), whatever the
 * interleaving; several machines can share their slots.  Programs and witnesses see the thread's number, which depends
 * only on its position in the creation tree. */
#ifndef PICKET_MACHINE_MACHINE_H
#define PICKET_MACHINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/assumption.h"
#include "ir/program.h"
#include "machine/slots.h"
#include "util/vector.h"

enum memory_model { MODEL_SC, MODEL_TSO, MODEL_PSO, MODEL_COUNT };
extern const char *const model_names[MODEL_COUNT];

/* What a failed iteration of a waiting loop does. */
enum await_mode {
    AWAIT_SPIN,  /* the loop returns to its start, where the thread waits until memory has changed */
    AWAIT_BLOCK, /* the read that would make the iteration fail is not enabled */
    AWAIT_FREE,  /* the loop starts its next iteration: no thread ever waits there */
    AWAIT_TWICE, /* the first two times as AWAIT_FREE, then as AWAIT_BLOCK */
    AWAIT_COUNT
};
extern const char *const await_names[AWAIT_COUNT];

/* How much of a store buffer the machine knows.  For proofs about buffers of any length, a buffer can be abstract: the
 * machine keeps only its newest entries exactly, and represents all older ones by abstract entries.  One state then
 * stands for many buffers, and the machine has at least the executions of all of them (it over-approximates). */
enum buffer_abstraction {
    BUFFERS_EXACT,     /* every entry is exact */
    BUFFERS_AS_SETS,   /* of the older stores: the addresses and values, and which one is the newest of each address */
    BUFFERS_AS_CHAINS, /* likewise, and which store has followed which; stores are distinguished by what followed them
                        */
};

#define THREAD_DEPTH 1000u

/* Errors that are looked for on request only (engine/checks.h). */
enum check_bit {
    CHECK_FOR_RACES = 1,
    CHECK_FOR_LEAKS = 2,
    CHECK_FOR_UNINIT = 4,
    CHECK_FOR_STALE = 8,
    CHECK_FOR_LIVENESS = 16,
    CHECK_FOR_CLAIMS = 32, /* which are assertions of the program: nothing to the machine */
};

struct machine_options {
    enum memory_model model;
    enum await_mode awaits;
    uint32_t checks;      /* bits of enum check_bit */
    bool spurious;        /* condition variables wake without a signal */
    bool malloc_fail;     /* malloc may return NULL */
    bool run_on;          /* other threads run on when one exits the process, fails an assumption or is cut */
    bool run_past_errors; /* an error ends only the thread that makes it */
    bool end_sections;    /* with run_past_errors: an error also ends the atomic section in which it is made */
    bool no_undo;         /* nothing is logged, and no mark may be set */
    enum buffer_abstraction abstract; /* if not BUFFERS_EXACT: ends of objects, and stores that overlap other ranges
                                         partially, stay exact */
    uint32_t exact;                   /* number of newest entries that stay exact in an abstract buffer */
    uint32_t thread_depth;            /* greatest depth of the creation tree; 0: THREAD_DEPTH */
    uint64_t local_limit;        /* local instructions in a row before a thread counts as running away; 0: default */
    struct vector *record;       /* if not NULL: machine_record is called with it at the start */
    const atomic_bool *stop;     /* if not NULL: set from outside to interrupt a long local run */
    struct slots *slots;         /* if not NULL: shared with other machines of the program */
    struct assumptions *assumed; /* if not NULL: receives the assumptions that executions make */
    struct vector *lives;        /* if not NULL: struct life_note are added as steps are taken, and a stale comparison
                                    after the end of the process, a failed assumption or a cut is no error */
};

/* A step compares the address of a heap object, or the end of a heap object reaches memory. */
struct life_note {
    uint64_t object; /* its address */
    uint32_t pos;
    bool ends;
    bool stale; /* a comparison after the end, which was neither an error nor an assumption */
};

/* The greatest depth at which a thread may be created.  A thread that would create a deeper one is cut. */
static inline uint32_t machine_thread_depth(const struct machine_options *options) {
    return options->thread_depth ? options->thread_depth : THREAD_DEPTH;
}

enum transition_kind {
    TRANSITION_STEP,
    TRANSITION_DRAIN,
    TRANSITION_ABSTRACT, /* an abstract entry reaches memory: 2 * its index, + 1 if no other store to its address is
                            left */
};

struct transition {
    uint32_t thread; /* slot */
    uint32_t kind;   /* enum transition_kind */
    uint64_t choice; /* step: index below machine_choices; drain: the serial number of the entry; abstract: see there */
};

/* Locking the bus is an operation on this address, which no object has. */
#define BUS_ADDRESS 64u
#define BUS_BYTES 4u

/* How an execution has ended, if it has. */
enum outcome {
    OUTCOME_RUNNING,  /* some transition is enabled */
    OUTCOME_COMPLETE, /* the process has ended, or all threads have ended */
    OUTCOME_ERROR,    /* see machine_error */
    OUTCOME_BLOCKED,  /* every unfinished thread waits, and some in a loop: a deadlock of awaits */
    OUTCOME_ASSUME,   /* an assumption failed */
    OUTCOME_CUT,      /* a loop bound was reached */
    OUTCOME_RUNAWAY,  /* a thread does not reach a visible step */
};

enum step_kind {
    STEP_LOAD,
    STEP_STORE,
    STEP_RMW,
    STEP_CAS,
    STEP_FENCE,
    STEP_DRAIN, /* an entry of a store buffer reaches memory */
    STEP_FREE,  /* the end of a heap object */
    STEP_LEAVE, /* the end of a local whose address others may have */
    STEP_SYNC,  /* sub: SYNC_* */
    STEP_ATOMIC_BEGIN,
    STEP_ATOMIC_END,
    STEP_NONDET,
    STEP_MALLOC, /* visible only if malloc may fail */
    STEP_EXIT,   /* the process ends */
    STEP_HALT,   /* an assumption fails, or a loop is cut: the thread ends there */
    STEP_NONE,   /* the thread has ended */
};

/* What a step does, or would do, to memory and to the records of threads (ir/sync.h). */
enum access_kind { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ADD = 4 };
struct effect_access {
    uint64_t address;
    uint32_t size;
    uint32_t kind;       /* enum access_kind, as bits */
    uint64_t before[2];  /* what memory has */
    uint64_t written[2]; /* what memory will have; ACCESS_ADD: what is added */
};

struct effect {
    bool enabled;
    bool bad;             /* the access is an error: the other fields are not set */
    bool changes;         /* the step writes or adds something, or is an error */
    bool fails_iteration; /* the step changes nothing, and an iteration of a waiting loop fails by it */
    uint8_t error;        /* enum error_kind */
    uint64_t waits_for;   /* if it is not enabled: number + 1 of the thread that it waits for, 0 if unknown */
    uint64_t choices;     /* at least 1 */
    uint64_t results[2];
    const char *text;       /* of the error: a format, in which %s is the object */
    struct vector accesses; /* of struct effect_access */
};
void effect_init(struct effect *effect);
void effect_delete(struct effect *effect);

/* A hypothetical memory: machine_effect tells what a step would do there. */
struct view {
    /* Replaces the 8 bytes at an address that is a multiple of 8 by those of the view. */
    void (*word)(const struct view *view, uint64_t address, uint8_t bytes[8]);
    /* Is the object at this address, which has ended, alive in the view? */
    bool (*lives)(const struct view *view, uint64_t address);
    void *data;
};

/* A visible step: before it is taken (machine_next) with what is known by then, afterwards (machine_last) complete. */
struct step {
    uint8_t kind;     /* enum step_kind */
    uint8_t sub;      /* SYNC_*, or of an RMW: RMW_* */
    uint8_t order;    /* ORDER_* */
    uint8_t size;     /* bytes accessed */
    bool atomic;      /* not a plain access */
    bool reads;       /* takes a value from memory (or its own buffer) */
    bool writes;      /* changes memory, now or when its entry drains */
    bool forwarded;   /* load: served by the own buffer, by the store with number `serial` */
    bool ends_object; /* drain: the end of an object, not a store */
    bool changes;     /* sync, after it is taken: whether it changed something */
    uint32_t thread;  /* slot */
    uint32_t pos;
    uint64_t address; /* thread join and exit: the thread's number */
    uint64_t read[2];
    uint64_t written[2];
    uint64_t expected[2]; /* compare-and-swap */
    uint64_t serial;      /* store, free, leave, drain: the number of the entry in its thread, from 1; 0 if none */
    uint64_t other;       /* sync: slot of the thread created, joined or woken; free: bytes ended */
    uint64_t result;      /* sync, nondet: what the instruction returned */
    const struct effect *effect; /* sync: valid until the thread's next step is described; NULL if this one was not */
};

struct machine_error {
    enum error_kind kind;
    uint32_t thread;       /* slot */
    uint32_t pos;          /* in user code where possible */
    uint32_t other_thread; /* race: slot of the other thread */
    uint32_t other_pos;
    char message[400];
};

struct machine;
typedef size_t machine_mark;

struct machine *machine_new(const struct program *program, const struct machine_options *options);
void machine_free(struct machine *machine);

const struct program *machine_program(const struct machine *machine);
enum memory_model machine_model(const struct machine *machine);
enum await_mode machine_awaits(const struct machine *machine);

/* The enabled transitions: first steps, by slot, then drains, by slot and age.  A step with several choices is listed
 * once, with choice 0.  The array belongs to the machine and is valid until the next call. */
size_t machine_enabled(struct machine *machine, const struct transition **transitions);

/* Number of outcomes of the thread's next step: values, waiters to wake, success or time-out.  At least 1. */
uint64_t machine_choices(struct machine *machine, uint32_t thread);

/* Is the transition enabled (and its choice in range)? */
bool machine_is_enabled(struct machine *machine, struct transition transition);

/* The first thread with a slot of at least `thread` that can step or has a buffered store; machine_threads if there is
 * none. */
uint32_t machine_first_active(struct machine *machine, uint32_t thread);

/* Describes the next visible step of a thread, or the effect of a drain, without taking it. */
void machine_next(struct machine *machine, struct transition transition, struct step *step);

/* As machine_next, but stores the description in the machine, where machine_last finds it when the transition has been
 * taken.  For a transition that is taken next, since it is then described only once. */
const struct step *machine_look(struct machine *machine, struct transition transition);

/* Takes an enabled transition. */
void machine_take(struct machine *machine, struct transition transition);

/* The transition taken last. */
const struct step *machine_last(const struct machine *machine);

enum outcome machine_outcome(struct machine *machine);

/* What a thread's step would do in memory as the view has it (NULL: as it is).  The step is an access that is not
 * forwarded, or an operation on a synchronisation object or thread.  Changes nothing. */
void machine_effect(struct machine *machine, struct transition transition, const struct view *view,
                    struct effect *effect);
const struct machine_error *machine_error(const struct machine *machine); /* the latest */
uint32_t machine_errors(const struct machine *machine);                   /* number of errors so far */

/* A mark is a point to which the machine can return.  Marks are undone in reverse order of their setting. */
machine_mark machine_set_mark(struct machine *machine);
void machine_undo(struct machine *machine, machine_mark mark);

/* The state as bytes, equal for equal states and without dead registers.  Appends to `*buffer`, which grows with
 * realloc, and returns the new size. */
size_t machine_serialise(struct machine *machine, uint8_t **buffer, size_t *capacity);
uint64_t machine_hash(struct machine *machine);
/* Leaves out the store buffer of one thread, for a search that abstracts it itself. */
size_t machine_serialise_unbuffered(struct machine *machine, uint32_t thread, uint8_t **buffer, size_t *capacity);
/* Only what all threads share: globals and the heap.  With `globals` > 0 only the first `globals` globals. */
size_t machine_serialise_shared(struct machine *machine, uint8_t **buffer, size_t *capacity);
size_t machine_serialise_first(struct machine *machine, size_t globals, uint8_t **buffer, size_t *capacity);

/* Threads. */
uint32_t machine_threads(const struct machine *machine);                    /* slots in use */
bool machine_thread_exists(const struct machine *machine, uint32_t thread); /* created in this execution */
bool machine_thread_finished(const struct machine *machine, uint32_t thread);
bool machine_thread_stopped(const struct machine *machine, uint32_t thread); /* at a failed assumption or a cut */
bool machine_thread_halted(const struct machine *machine, uint32_t thread);  /* at a HALT */
bool machine_thread_waits(struct machine *machine, uint32_t thread);         /* at a step that is not enabled */
/* Is the thread at its end, or at the join of a thread that has ended, and is that step enabled?  No other thread
 * notices such a step, unless it asks whether a thread has ended. */
bool machine_ends_or_joins(struct machine *machine, uint32_t thread);
/* Is the thread at a store into its buffer, or at a fence with nothing left to wait for, and is that step enabled?  No
 * other thread notices such a step.  Every now and then the answer for a store is false, so that a thread that stores
 * for ever does not run for ever. */
bool machine_only_buffers(const struct machine *machine, uint32_t thread);
/* The thread that is at the join of this one, which has ended; UINT32_MAX if there is none. */
uint32_t machine_thread_joiner(struct machine *machine, uint32_t thread);
uint32_t machine_thread_number(const struct machine *machine, uint32_t thread);
/* The number of the child that the thread with number `parent` creates after `child` other children. */
uint64_t machine_child_number(uint64_t parent, uint64_t child);
/* "main", "1", "2", "1.1": the position in the creation tree. */
const char *machine_thread_name(const struct machine *machine, uint32_t thread);
/* The address of the thread's copy of a thread-local global; false if the thread does not exist. */
bool machine_thread_local(const struct machine *machine, uint32_t thread, uint32_t global, uint64_t *address);
int64_t machine_thread_numbered(const struct machine *machine, uint32_t number); /* slot or -1 */
uint32_t machine_thread_pos(const struct machine *machine, uint32_t thread); /* of its next instruction, in user code */
/* Appends the thread's position in user code, then those of the calls that led there, also of inlined ones, innermost
 * first, to `stack` (of uint32_t). */
void machine_call_stack(const struct machine *machine, uint32_t thread, struct vector *stack);
bool machine_thread_awaits(const struct machine *machine, uint32_t thread); /* is in a waiting loop */

/* The next instruction of a thread: an index into the program's code. */
uint32_t machine_thread_instruction(const struct machine *machine, uint32_t thread);

/* From now on the machine appends every instruction that a thread reaches to `passed` (of struct passed): those that it
 * runs through after its step, then the one at which it stops.  NULL ends that. */
struct passed {
    uint32_t thread;      /* slot */
    uint32_t instruction; /* index into the program's code */
};
void machine_record(struct machine *machine, struct vector *passed);

bool machine_in_atomic(const struct machine *machine, uint32_t thread); /* inside an atomic section */
/* Number of atomic sections that the thread is in, nested in each other. */
uint32_t machine_atomic_depth(const struct machine *machine, uint32_t thread);
/* Reports that the thread waits, or has ended, inside an atomic section.  machine_outcome does so too. */
void machine_fail_section(struct machine *machine, uint32_t thread);

/* Store buffers, oldest entry first. */
enum abstract_flag {
    ABSTRACT = 1,
    ABSTRACT_FIRST = 2,  /* may be the oldest store */
    ABSTRACT_LAST = 4,   /* is the newest store; under PSO: the newest to its address */
    ABSTRACT_NEWEST = 8, /* is the newest store to its address */
};
struct buffer_entry {
    uint64_t address;
    uint64_t value[2];
    uint64_t serial;
    uint64_t size; /* of an END: the object's */
    uint32_t pos;
    uint32_t barrier; /* PSO: number of store barriers before it */
    bool is_end;      /* the end of the object at `address` */
    bool atomic;      /* not a plain store */
    uint8_t abstract; /* bits of enum abstract_flag, 0 for exact entries; abstract entries come first */
    uint64_t next;    /* abstract: bit i is set if entry i may follow directly */
    uint64_t context; /* in a chain: hash of the stores that followed it while it was exact */
};
size_t machine_buffer(const struct machine *machine, uint32_t thread, const struct buffer_entry **entries);
size_t machine_buffer_exact(const struct machine *machine, uint32_t thread); /* number of exact entries */

/* Memory as it is now, without any buffer; false if the address is not in a live object. */
bool machine_peek(const struct machine *machine, uint64_t address, unsigned size, uint64_t value[2]);

/* The object, alive or not, whose bytes or guard page hold an address.  machine_object_at returns false if there is
 * none. */
struct machine_object {
    uint64_t base;
    uint64_t size;
    bool private; /* only the thread that owns it accesses it */
    bool local;   /* a local variable */
    uint32_t pos; /* of its allocation; 0: unknown */
};
bool machine_object_at(const struct machine *machine, uint64_t address, struct machine_object *object);

/* A register of the function that a thread executes. */
uint64_t machine_register(const struct machine *machine, uint32_t thread, uint32_t index);

/* What the program has written so far, one piece per call. */
struct output_piece {
    uint32_t file; /* 1: stdout, 2: stderr */
    uint32_t thread;
    const char *text;
    size_t size;
};
size_t machine_output_count(const struct machine *machine);
struct output_piece machine_output(const struct machine *machine, size_t index);
bool machine_exited(const struct machine *machine); /* the process has ended, though threads may run on */
int machine_exit_code(const struct machine *machine);

/* What an execution met that limits a proof, as bits. */
enum met {
    MET_EXIT = 1,    /* a loop bound, of a loop that has an exit */
    MET_CUT = 2,     /* a loop bound */
    MET_DEPTH = 4,   /* a thread could not be created: thread_depth */
    MET_CLASH = 64,  /* a thread could not be created: another has its number */
    MET_DROPPED = 8, /* an assumption of the program has failed */
    MET_ENDED = 16,  /* an execution ended without that */
    MET_FINITE = 32, /* every execution ends; set by engines, not by the machine */
};
unsigned machine_met(const struct machine *machine);

/* Work done since the machine was made. */
struct machine_counts {
    uint64_t local; /* local instructions */
    uint64_t steps; /* transitions */
};
struct machine_counts machine_counts(const struct machine *machine);

#endif
