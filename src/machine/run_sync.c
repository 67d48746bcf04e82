/* Runs the codes of operations (ir/sync_codes.h) for one of three purposes: to know whether the operation is enabled
 * and what it returns; to have its accesses as well; or to execute it.  The purpose is a constant at each call, so the
 * compiler makes a function for each. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "machine/state.h"
#include "util/range.h"

/* --- Records of threads ------------------------------------------------------------------------------------------- */

/* A field of a thread's record; the thread may be absent. */
static inline uint64_t field_value(const struct thread *thread, uint64_t field) {
    if (!thread) {
        return 0;
    }
    switch (field) {
    case RECORD_CREATED:
        return 1;
    case RECORD_ENDED:
        return thread->now.status == THREAD_FINISHED;
    case RECORD_JOINED:
        return thread->now.joined;
    case RECORD_DETACHED:
        return thread->now.detached;
    case RECORD_RESULT:
        return thread->now.result;
    default:
        return thread->now.waits;
    }
}

uint64_t record_value(struct machine *machine, uint64_t address) {
    return field_value(thread_with_number(machine, record_number(address)), (address - RECORD_BASE) % RECORD_BYTES);
}

/* A field in a view, which returns 8 bytes: one field or two. */
static uint64_t field_in_view(const struct thread *thread, const struct view *view, uint64_t address,
                              enum record_field field) {
    uint64_t word = field & ~UINT64_C(7);
    uint64_t value = field_value(thread, word);
    if (field < RECORD_RESULT) {
        value |= field_value(thread, word + 4) << 32;
    }
    view->word(view, address + word, (uint8_t *)&value);
    value >>= (field - word) * 8;
    return record_field_size(field) == 8 ? value : (uint32_t)value;
}

/* --- The state of a run ------------------------------------------------------------------------------------------- */

enum purpose { PURPOSE_OUTCOME, PURPOSE_ACCESSES, PURPOSE_TAKE };

/* Passed by value, so that the compiler sees what does not change. */
struct run {
    struct machine *machine;
    struct thread *thread;
    const struct view *view; /* only if its accesses are wanted */
    struct effect *effect;
    struct step *step; /* only if it is executed */
    uint64_t choice;
    uint64_t addresses[2]; /* operands a and b, */
    struct object *first;  /* ... and the objects there */
    struct object *second;
    enum purpose purpose;
};

struct record {
    struct thread *thread; /* NULL: there is none */
    uint64_t address;
};

/* The access to a word in the list of accesses, or NULL. */
static inline struct effect_access *noted(struct run run, uint64_t address) {
    struct effect_access *accesses = run.effect->accesses.data;
    for (size_t i = 0; i < run.effect->accesses.count; i++) {
        if (accesses[i].address == address) {
            return &accesses[i];
        }
    }
    return NULL;
}

/* Adds an access with the present value. */
static inline struct effect_access *note(struct run run, uint64_t address, unsigned size, uint64_t before) {
    struct effect_access *access = vector_room(&run.effect->accesses);
    *access = (struct effect_access){.address = address, .size = size, .before = {before, 0}};
    return access;
}

static inline uint64_t word_at(struct run run, const struct object *object, uint64_t address) {
    uint64_t value[2];
    assert(object && "a code touches only the objects that it has (S5)");
    if (run.purpose == PURPOSE_ACCESSES && run.view) {
        view_read(run.view, object, address, 4, value);
    } else {
        object_read(object, address, 4, value);
    }
    return value[0];
}

/* Writes a word, or adds to it. */
static inline void change(struct run run, struct object *object, uint64_t address, unsigned kind, uint64_t value) {
    run.effect->changes = true;
    if (run.purpose == PURPOSE_OUTCOME) {
        return;
    }
    if (run.purpose == PURPOSE_ACCESSES) {
        struct effect_access *access = noted(run, address);
        access = access ? access : note(run, address, 4, word_at(run, object, address));
        access->kind |= kind;
        access->written[0] = value;
        return;
    }
    uint64_t before = word_at(run, object, address);
    const uint64_t after[2] = {(uint32_t)(kind == ACCESS_ADD ? before + value : value), 0};
    if (after[0] != before) {
        memory_changed(run.machine);
        object_write(run.machine, object, address, 4, after);
    }
}

/* --- The operations of sync_codes.h ------------------------------------------------------------------------------- */

#define number(value) ((uint64_t)(value))
#define equal(run, a, b) ((a) == (b))
#define differ(run, a, b) ((a) != (b))
#define less(run, a, b) ((a) < (b))
#define either(run, a, b) ((a) | (b))
#define plus_32(run, a, b) ((uint32_t)((a) + (b)))
#define minus_32(run, a, b) ((uint32_t)((a) - (b)))
#define next_64(run, a) ((a) + 1)
#define same_record(run, one, other) ((one).address == (other).address)

static inline uint64_t input(struct run run, enum sync_input which) {
    switch (which) {
    case SYNC_A:
    case SYNC_B:
        return run.addresses[which];
    case SYNC_SELF:
        return (uint64_t)run.thread->number + 1;
    default:
        assert(which == SYNC_SPURIOUS && "the own record is no value here");
        return run.machine->options.spurious;
    }
}

static inline uint64_t load(struct run run, enum sync_input base, uint64_t offset) {
    uint64_t address = run.addresses[base] + offset;
    uint64_t value = word_at(run, base == SYNC_A ? run.first : run.second, address);
    if (run.purpose == PURPOSE_ACCESSES) {
        struct effect_access *access = run.second ? noted(run, address) : NULL; /* the two objects may be one */
        access = access ? access : note(run, address, 4, value);
        access->kind |= ACCESS_READ;
    }
    return value;
}

static inline void store(struct run run, enum sync_input base, uint64_t offset, uint64_t value) {
    change(run, base == SYNC_A ? run.first : run.second, run.addresses[base] + offset, ACCESS_WRITE, value);
}

static inline void add_to(struct run run, uint64_t offset, uint64_t value) {
    change(run, run.first, run.addresses[SYNC_A] + offset, ACCESS_ADD, value);
}

static inline struct record own_record(struct run run) {
    return (struct record){run.thread, record_address(run.thread->number)};
}

static inline struct record record_of(struct run run, uint64_t thread) {
    return (struct record){thread_with_number(run.machine, thread), record_address(thread)};
}

static inline uint64_t field_at(struct run run, struct record record, enum record_field field) {
    return run.purpose == PURPOSE_ACCESSES && run.view ? field_in_view(record.thread, run.view, record.address, field)
                                                       : field_value(record.thread, field);
}

static inline uint64_t load_field(struct run run, struct record record, enum record_field field) {
    uint64_t value = field_at(run, record, field);
    if (run.purpose == PURPOSE_ACCESSES) {
        note(run, record.address + field, record_field_size(field), value)->kind = ACCESS_READ;
    }
    return value;
}

static inline void store_field(struct run run, struct record record, enum record_field field, uint64_t value) {
    run.effect->changes = true;
    if (run.purpose == PURPOSE_ACCESSES) {
        struct effect_access *access = noted(run, record.address + field);
        access =
            access ? access : note(run, record.address + field, record_field_size(field), field_at(run, record, field));
        access->kind |= ACCESS_WRITE;
        access->written[0] = value;
    } else if (run.purpose == PURPOSE_TAKE) {
        struct thread_state *now = &record.thread->now;
        run.step->other = record.thread->slot;
        switch (field) {
        case RECORD_JOINED:
            save(run.machine, &now->joined, sizeof now->joined);
            now->joined = value;
            break;
        case RECORD_DETACHED:
            save(run.machine, &now->detached, sizeof now->detached);
            now->detached = value;
            break;
        default:
            save(run.machine, &now->waits, sizeof now->waits);
            now->waits = value;
            break;
        }
    }
}

/* Wakes the chosen one of the threads that wait at the object, or all of them. */
static inline void wake(struct run run, bool all) {
    const struct machine *machine = run.machine;
    uint64_t waiters = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *thread = machine->threads[i];
        struct record record = {thread, record_address(thread->number)};
        if (thread->now.status != THREAD_ABSENT && field_at(run, record, RECORD_WAITS) == run.addresses[SYNC_A]) {
            if (all || waiters == run.choice) {
                store_field(run, record, RECORD_WAITS, 0);
            }
            waiters++;
        }
    }
    if (!all && waiters > 1) {
        run.effect->choices = waiters;
    }
}

static inline uint64_t choose(struct run run) {
    run.effect->choices = 2;
    return run.choice;
}

static inline bool wait_unless(struct run run, uint64_t condition, uint64_t who) {
    if (!condition) {
        run.effect->enabled = false;
        run.effect->waits_for = who;
    }
    return !condition;
}

static inline bool give(struct run run, uint64_t code, uint64_t value) {
    run.effect->results[0] = code;
    run.effect->results[1] = value;
    return true;
}

static inline bool fail(struct run run, enum sync_text text) {
    run.effect->changes = true;
    run.effect->error = text == TEXT_DESTROYED ? ERROR_DESTROYED : ERROR_NOT_OWNER;
    run.effect->text = sync_texts[text];
    return true;
}

#define RUN struct run
#define VALUE uint64_t
#define RECORD struct record
#define CODE static inline __attribute__((always_inline)) bool
#define IF(condition) if (condition)
#define END_IF_DONE(call)                                                                                              \
    do {                                                                                                               \
        if (call) {                                                                                                    \
            return true;                                                                                               \
        }                                                                                                              \
    } while (0)
#include "ir/sync_codes.h"

#define X(name, text, bytes, mode, ...) MODE_OF_##name = SYNC_MODE_##mode,
enum { SYNC_KINDS(X) };
#undef X

static inline __attribute__((always_inline)) void run_code(struct run run, unsigned kind) {
    switch (kind) {
#define X(name, function)                                                                                              \
    case SYNC_##name:                                                                                                  \
        function(run, MODE_OF_##name);                                                                                 \
        break;
        SYNC_CODES(X)
#undef X
    default:
        assert(!"the operation has a code");
    }
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

/* An object that cannot be accessed counts as written: the step that makes it accessible depends on this one. */
static void bad_object(struct run run, uint64_t address, unsigned bytes) {
    run.effect->bad = run.effect->changes = true;
    if (run.purpose == PURPOSE_ACCESSES) {
        effect_add(run.effect, &(struct effect_access){.address = address, .size = bytes, .kind = ACCESS_WRITE});
    }
}

/* Runs the code unless an object is bad. */
static inline __attribute__((always_inline)) void run_operation(struct run run, const struct instruction *instruction) {
    const struct frame *frame = thread_frame(run.thread);
    unsigned bytes = sync_table[instruction->width].bytes;
    unsigned second = run.machine->codes[instruction->width].second;
    run.addresses[SYNC_A] = operand_value(run.machine, frame, instruction->a);
    run.addresses[SYNC_B] = operand_value(run.machine, frame, instruction->b);
    run.first = run.second = NULL;
    effect_clear(run.effect);
    if (bytes > 0) {
        run.first = view_object(run.machine, run.thread, run.view, run.addresses[SYNC_A], bytes);
        if (!run.first || run.first->constant) {
            bad_object(run, run.addresses[SYNC_A], bytes);
        }
    }
    if (second > 0) {
        run.second = view_object(run.machine, run.thread, run.view, run.addresses[SYNC_B], second);
        if (!run.second || run.second->constant) {
            bad_object(run, run.addresses[SYNC_B], second);
        }
        if (!run.effect->bad && ranges_overlap(run.addresses[SYNC_A], bytes, run.addresses[SYNC_B], second)) {
            bad_object(run, run.addresses[SYNC_A], bytes);
        }
    }
    if (!run.effect->bad) {
        run_code(run, instruction->width);
    }
}

void sync_outcome(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                  uint64_t choice, struct effect *effect) {
    struct run run = {machine, thread, .effect = effect, .choice = choice, .purpose = PURPOSE_OUTCOME};
    if (machine->codes[instruction->width].instructions) {
        run_operation(run, instruction);
    } else {
        effect_clear(effect);
        effect->changes = true;
    }
}

void sync_accesses(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect) {
    struct run run = {machine, thread, view, effect, .choice = choice, .purpose = PURPOSE_ACCESSES};
    run_operation(run, instruction);
}

void sync_run(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
              struct effect *effect, struct step *step) {
    struct run run = {machine, thread, NULL, effect, step, choice, .purpose = PURPOSE_TAKE};
    run_operation(run, instruction);
}
