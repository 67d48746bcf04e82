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
 *   M3. Between transitions each thread that has not ended stands at a visible instruction, or the machine has stopped.
 *
 *   M4. Objects of a region ascend by address; those with an index of `count` or more do not exist.
 *
 *   M5. A private object is only ever touched by the thread that made it; no buffer holds an entry for one.
 *
 *   M6. A read-modify-write, compare-and-swap or operation does what its effect said: what it writes and returns.
 *
 *   M7. An effect, and with it whether a step is enabled, stays the same until something that it has read changes. */
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
#define MAX_REGISTERS (UINT64_C(1) << 22)
#define MAX_BUFFER (UINT64_C(1) << 18)
#define NO_THREAD UINT32_MAX

enum object_kind { OBJECT_GLOBAL, OBJECT_HEAP, OBJECT_LOCAL, OBJECT_THREAD_LOCAL };

struct object {
    uint64_t base;
    uint64_t size;
    uint8_t *bytes;
    uint8_t *uninitialised; /* one byte per byte, 1 if never written; NULL when not checked */
    uint64_t capacity;      /* of bytes; 0: they lie in the region's memory */
    uint8_t kind;
    bool private;
    bool constant;
    uint32_t type;
    uint32_t name; /* string offset */
    uint32_t pos;  /* where it was made */
    uint32_t thread;
    /* The cells that change. */
    struct object_life {
        uint32_t ended_by; /* slot + 1; 0 while it lives in memory */
        uint32_t ended_pos;
        uint32_t pending; /* ends of it that wait in buffers */
        uint32_t unused;
    } life;
};

struct region {
    struct object **objects;
    size_t capacity;
    uint32_t *pages; /* page in the region -> object; NULL: searched */
    size_t pages_count;
    uint64_t base;
    uint8_t *memory;        /* private locals: where their bytes lie, so that none moves; NULL: each has its own */
    uint8_t *uninitialised; /* likewise their marks */
    struct region_extent {
        uint64_t count; /* of objects that exist */
        uint64_t next;  /* address of the next one */
        uint64_t used;  /* of memory */
    } extent;
};

struct frame {
    const struct function *function;
    const struct instruction *pc;
    uint64_t *registers;
    uint32_t dst;         /* where the caller wants the results, NO_REGISTER if nowhere */
    uint32_t results;     /* how many */
    uint64_t locals;      /* private locals of the thread before this frame */
    uint64_t stack_bytes; /* of the thread before this frame */
    uint32_t escaping;    /* escaping locals of the thread before this frame */
    uint32_t unused;
};

enum thread_status { THREAD_ABSENT, THREAD_RUNNING, THREAD_FINISHED };

/* Why a thread goes no further. */
enum thread_stop { STOP_NONE, STOP_ASSUME, STOP_CUT, STOP_EXIT, STOP_ERROR, STOP_HALT, STOP_GOAL };

/* The cells of a thread that its steps change; saved as a whole. */
struct thread_state {
    uint8_t status;
    bool detached;
    bool joined;
    bool waiting;    /* at an await whose last round failed, AWAIT_SPIN */
    bool in_await;   /* between AWAIT and the loop's exit */
    uint8_t stopped; /* enum thread_stop */
    bool dirty;      /* the round of the await has done something */
    uint32_t depth;  /* frames */
    uint32_t children;
    uint32_t buffer_count;
    uint32_t buffer_loose; /* so many of them, the first ones, are loose */
    uint64_t buffer_first; /* index of the oldest entry */
    uint64_t serial;       /* of the last entry made */
    uint32_t barriers;     /* PSO: store barriers so far */
    uint32_t escaping;     /* escaping locals alive */
    uint64_t stack_bytes;
    bool failed;    /* the last round of the await has failed */
    uint8_t rounds; /* of it, that have failed */
    uint64_t result;
    uint64_t waits;                  /* the object at which it waits to be woken, or 0 */
    uint64_t version;                /* of memory when the round of the await began */
    const struct instruction *await; /* of the round it is in */
    uint64_t await_frame;            /* depth at which that await stands */
    uint64_t await_locals;           /* end of the private locals when the round began */
    struct object *object;           /* of the access at which it stands; NULL: none was there when it came */
};

struct thread {
    struct thread_state now;
    uint64_t epoch;   /* in which `now` was saved last */
    uint32_t touched; /* frames beyond so many are saved since, or new */
    uint32_t slot;
    uint32_t number;
    uint32_t parent; /* slot */
    uint32_t child;  /* the how many-th of its parent */
    uint32_t depth;  /* in the creation tree: 0 for the first thread */
    char name[64];
    struct frame *frames;
    uint64_t *registers;
    uint8_t *taint; /* one byte per register when uninitialised values are followed */
    struct buffer_entry *buffer;
    struct object **escaping; /* escaping locals alive, oldest first */
    struct region *heap;
    struct region *stack;
    uint64_t *thread_local_addresses;   /* by global */
    struct effect effect;               /* of the operation at which it stands, when it was last looked at */
    struct effect known;                /* debug builds: likewise, when it was last asked whether it is enabled, */
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
    uint32_t goals;  /* threads that stand at a goal */
    uint8_t outcome; /* OUTCOME_RUNNING until something stops the execution */
    bool exited;
    bool stale;
    int32_t exit_code;
    uint64_t output_count;
    uint64_t output_size;
    uint32_t errors; /* met so far: more than one only if threads run past them */
    struct machine_error error;
};

struct memory_model_operations;

struct machine {
    const struct program *program;
    struct machine_options options;
    const struct memory_model_operations *model;
    const struct sync_code *codes; /* by kind of operation */
    struct liveness liveness;
    struct machine_state now;
    struct undo_log log;
    struct thread **threads;
    uint32_t threads_count;
    bool logging;
    uint64_t epoch;          /* a new one begins with each mark, and when the log is cut */
    struct region **regions; /* by address >> 32 */
    size_t regions_count;
    struct vector enabled; /* of struct transition */
    struct vector output;  /* of struct output_record */
    struct vector output_text;
    struct step last;
    struct transition looked; /* what `last` tells before it is taken; thread NO_THREAD if nothing */
    struct object *looked_object;
    struct machine_counts counts;
    enum lookahead { LOOKAHEAD_NONE, LOOKAHEAD_LOCAL, LOOKAHEAD_ROUND } lookahead; /* see interpret.c */
    bool round_failed;
    struct vector *record; /* of struct passed; NULL if nobody wants them */
    uint64_t mark_hash;    /* debug builds: of the state at the last mark */
    uint8_t *hash_buffer;
    size_t hash_capacity;
};

struct output_record {
    uint32_t file;
    uint32_t thread;
    uint64_t offset;
    uint64_t size;
};

/* The address space is divided into halves of regions, each with objects of one kind. */
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
/* Saves the frame below the ones already saved, when control returns into it. */
void frame_touch(struct machine *machine, struct thread *thread);

/* --- memory.c ----------------------------------------------------------------------------------------------------- */

/* A region of objects that are never removed but by undoing (heap), or of those that come and go like a stack. */
struct region *region_new(struct machine *machine, uint64_t base, bool stack);
struct object *object_new(struct machine *machine, struct region *region, uint64_t size, uint64_t alignment);
/* The private local whose bytes or guard page hold the address, or NULL. */
struct object *local_at(const struct region *region, uint64_t address);
/* The object whose bytes or guard page hold the address, or NULL.  Every access asks for it: keep it short. */
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

/* Has the thread itself ended the object (its own buffer counts)? */
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
/* Bytes in and out of an object, little-endian, size up to 16. */
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
/* The value that the thread's load would give now.  False if it must wait for a partial overlap to drain. */
bool memory_load(const struct thread *thread, const struct object *object, uint64_t address, unsigned size,
                 uint64_t value[2], uint64_t *serial);
/* Does the MALLOC at which the thread stands. */
void heap_allocate(struct machine *machine, struct thread *thread);
/* A value is compared; notes it if it is the address of a freed heap object. */
void memory_note_stale(struct machine *machine, struct thread *thread, uint64_t value);
/* Removes the private locals beyond the first `keep`. */
void region_cut(struct machine *machine, struct region *region, uint64_t keep);
void memory_find_leaks(struct machine *machine);

/* --- threads.c ---------------------------------------------------------------------------------------------------- */

struct thread *thread_create(struct machine *machine, struct thread *parent, uint32_t function,
                             const uint64_t *arguments, unsigned count);
uint32_t thread_child_number(const struct thread *parent);
struct thread *thread_search(struct machine *machine, uint64_t number);
/* The thread with this number, if it exists.  Mostly the first thread creates all others. */
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
/* Would the round of the await fail if the load or failing CAS that the thread stands at read this value? */
bool interpret_fails_round(struct machine *machine, struct thread *thread, const uint64_t value[2]);
/* Would a whole new round of the await fail in memory as it is? */
bool interpret_fails_again(struct machine *machine, struct thread *thread);

static inline uint64_t operand_value(const struct machine *machine, const struct frame *frame, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? machine->program->constants[operand & ~OPERAND_CONSTANT]
                                      : frame->registers[operand];
}

static inline void operand_pair(const struct machine *machine, const struct frame *frame, uint32_t operand,
                                unsigned size, uint64_t value[2]) {
    value[0] = operand_value(machine, frame, operand);
    value[1] = size > 8 ? operand_value(machine, frame, operand + 1) : 0;
}

/* Writes a value to a register, or to a pair. */
static inline void register_set(uint64_t *dst, const uint64_t value[2], bool wide) {
    dst[0] = value[0];
    if (wide) {
        dst[1] = value[1];
    }
}

/* Is the thread at a step of a waiting loop? */
static inline bool stands_in_await(const struct thread *thread) {
    const struct instruction *pc = thread_frame(thread)->pc;
    return pc->op == OP_AWAIT || (pc->flags & INSTRUCTION_AWAIT) ||
           (thread->now.in_await && thread->now.depth > thread->now.await_frame);
}

#define FREE_ROUNDS 2 /* AWAIT_TWICE */

/* Is a read that would make a round fail not enabled? */
static inline bool round_blocks(const struct machine *machine, const struct thread *thread) {
    return machine->options.awaits == AWAIT_BLOCK ||
           (machine->options.awaits == AWAIT_TWICE && thread->now.rounds >= FREE_ROUNDS);
}

/* --- outcome.c ---------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 5, 6))) void machine_fail(struct machine *machine, struct thread *thread, uint32_t pos,
                                                        enum error_kind kind, const char *format, ...);
void machine_stop(struct machine *machine, enum outcome outcome);
/* The thread goes no further: nobody needs to wait for the end of its atomic section. */
void thread_leave_atomic(struct machine *machine, const struct thread *thread);
/* The same if it goes no further and others run on, once its stores have drained: nobody comes between them. */
void thread_leave_halted(struct machine *machine, const struct thread *thread);
/* The thread has failed an assumption or was cut: the execution ends, or others run on. */
void thread_halt(struct machine *machine, struct thread *thread, enum thread_stop stop);
/* The thread stays where it is for ever; at a goal if `wanted` is not 0, which so many threads have to reach. */
void thread_stay(struct machine *machine, struct thread *thread, uint32_t wanted);

/* Does another thread hold the bus, so that nothing of this one may reach memory? */
static inline bool bus_taken(const struct machine *machine, const struct thread *thread) {
    return machine->now.bus_owner != NO_THREAD && machine->now.bus_owner != thread->slot;
}

/* --- run_sync.c --------------------------------------------------------------------------------------------------- */

/* A field of a record. */
uint64_t record_value(struct machine *machine, uint64_t address);

/* These run the operation at which the thread stands: to know whether it is enabled, how many choices there are and
 * what it returns (all that is known of one without a code is that it changes something), */
void sync_outcome(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct effect *effect);
/* ... likewise in a view (NULL: memory as it is), with its accesses; it has a code, */
void sync_accesses(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect);
/* ... and to do it; it has a code.  An error is not reported. */
void sync_run(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
              struct effect *effect, struct step *step);

/* --- sync.c ------------------------------------------------------------------------------------------------------- */

/* The last RET of a thread is the operation that ends it. */
extern const struct instruction last_return;

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction);
/* Can the operation go on now?  Bad addresses can: they fail. */
bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction);
/* Does it. */
void sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step);
/* Its effect in a view (NULL: memory as it is), also if it has no code. */
void sync_evaluate(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect);
/* Will the join at which the thread stands join one that has ended? */
bool sync_joins(struct machine *machine, struct thread *thread, const struct instruction *instruction);
void sync_describe(struct machine *machine, const struct thread *thread, const struct instruction *instruction,
                   struct step *step);
/* What else is known of it before it is taken: its effect. */
void sync_foresee(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct step *step);

/* --- effect.c ----------------------------------------------------------------------------------------------------- */

/* Bytes of an object in a view (NULL: as they are), up to 16. */
void view_read(const struct view *view, const struct object *object, uint64_t address, unsigned size,
               uint64_t value[2]);
/* Does the object, which does not serve these bytes, do so in the view? */
bool view_revives(const struct view *view, const struct object *object, uint64_t address, unsigned size);
/* The object, if the thread can access these bytes of it in the view, else NULL. */
static inline struct object *view_object(const struct machine *machine, const struct thread *thread,
                                         const struct view *view, uint64_t address, unsigned size) {
    struct object *object = object_at(machine, address);
    bool serves =
        object && (object_serves(machine, thread, object, address, size) || view_revives(view, object, address, size));
    return serves ? object : NULL;
}
/* Makes it that of a step that is enabled and does nothing; of one that is not initialised all but the accesses. */
static inline void effect_clear(struct effect *effect) {
    effect->enabled = true;
    effect->bad = effect->changes = effect->fails_round = false;
    effect->error = ERROR_NONE;
    effect->waits_for = 0;
    effect->choices = 1;
    effect->results[0] = effect->results[1] = 0;
    effect->accesses.count = 0;
}
/* An access; those of the same bytes are one. */
void effect_add(struct effect *effect, const struct effect_access *access);
/* Do they say the same? */
bool effects_equal(const struct effect *one, const struct effect *other);
/* Is memory, and the records of threads, as the effect says it would be? */
bool effect_has_come(struct machine *machine, const struct effect *effect);
/* Would the round of a waiting loop fail by the step of this effect, which returned or read this? */
bool effect_fails_round(struct machine *machine, struct thread *thread, const struct effect *effect,
                        const uint64_t value[2]);

/* --- races.c ------------------------------------------------------------------------------------------------------ */

/* Fails if two of the transitions that can come next are in a data race. */
bool races_find(struct machine *machine, const struct transition *enabled, size_t count);

/* --- output.c ----------------------------------------------------------------------------------------------------- */

void library_run(struct machine *machine, struct thread *thread, struct frame *frame,
                 const struct instruction *instruction);

#endif
