/* The machine's state, for the files of this room only.
 *
 * Invariants:
 *
 *   M1. Every cell that a transition changes is saved in the undo log first, unless the cell was made by that
 *       transition; so undoing to a mark restores every cell.
 *
 *   M2. What the log points at does not move: threads and objects are allocated one by one, stacks and buffers lie in
 *       reserved address space.
 *
 *   M3. Between transitions each thread that has not ended is at a visible instruction, or at its last one (it returns,
 *       or stops at a failed assumption or a cut); or the machine has stopped.
 *
 *   M4. Objects of a region ascend by address; those with an index of `count` or more do not exist.
 *
 *   M5. A private object is only ever touched by the thread that made it; no buffer holds an entry for one.
 *
 *   M6. A read-modify-write, compare-and-swap or operation does what its effect said: what it writes and returns.
 *
 *   M7. An effect, and with it whether a step is enabled, stays the same until something that it has read changes.
 *
 *   M8. Abstract entries of a store buffer come first; the serial numbers of the others ascend, up to the thread's, and
 *       so do their barriers.  Every entry lies within one object.  SC has no entries.
 *
 *   M9. An object's `pending` is the number of its ends that wait in store buffers.
 *
 *   M10. If a thread is in an atomic section, it is the owner, and the depth is not 0; likewise with the bus.  No other
 *        thread has one.
 *
 * machine_check evaluates M3, M4, M5 and M8 to M10 in debug builds, at some marks and after some
 * undoing. */
#ifndef PICKET_MACHINE_STATE_H
#define PICKET_MACHINE_STATE_H

#include "ir/liveness.h"
#include "ir/sync.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "machine/undo_log.h"
#include "util/vector.h"

#define DEFAULT_LOCAL_LIMIT UINT64_C(200000000)
#define STACK_LIMIT (UINT64_C(8) << 20)
#define MAX_FRAMES (UINT64_C(1) << 17)
#define MAX_BUFFER (UINT64_C(1) << 18)
#define MAX_ESCAPING (UINT64_C(1) << 19) /* as many as fit into a half region */
#define NO_THREAD UINT32_MAX

enum object_kind { OBJECT_GLOBAL, OBJECT_HEAP, OBJECT_LOCAL, OBJECT_THREAD_LOCAL };

struct object {
    uint64_t base;
    uint64_t size;
    uint8_t *bytes;
    uint8_t *uninitialised; /* one byte per byte, 1 if never written; NULL when not checked */
    uint64_t capacity;      /* of bytes; 0: the bytes lie in the region's memory */
    uint8_t kind;
    bool private;
    bool constant;
    uint8_t aligned; /* number of low bits of its address that are 0 in every layout */
    uint32_t type;
    uint32_t name; /* string offset */
    uint32_t pos;  /* where it was made */
    uint32_t thread;
    /* The cells of an object that steps change. */
    struct object_life {
        uint32_t ended_by; /* slot + 1; 0 while the object is alive in memory */
        uint32_t ended_pos;
        uint32_t pending; /* ends of the object that wait in buffers */
        uint32_t unused;
    } life;
};

struct region {
    struct object **objects;
    size_t capacity;
    uint32_t *pages; /* page in the region -> object; NULL: objects are found by search */
    size_t pages_count;
    uint64_t base;
    uint8_t *memory;        /* private locals: their bytes, which never move; NULL: each object has its own bytes */
    uint8_t *uninitialised; /* likewise their marks */
    struct region_extent {
        uint64_t count; /* of objects that exist */
        uint64_t next;  /* address of the next object */
        uint64_t used;  /* bytes of `memory` in use */
    } extent;
};

struct frame {
    const struct function *function;
    const struct instruction *pc;
    uint64_t *registers;
    uint32_t dst;         /* register of the caller for the results; NO_REGISTER: none */
    uint32_t results;     /* number of results */
    uint64_t locals;      /* private locals of the thread before this frame */
    uint64_t stack_bytes; /* of the thread before this frame */
    uint32_t escaping;    /* escaping locals of the thread before this frame */
    uint32_t unused;
};

enum thread_status { THREAD_ABSENT, THREAD_RUNNING, THREAD_FINISHED };

/* Why a thread has stopped. */
enum thread_stop { STOP_NONE, STOP_ASSUME, STOP_CUT, STOP_EXIT, STOP_ERROR, STOP_HALT, STOP_GOAL };

/* The cells of a thread that its steps change; saved as a whole. */
struct thread_state {
    uint8_t status;
    bool detached;
    bool joined;
    bool waiting;    /* AWAIT_SPIN: at an await whose last iteration failed */
    bool in_await;   /* between AWAIT and the loop's exit */
    uint8_t stopped; /* enum thread_stop */
    bool dirty;      /* the iteration of the await has changed something */
    uint32_t depth;  /* number of frames */
    uint32_t children;
    uint32_t buffer_count;
    uint32_t buffer_abstract; /* number of abstract entries; they come first */
    uint64_t buffer_first;    /* index of the oldest entry */
    uint64_t serial;          /* of the last entry made */
    uint32_t barriers;        /* PSO: store barriers so far */
    uint32_t escaping;        /* escaping locals alive */
    uint64_t stack_bytes;
    bool failed;               /* the last iteration of the await failed */
    uint8_t failed_iterations; /* of the await, up to FREE_ITERATIONS */
    uint64_t result;
    uint64_t waits;                  /* address of the object at which it waits to be woken, or 0 */
    uint64_t version;                /* of memory when the iteration of the await began */
    const struct instruction *await; /* the AWAIT of the iteration that it is in */
    uint64_t await_frame;            /* depth of the frame of that await */
    uint64_t await_locals;           /* end of the private locals when the iteration began */
    struct object *object;           /* of its next access; NULL: there was none when the thread arrived */
};

struct thread {
    struct thread_state now;
    uint64_t epoch;   /* in which `now` was last saved */
    uint32_t touched; /* frames with at least this index are new or saved in this epoch */
    uint32_t slot;
    uint32_t number;
    uint32_t parent; /* slot */
    uint32_t child;  /* index among the children of its parent */
    uint32_t depth;  /* in the creation tree: 0 for the first thread */
    char name[64];
    struct frame *frames;
    uint64_t *registers;
    uint8_t *taint; /* one byte per register if uninitialised values are followed */
    struct buffer_entry *buffer;
    struct object **escaping; /* escaping locals alive, oldest first */
    struct region *heap;
    struct region *stack;
    uint64_t *thread_local_addresses;   /* by global */
    struct effect effect;               /* of its next operation, when that was last described */
    struct effect known;                /* debug builds: the effect when it was last evaluated, */
    const struct instruction *known_at; /* ... of this instruction */
    uint64_t known_a;                   /* ... with these operands */
    uint64_t known_b;
};

/* Cells of the machine as a whole. */
struct machine_state {
    uint64_t version;      /* changes of memory so far */
    uint32_t atomic_owner; /* slot, NO_THREAD */
    uint32_t atomic_depth;
    uint32_t bus_owner; /* slot, NO_THREAD */
    uint32_t bus_depth;
    uint32_t goals;  /* number of threads at a goal */
    uint8_t outcome; /* OUTCOME_RUNNING until something stops the execution */
    bool exited;
    int32_t exit_code;
    uint64_t output_count;
    uint64_t output_size;
    uint32_t errors; /* met so far: more than one only with run_past_errors */
    struct machine_error error;
};

struct memory_model_operations;

struct machine {
    const struct program *program;
    struct machine_options options;
    bool shadows; /* are bytes that no thread has written tracked in locals and in the heap? */
    const struct memory_model_operations *model;
    const struct sync_code *codes; /* by kind of operation */
    struct liveness liveness;
    struct machine_state now;
    struct undo_log log;
    struct thread **threads;
    uint32_t threads_count;
    bool logging;
    uint64_t epoch;          /* a new one begins with each mark, and when the log is truncated */
    struct region **regions; /* by address >> 32 */
    size_t regions_count;
    struct vector enabled; /* of struct transition */
    struct vector output;  /* of struct output_record */
    struct vector output_text;
    struct step last;
    struct transition looked; /* the transition that `last` describes before it is taken; thread NO_THREAD if none */
    struct object *next_object;
    struct machine_counts counts;
    enum lookahead { LOOKAHEAD_NONE, LOOKAHEAD_LOCAL, LOOKAHEAD_ITERATION } lookahead; /* see interpret.c */
    bool iteration_failed;
    struct vector *record; /* of struct passed; NULL: nothing is recorded */
    uint64_t mark_hash;    /* debug builds: hash of the state at the last mark */
    uint8_t *hash_buffer;
    size_t hash_capacity;
};

struct output_record {
    uint32_t file;
    uint32_t thread;
    uint64_t offset;
    uint64_t size;
};

/* The address space is divided into regions, and each region into two halves (4 GB) with objects of one kind. */
#define HALF_SHIFT 32

static inline void save(struct machine *machine, void *cell, size_t size) {
    if (machine->logging) {
        undo_log_save(&machine->log, cell, size);
    }
}

static inline void memory_changed(struct machine *machine) {
    save(machine, &machine->now.version, sizeof machine->now.version);
    machine->now.version++;
}

/* Saves the cells that a thread's step may change, once per epoch. */
void thread_touch(struct machine *machine, struct thread *thread);
/* Saves the frame below those already saved, when a call returns into it. */
void frame_touch(struct machine *machine, struct thread *thread);

/* --- memory.c ----------------------------------------------------------------------------------------------------- */

/* A region of objects that are removed only by undoing (heap), or of objects that come and go like a stack. */
struct region *region_new(struct machine *machine, uint64_t base, bool stack);
struct object *object_new(struct machine *machine, struct region *region, uint64_t size, uint64_t alignment);
/* The private local whose bytes or guard page hold the address, or NULL. */
struct object *local_at(const struct region *region, uint64_t address);
/* The object whose bytes or guard page hold the address, or NULL.  Every access calls this function: keep it short. */
static inline struct object *object_at(const struct machine *machine, uint64_t address) {
    size_t index = address >> HALF_SHIFT;
    const struct region *region = index < machine->regions_count ? machine->regions[index] : NULL;
    if (!region) {
        return NULL;
    }
    if (!region->pages) {
        return local_at(region, address);
    }
    size_t page = (address - region->base) / PAGE_SIZE;
    uint32_t found = page < region->pages_count ? region->pages[page] : UINT32_MAX;
    return found < region->extent.count && region->objects[found]->base <= address ? region->objects[found] : NULL;
}
void memory_init(struct machine *machine);
void memory_delete(struct machine *machine);

/* Has the thread itself ended the object (in memory or in its own buffer)? */
bool object_ended_for(const struct machine *machine, const struct thread *thread, const struct object *object);
/* Does the object hold these bytes, and is it alive for the thread? */
static inline bool object_serves(const struct machine *machine, const struct thread *thread,
                                 const struct object *object, uint64_t address, uint64_t size) {
    uint64_t offset = address - object->base;
    return offset < object->size && size <= object->size - offset && !object->life.ended_by &&
           (object->life.pending == 0 || !object_ended_for(machine, thread, object));
}
/* Can the thread access these bytes now?  Returns the object; otherwise reports the error and returns NULL. */
struct object *memory_check(struct machine *machine, struct thread *thread, uint64_t address, uint64_t size,
                            bool write);
/* Reads and writes bytes of an object, little-endian, size up to 16. */
static inline void object_read(const struct object *object, uint64_t address, unsigned size, uint64_t value[2]) {
    const uint8_t *bytes = object->bytes + (address - object->base);
    value[0] = value[1] = 0;
    switch (size) {
    case 4:
        memcpy(value, bytes, 4);
        break;
    case 8:
        memcpy(value, bytes, 8);
        break;
    default:
        memcpy(value, bytes, size);
    }
}
void object_write(struct machine *machine, struct object *object, uint64_t address, unsigned size,
                  const uint64_t value[2]);
/* Records that the thread's execution depends on the outside. */
void machine_assume(struct machine *machine, const struct thread *thread, enum assumption assumption);

/* Has no thread written any of these bytes?  Only for objects with `uninitialised`. */
bool object_is_new(const struct object *object, uint64_t address, unsigned size);
/* Records a read of such bytes as an assumption.  For nearly all reads the first byte was written, which is tested
 * first. */
static inline void memory_note_new(struct machine *machine, const struct thread *thread, const struct object *object,
                                   uint64_t address, unsigned size) {
    if (object->uninitialised[address - object->base] && object_is_new(object, address, size)) {
        machine_assume(machine, thread, ASSUMPTION_UNINITIALISED);
    }
}
/* The value that the thread's load would return now.  False if the load must wait until an entry that overlaps it
 * partially has drained. */
bool memory_load(const struct thread *thread, const struct object *object, uint64_t address, unsigned size,
                 uint64_t value[2], uint64_t *serial);
/* Executes the MALLOC that is the thread's next instruction. */
void heap_allocate(struct machine *machine, struct thread *thread);
/* Adds a note to options.lives if that is not NULL and the object, which has ended, is on the heap. */
void memory_note_end(struct machine *machine, const struct object *object);
/* Records an assumption if a value that is compared is the address of a freed heap object. */
void memory_note_stale(struct machine *machine, struct thread *thread, uint64_t value);
/* Removes the private locals beyond the first `keep`. */
void region_cut(struct machine *machine, struct region *region, uint64_t keep);
void memory_find_leaks(struct machine *machine);

/* --- threads.c ---------------------------------------------------------------------------------------------------- */

struct thread *thread_create(struct machine *machine, struct thread *parent, uint32_t function,
                             const uint64_t *arguments, unsigned count);
uint32_t thread_child_number(const struct thread *parent);
/* Has the thread the greatest depth in the creation tree that threads may have? */
bool thread_is_deepest(const struct machine *machine, const struct thread *thread);
struct thread *thread_search(struct machine *machine, uint64_t number);
/* The thread with this number, if it exists.  Fast if the first thread created it, as in most programs. */
static inline struct thread *thread_with_number(struct machine *machine, uint64_t number) {
    uint64_t likely = (number + 1) / 2;
    if (likely < machine->threads_count && machine->threads[likely]->number == number &&
        machine->threads[likely]->now.status != THREAD_ABSENT) {
        return machine->threads[likely];
    }
    return thread_search(machine, number);
}
bool frame_push(struct machine *machine, struct thread *thread, const struct function *function, uint32_t dst,
                uint32_t results);
void thread_delete(struct thread *thread);
uint32_t thread_user_pos(const struct machine *machine, const struct thread *thread);

static inline struct frame *thread_frame(const struct thread *thread) {
    return &thread->frames[thread->now.depth - 1];
}

/* --- interpret.c -------------------------------------------------------------------------------------------------- */

/* Runs the thread's local instructions up to its next visible one. */
void interpret(struct machine *machine, struct thread *thread);
/* Would the iteration of the await fail if the thread's next load or failing CAS read this value? */
bool interpret_fails_iteration(struct machine *machine, struct thread *thread, const uint64_t value[2]);
/* Would a complete new iteration of the await fail in the present memory? */
bool interpret_fails_again(struct machine *machine, struct thread *thread);

static inline uint64_t operand_value(const struct machine *machine, const struct frame *frame, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? machine->program->constants[operand & ~OPERAND_CONSTANT]
                                      : frame->registers[operand];
}

/* The bytes that an access writes or compares.  In a hand-written program the register may hold more. */
static inline void operand_pair(const struct machine *machine, const struct frame *frame, uint32_t operand,
                                unsigned size, uint64_t value[2]) {
    value[0] = operand_value(machine, frame, operand) & (UINT64_MAX >> (size < 8 ? 64 - 8 * size : 0));
    value[1] = size > 8 ? operand_value(machine, frame, operand + 1) : 0;
}

/* Writes a value to a register, or to a pair. */
static inline void register_set(uint64_t *dst, const uint64_t value[2], bool wide) {
    dst[0] = value[0];
    if (wide) {
        dst[1] = value[1];
    }
}

/* Is the next step of the thread one of a waiting loop? */
static inline bool is_in_await(const struct thread *thread) {
    const struct instruction *pc = thread_frame(thread)->pc;
    return pc->op == OP_AWAIT || (pc->flags & INSTRUCTION_AWAIT) ||
           (thread->now.in_await && thread->now.depth > thread->now.await_frame);
}

#define FREE_ITERATIONS 2 /* of AWAIT_TWICE */

/* Is a read disabled if it would make an iteration fail? */
static inline bool failing_iteration_blocks(const struct machine *machine, const struct thread *thread) {
    return machine->options.awaits == AWAIT_BLOCK ||
           (machine->options.awaits == AWAIT_TWICE && thread->now.failed_iterations >= FREE_ITERATIONS);
}

/* --- outcome.c ---------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 5, 6))) void machine_fail(struct machine *machine, struct thread *thread, uint32_t pos,
                                                        enum error_kind kind, const char *format, ...);
void machine_stop(struct machine *machine, enum outcome outcome);
/* Ends the atomic section of a thread that has stopped, so that no thread waits for that. */
void thread_leave_atomic(struct machine *machine, const struct thread *thread);
/* Ends the atomic section of a thread that a failed assumption, a cut or (with end_sections) an error has stopped, as
 * soon as its buffer is empty. */
void thread_leave_halted(struct machine *machine, const struct thread *thread);
/* Stops a thread that failed an assumption or was cut: the execution ends, or others run on. */
void thread_halt(struct machine *machine, struct thread *thread, enum thread_stop stop);
/* Stops the thread where it is.  If `wanted` is not 0, it is at a goal that `wanted` threads have to reach. */
void thread_stay(struct machine *machine, struct thread *thread, uint32_t wanted);

/* Does another thread hold the bus, so that no store of this one may reach memory? */
static inline bool bus_taken(const struct machine *machine, const struct thread *thread) {
    return machine->now.bus_owner != NO_THREAD && machine->now.bus_owner != thread->slot;
}

/* --- run_sync.c --------------------------------------------------------------------------------------------------- */

/* A field of a record. */
uint64_t record_value(struct machine *machine, uint64_t address);

/* The next three functions run the thread's next operation.  sync_outcome finds whether it is enabled, how many choices
 * there are and what it returns; of an operation without a code it only knows that something changes. */
void sync_outcome(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct effect *effect);
/* As sync_outcome in a view (NULL: memory as it is), and with the accesses; only for operations with a code. */
void sync_accesses(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect);
/* Executes the operation; only for operations with a code.  It does not report an error. */
void sync_run(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
              struct effect *effect, struct step *step);

/* --- sync.c ------------------------------------------------------------------------------------------------------- */

/* The operation that ends a thread: its last RET. */
extern const struct instruction last_return;

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction);
/* Is the operation enabled?  One on a bad address is: it fails when taken. */
bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction);
/* Executes the operation. */
void sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step);
/* The effect of the operation in a view (NULL: memory as it is), also without a code. */
void sync_evaluate(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect);
/* Is the thread's next step a join of a thread that has ended? */
bool sync_joins(struct machine *machine, struct thread *thread, const struct instruction *instruction);
void sync_describe(struct machine *machine, const struct thread *thread, const struct instruction *instruction,
                   struct step *step);
/* Adds the effect of the operation, as far as it is known before the step, to the description. */
void sync_foresee(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct step *step);

/* --- effect.c ----------------------------------------------------------------------------------------------------- */

/* Reads up to 16 bytes of an object in a view (NULL: memory as it is). */
void view_read(const struct view *view, const struct object *object, uint64_t address, unsigned size,
               uint64_t value[2]);
/* Is the object, whose end has reached memory, alive with these bytes in the view? */
bool view_revives(const struct view *view, const struct object *object, uint64_t address, unsigned size);
/* The object, if the thread can access these bytes of it in the view, else NULL. */
static inline struct object *view_object(const struct machine *machine, const struct thread *thread,
                                         const struct view *view, uint64_t address, unsigned size) {
    struct object *object = object_at(machine, address);
    bool serves =
        object && (object_serves(machine, thread, object, address, size) || view_revives(view, object, address, size));
    return serves ? object : NULL;
}
/* Sets all but the accesses, which must be initialised, to those of a step that is enabled and does nothing. */
static inline void effect_clear(struct effect *effect) {
    effect->enabled = true;
    effect->bad = effect->changes = effect->fails_iteration = false;
    effect->error = ERROR_NONE;
    effect->waits_for = 0;
    effect->choices = 1;
    effect->results[0] = effect->results[1] = 0;
    effect->accesses.count = 0;
}
/* Adds an access; accesses to the same bytes are merged. */
void effect_add(struct effect *effect, const struct effect_access *access);
/* Are the two effects the same? */
bool effects_equal(const struct effect *one, const struct effect *other);
/* Are memory and the records of threads now as the effect predicted? */
bool effect_has_come(struct machine *machine, const struct effect *effect);
/* Does an iteration of a waiting loop fail by the step of this effect, which returned or read `value`? */
bool effect_fails_iteration(struct machine *machine, struct thread *thread, const struct effect *effect,
                            const uint64_t value[2]);

/* --- races.c ------------------------------------------------------------------------------------------------------ */

/* Fails if two of the enabled transitions are in a data race. */
bool races_find(struct machine *machine, const struct transition *enabled, size_t count);

/* --- check.c ------------------------------------------------------------------------------------------------------ */

/* Asserts the invariants above that a state alone can break. */
void machine_check(const struct machine *machine);
/* Of them, those about one store buffer: of its newest entries. */
void store_buffer_check(const struct machine *machine, const struct thread *thread);

/* --- assumed.c ---------------------------------------------------------------------------------------------------- */

/* Executes the ASSUMED that is the thread's next instruction. */
void machine_meet_assumption(struct machine *machine, const struct thread *thread);

/* --- output.c ----------------------------------------------------------------------------------------------------- */

void library_run(struct machine *machine, struct thread *thread, struct frame *frame,
                 const struct instruction *instruction);

#endif
