/* The concrete machine: it steps a Program under SC, TSO or PSO, can be put back to an earlier state, and is the only
 * place where a memory model is defined.
 *
 * A state is left by taking a transition: the next visible step of a thread, or the draining of one entry of a store
 * buffer.  After a thread's step its local instructions run through to its next visible one, so between transitions
 * every thread stands at a visible instruction (or has ended).
 *
 *     struct machine *machine = machine_new(&program, &options);
 *     while ((count = machine_enabled(machine, &transitions)) > 0) {
 *         machine_take(machine, transitions[pick]);
 *     }
 *     enum outcome outcome = machine_outcome(machine);
 *
 * Threads are known by their slot, a small number that stays the same for one creation (the k-th child of its parent)
 * whatever the interleaving, as long as the machine lives; machines can share their slots.  What programs and witnesses
 * see is the thread's number, which depends on its place in the creation tree alone. */
#ifndef PICKET_MACHINE_MACHINE_H
#define PICKET_MACHINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"
#include "machine/slots.h"
#include "util/vector.h"

enum memory_model { MODEL_SC, MODEL_TSO, MODEL_PSO, MODEL_COUNT };
extern const char *const model_names[MODEL_COUNT];

/* What a failed round of a waiting loop does. */
enum await_mode {
    AWAIT_SPIN,  /* the loop goes back to its start, where the thread waits until memory has changed */
    AWAIT_BLOCK, /* the read that would make the round fail is not enabled */
    AWAIT_FREE,  /* the loop goes back to its start and on: nobody ever waits there */
    AWAIT_TWICE, /* likewise two times, then as AWAIT_BLOCK */
    AWAIT_COUNT
};
extern const char *const await_names[AWAIT_COUNT];

/* What is known of a store buffer.  For proofs about buffers of any length it may be less than what is in it: only the
 * newest entries are kept as they are, and all older ones are loose.  So the machine is in one state for many buffers,
 * and has at least the executions of all of them. */
enum looseness {
    BUFFERS_EXACT,     /* all of it */
    BUFFERS_AS_SETS,   /* of loose entries: what was stored where, and which is the newest */
    BUFFERS_AS_CHAINS, /* likewise, and which store has followed which; stores are told apart by what followed them */
};

#define THREAD_DEPTH 1000u

struct machine_options {
    enum memory_model model;
    enum await_mode awaits;
    bool check_leaks;
    bool check_uninit;
    bool check_stale;
    bool check_liveness;
    bool check_races;
    bool spurious;           /* condition variables wake without a signal */
    bool malloc_fail;        /* malloc may return NULL */
    bool run_on;             /* other threads go on when one exits the process, fails an assumption or is cut */
    bool run_past_errors;    /* an error ends only the thread that meets it */
    bool end_sections;       /* then so does the atomic section in which it is met */
    bool no_undo;            /* marks are never set: nothing is logged */
    enum looseness loose;    /* with neither ends of objects nor ranges that overlap without being the same */
    uint32_t exact;          /* loose: the newest so many entries are not */
    uint32_t thread_depth;   /* of threads that threads create; 0: THREAD_DEPTH */
    uint64_t local_limit;    /* local instructions in a row before a thread counts as running away; 0: default */
    struct vector *record;   /* if not NULL: as machine_record, from the start */
    const atomic_bool *stop; /* if not NULL: set from outside to interrupt a long local run */
    struct slots *slots;     /* if not NULL: shared with other machines of the program */
};

enum transition_kind {
    TRANSITION_STEP,
    TRANSITION_DRAIN,
    TRANSITION_LOOSE, /* a loose entry reaches memory; twice its place, and 1 if no other of its address is left */
};

struct transition {
    uint32_t thread; /* slot */
    uint32_t kind;   /* enum transition_kind */
    uint64_t choice; /* step: which of machine_choices; drain: the serial number of the entry; loose: see there */
};

/* Locking the bus is an operation on this address, which no object has. */
#define BUS_ADDRESS 64u
#define BUS_BYTES 4u

/* How an execution stands. */
enum outcome {
    OUTCOME_RUNNING,  /* some transition is enabled */
    OUTCOME_COMPLETE, /* the process has ended, or all threads have */
    OUTCOME_ERROR,    /* see machine_error */
    OUTCOME_BLOCKED,  /* all unfinished threads wait, some in awaits: for ever */
    OUTCOME_ASSUME,   /* an assumption failed */
    OUTCOME_CUT,      /* a loop bound was reached */
    OUTCOME_RUNAWAY,  /* a thread does not come to a visible step */
};

enum step_kind {
    STEP_LOAD,
    STEP_STORE,
    STEP_RMW,
    STEP_CAS,
    STEP_FENCE,
    STEP_DRAIN, /* an entry of a store buffer reaches memory */
    STEP_FREE,  /* the end of a heap object */
    STEP_LEAVE, /* the end of a local that others may know */
    STEP_SYNC,  /* sub: SYNC_* */
    STEP_ATOMIC_BEGIN,
    STEP_ATOMIC_END,
    STEP_NONDET,
    STEP_MALLOC, /* visible only if malloc may fail */
    STEP_EXIT,   /* the process ends */
    STEP_HALT,   /* an assumption fails, or a loop is cut: the thread goes no further */
    STEP_NONE,   /* the thread has ended */
};

/* What a step does, or would do, to memory and to the records of threads (ir/sync.h). */
enum access_kind { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ADD = 4 };
struct effect_access {
    uint64_t address;
    uint32_t size;
    uint32_t kind;       /* enum access_kind, as bits */
    uint64_t before[2];  /* what is there */
    uint64_t written[2]; /* what will be there; an add: what is added */
};

struct effect {
    bool enabled;
    bool bad;           /* the access is an error: nothing else is known */
    bool changes;       /* it writes or adds something, or is an error */
    bool fails_round;   /* it only looks, and a round of a waiting loop fails by it */
    uint8_t error;      /* enum error_kind */
    uint64_t waits_for; /* if it is not enabled: number + 1 of the thread for which it waits, 0 if that is not known */
    uint64_t choices;   /* at least 1 */
    uint64_t results[2];
    const char *text;       /* of the error: %s is the object */
    struct vector accesses; /* of struct effect_access */
};
void effect_init(struct effect *effect);
void effect_delete(struct effect *effect);

/* Memory as it might be: what a step would do there can be asked. */
struct view {
    /* Changes the 8 bytes at an address that is a multiple of 8 from what is there to what might be. */
    void (*word)(const struct view *view, uint64_t address, uint8_t bytes[8]);
    /* Might the object at this address, which has ended, be alive? */
    bool (*lives)(const struct view *view, uint64_t address);
    void *data;
};

/* A visible step: before it is taken (machine_next) as far as it is known then, afterwards (machine_last) all of it. */
struct step {
    uint8_t kind;     /* enum step_kind */
    uint8_t sub;      /* SYNC_*, or of an RMW: RMW_* */
    uint8_t order;    /* ORDER_* */
    uint8_t size;     /* bytes accessed */
    bool atomic;      /* not a plain access */
    bool reads;       /* takes a value from memory (or its own buffer) */
    bool writes;      /* changes memory, or will when its entry drains */
    bool forwarded;   /* load: served by the own buffer, by the store with number `serial` */
    bool ends_object; /* drain: the end of an object, not a store */
    bool changes;     /* sync, once it is taken: changes something */
    uint32_t thread;  /* slot */
    uint32_t pos;
    uint64_t address; /* thread join and exit: the thread's number */
    uint64_t read[2];
    uint64_t written[2];
    uint64_t expected[2]; /* compare-and-swap */
    uint64_t serial;      /* store, free, leave, drain: the number of the entry in its thread, from 1; 0 if none */
    uint64_t other;       /* sync: slot of the thread created, joined or woken; free: bytes ended */
    uint64_t result;      /* sync, nondet: what the instruction returned */
    const struct effect *effect; /* sync: valid until the thread's next step is looked at; NULL if this one was not */
};

struct machine_error {
    enum error_kind kind;
    uint32_t thread; /* slot */
    uint32_t pos;    /* in user code where possible */
    char message[200];
};

struct machine;
typedef size_t machine_mark;

struct machine *machine_new(const struct program *program, const struct machine_options *options);
void machine_free(struct machine *machine);

const struct program *machine_program(const struct machine *machine);
enum memory_model machine_model(const struct machine *machine);
enum await_mode machine_awaits(const struct machine *machine);

/* The enabled transitions: first steps, by slot, then drains, by slot and age.  A step with several choices stands
 * once, with choice 0.  The array is the machine's and valid until its next call. */
size_t machine_enabled(struct machine *machine, const struct transition **transitions);

/* How many ways the thread's next step has to go: values, waiters to wake, success or time-out.  At least 1. */
uint64_t machine_choices(struct machine *machine, uint32_t thread);

/* Is the transition enabled (and its choice in range)? */
bool machine_is_enabled(struct machine *machine, struct transition transition);

/* The first thread, from this one on, that can step or whose buffer holds something; machine_threads if there is none.
 */
uint32_t machine_first_active(struct machine *machine, uint32_t thread);

/* The next visible step of a thread, or of a drain, without taking it. */
void machine_next(struct machine *machine, struct transition transition, struct step *step);

/* The same in the machine's own place, where machine_last finds it once it is taken.  For a transition that is taken
 * next: so it is looked at only once. */
const struct step *machine_look(struct machine *machine, struct transition transition);

/* Takes an enabled transition. */
void machine_take(struct machine *machine, struct transition transition);

/* What the last transition was. */
const struct step *machine_last(const struct machine *machine);

enum outcome machine_outcome(struct machine *machine);

/* What would a thread's step, which is not forwarded, do in memory as the view has it (NULL: as it is)?  Of an access
 * or an operation on a synchronisation object or thread.  Changes nothing. */
void machine_effect(struct machine *machine, struct transition transition, const struct view *view,
                    struct effect *effect);
const struct machine_error *machine_error(const struct machine *machine); /* the latest */
uint32_t machine_errors(const struct machine *machine);                   /* how many were met */

/* A mark is a point to which the machine can be put back; marks are undone in reverse order of their setting. */
machine_mark machine_set_mark(struct machine *machine);
void machine_undo(struct machine *machine, machine_mark mark);

/* The state as bytes: equal for equal states, whatever way led there.  Dead registers do not count.  Appends to
 * `*buffer` (grown with realloc). */
size_t machine_serialise(struct machine *machine, uint8_t **buffer, size_t *capacity);
uint64_t machine_hash(struct machine *machine);
/* The same without the store buffer of one thread: for a search that knows better what of it matters. */
size_t machine_serialise_unbuffered(struct machine *machine, uint32_t thread, uint8_t **buffer, size_t *capacity);
/* Only what all threads share: globals and the heap.  With `globals` only the first so many globals (0: all). */
size_t machine_serialise_shared(struct machine *machine, uint8_t **buffer, size_t *capacity);
size_t machine_serialise_first(struct machine *machine, size_t globals, uint8_t **buffer, size_t *capacity);

/* Threads. */
uint32_t machine_threads(const struct machine *machine);                    /* slots in use */
bool machine_thread_exists(const struct machine *machine, uint32_t thread); /* created in this execution */
bool machine_thread_finished(const struct machine *machine, uint32_t thread);
bool machine_thread_stopped(const struct machine *machine, uint32_t thread); /* at a failed assumption or a cut */
bool machine_thread_halted(const struct machine *machine, uint32_t thread);  /* at a HALT */
bool machine_thread_waits(struct machine *machine, uint32_t thread);         /* at a step that is not enabled */
/* Stands the thread at its end, or at the join of a thread that has ended, and can go on?  Nobody else can notice that
 * it does, as long as nobody asks whether a thread has ended. */
bool machine_ends_or_joins(struct machine *machine, uint32_t thread);
/* Stands the thread at a store into its buffer, or at a fence with nothing left to wait for, and can go on?  Nobody
 * else can notice that either.  Now and then a store is not among these, so that stores without end are not one run. */
bool machine_only_buffers(const struct machine *machine, uint32_t thread);
/* The thread that stands at the join of this one, which has ended; UINT32_MAX if there is none. */
uint32_t machine_thread_joiner(struct machine *machine, uint32_t thread);
uint32_t machine_thread_number(const struct machine *machine, uint32_t thread);
/* The number of the thread that the thread with number `parent` creates after `child` others. */
uint64_t machine_child_number(uint64_t parent, uint64_t child);
/* "main", "1", "2", "1.1": the place in the creation tree. */
const char *machine_thread_name(const struct machine *machine, uint32_t thread);
/* The address of the thread's copy of a thread-local global; false if the thread does not exist. */
bool machine_thread_local(const struct machine *machine, uint32_t thread, uint32_t global, uint64_t *address);
int64_t machine_thread_numbered(const struct machine *machine, uint32_t number); /* slot or -1 */
uint32_t machine_thread_pos(const struct machine *machine, uint32_t thread);     /* where it stands, in user code */
bool machine_thread_awaits(const struct machine *machine, uint32_t thread);      /* stands in a waiting loop */

/* The instruction at which a thread stands: an index into the program's code. */
uint32_t machine_thread_instruction(const struct machine *machine, uint32_t thread);

/* From now on every instruction that a thread comes to is appended to `passed` (of struct passed): those that it runs
 * through after its step, then the one at which it stands.  NULL: no longer. */
struct passed {
    uint32_t thread;      /* slot */
    uint32_t instruction; /* index into the program's code */
};
void machine_record(struct machine *machine, struct vector *passed);

bool machine_in_atomic(const struct machine *machine, uint32_t thread); /* inside an atomic section */
/* The thread waits inside an atomic section, or has ended there: an error, which machine_outcome reports too. */
void machine_fail_section(struct machine *machine, uint32_t thread);

/* Store buffers, oldest entry first. */
enum loose_flag {
    LOOSE = 1,
    LOOSE_FIRST = 2,  /* may be the oldest */
    LOOSE_LAST = 4,   /* is the newest: under PSO, of its address */
    LOOSE_NEWEST = 8, /* of its address */
};
struct buffer_entry {
    uint64_t address;
    uint64_t value[2];
    uint64_t serial;
    uint64_t size; /* of an END: the object's */
    uint32_t pos;
    uint32_t barrier; /* PSO: how many store barriers came before it */
    bool is_end;      /* the end of the object at `address` */
    bool atomic;      /* not a plain store */
    uint8_t loose;    /* LOOSE_*; those that are come first */
    uint64_t next;    /* loose: which of them may be the next one, as bits */
    uint64_t context; /* in a chain: a hash of the stores that were known to follow it when it became loose */
};
size_t machine_buffer(const struct machine *machine, uint32_t thread, const struct buffer_entry **entries);
size_t machine_buffer_exact(const struct machine *machine, uint32_t thread); /* how many entries are not loose */

/* Memory as it is now, without any buffer; false if the address is not in a live object. */
bool machine_peek(const struct machine *machine, uint64_t address, unsigned size, uint64_t value[2]);

/* The object, alive or not, whose bytes or guard page hold an address; false if there is none. */
struct machine_object {
    uint64_t base;
    uint64_t size;
    bool private; /* only the thread that has it accesses it */
    bool local;   /* a local variable */
};
bool machine_object_at(const struct machine *machine, uint64_t address, struct machine_object *object);

/* A register of the function that a thread is in. */
uint64_t machine_register(const struct machine *machine, uint32_t thread, uint32_t index);

/* Output of the program so far, piece by piece as it was written. */
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

/* What the execution has met that bounds a proof: bits. */
enum met {
    MET_STALE = 1, /* pointers to freed objects were compared, so that address reuse could matter */
    MET_CUT = 2,   /* a loop bound */
    MET_DEPTH = 4, /* a thread could not be created: thread_depth */
};
unsigned machine_met(const struct machine *machine);

/* How much was done since the machine was made. */
struct machine_counts {
    uint64_t local; /* local instructions */
    uint64_t steps; /* transitions */
};
struct machine_counts machine_counts(const struct machine *machine);

#endif
