/* Follows which thread holds which lock, from what operations write: a thread that stores its own number in an object's
 * first word has taken the lock, one that stores 0 has released it; a reader adds itself to the second word. */
#include "explain/circumstances.h"

#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "machine/describe.h"
#include "util/memory.h"

/* A lock that a thread has, or an object that it has destroyed. */
struct holding {
    uint64_t address;
    uint32_t thread; /* slot */
    uint32_t pos;
    bool destroyed;
};

/* An object of the heap or a local that a thread has ended. */
struct ending {
    uint64_t base;
    uint64_t bytes;
    uint32_t thread; /* slot */
    uint32_t pos;
    bool local;
};

struct follower {
    const struct witness *witness;
    const struct program *program;
    struct machine *machine;
    struct vector holdings; /* of struct holding */
    struct vector endings;  /* of struct ending */
    struct vector *list;
    struct step last; /* the last step of a witness */
};

static void holding_end(struct follower *follower, uint64_t address, uint32_t thread, bool any_thread) {
    for (size_t i = follower->holdings.count; i-- > 0;) {
        struct holding *holding = vector_at(&follower->holdings, i);
        if (holding->address == address && (any_thread || holding->thread == thread)) {
            memmove(holding, holding + 1, (follower->holdings.count - i - 1) * sizeof *holding);
            follower->holdings.count--;
            return;
        }
    }
}

static void holding_begin(struct follower *follower, uint64_t address, const struct step *step, bool destroyed) {
    struct holding holding = {address, step->thread, step->pos, destroyed};
    vector_push(&follower->holdings, &holding);
}

/* Does the operation take a lock by writing the object's first word?  Other words, and those of semaphores, condition
 * variables and barriers, are counters, which may be equal to a thread's number by chance. */
static bool takes_lock(unsigned kind) {
    switch (kind) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
    case SYNC_MUTEX_RETAKE:
    case SYNC_WRITE_LOCK:
    case SYNC_WRITE_TRYLOCK:
    case SYNC_WRITE_TIMEDLOCK:
    case SYNC_SPIN_LOCK:
    case SYNC_SPIN_TRYLOCK:
    case SYNC_BUS_LOCK:
        return true;
    default:
        return false;
    }
}

static void follow_operation(struct follower *follower, const struct step *step) {
    uint64_t self = (uint64_t)machine_thread_number(follower->machine, step->thread) + 1;
    const struct effect_access *accesses = step->effect ? step->effect->accesses.data : NULL;
    bool spins = step->sub == SYNC_SPIN_LOCK || step->sub == SYNC_SPIN_TRYLOCK;
    for (size_t i = 0; accesses && i < step->effect->accesses.count; i++) {
        const struct effect_access *access = &accesses[i];
        if (is_record(access->address)) {
            continue;
        }
        if (access->kind & ACCESS_ADD) {
            if ((uint32_t)access->written[0] == 1) {
                holding_begin(follower, access->address - RWLOCK_READERS, step, false);
            } else {
                holding_end(follower, access->address - RWLOCK_READERS, step->thread, false);
            }
        } else if ((access->kind & ACCESS_WRITE) && access->before[0] != access->written[0]) {
            if (takes_lock(step->sub) && access->address == step->address &&
                (access->written[0] == self || (spins && access->written[0] == 1))) {
                holding_begin(follower, access->address, step, false);
            } else if (access->written[0] == 0) {
                holding_end(follower, access->address, step->thread, true);
            }
        }
    }
}

static void follow_store(struct follower *follower, const struct step *step) {
    if (step->size == 4 && step->written[0] == SYNC_DESTROYED) {
        holding_begin(follower, step->address, step, true);
    } else if (step->size == 4 && step->written[0] == 0) {
        holding_end(follower, step->address, step->thread, true); /* a spin lock, or a new initialisation */
    }
}

static void follow_end(struct follower *follower, const struct step *step) {
    struct ending ending = {step->address, step->other, step->thread, step->pos, step->kind == STEP_LEAVE};
    vector_push(&follower->endings, &ending);
}

static char *thread_text(const struct follower *follower, uint32_t thread) {
    const char *name = machine_thread_name(follower->machine, thread);
    return thread == 0 ? memory_copy_text(name) : memory_format("thread %s", name);
}

static const char *file_of(const struct follower *follower, uint32_t pos) {
    return program_string(follower->program, follower->program->positions[pos].file);
}

static uint32_t line_of(const struct follower *follower, uint32_t pos) {
    return follower->program->positions[pos].line;
}

static const struct holding *find_holding(const struct follower *follower, uint64_t address, bool destroyed) {
    for (size_t i = follower->holdings.count; i-- > 0;) {
        const struct holding *holding = vector_at(&follower->holdings, i);
        if (holding->address == address && holding->destroyed == destroyed) {
            return holding;
        }
    }
    return NULL;
}

/* "main holds a (since 13:5) and ", or "main ". */
static char *holds_text(const struct follower *follower, uint32_t thread, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    size_t count = 0;
    for (size_t i = 0; i < follower->holdings.count; i++) {
        const struct holding *holding = vector_at(&follower->holdings, i);
        if (holding->thread == thread && !holding->destroyed) {
            char object[128];
            const struct position *position = &follower->program->positions[holding->pos];
            machine_describe(follower->machine, holding->address, 0, object, sizeof object);
            fputs(count == 0 ? name : ", ", out);
            fprintf(out, "%s%s (since %u:%u)", count == 0 ? " holds " : "", object, position->line, position->column);
            count++;
        }
    }
    fprintf(out, "%s ", count ? " and" : name);
    fclose(out);
    return text;
}

/* " in a loop: flag is 0", if that is what the step reads. */
static char *seen_text(const struct machine *machine, const struct step *step) {
    uint64_t value[2];
    char name[128];
    char shown[128];
    if (!step->reads || !machine_peek(machine, step->address, step->size, value)) {
        return memory_copy_text(" in a loop");
    }
    machine_describe(machine, step->address, step->size, name, sizeof name);
    machine_describe_value(machine, step->address, step->size, value, shown, sizeof shown);
    return memory_format(" in a loop: %s is %s", name, shown);
}

/* What a thread that is blocked for ever waits for: a line. */
static void add_waiting(struct follower *follower, uint32_t thread) {
    struct machine *machine = follower->machine;
    struct step step;
    machine_next(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &step);
    uint32_t pos = machine_thread_pos(machine, thread);
    struct circumstance found = {
        .thread = thread_text(follower, thread),
        .file = memory_copy_text(file_of(follower, pos)),
        .line = line_of(follower, pos),
        .slot = thread,
        .pos = pos,
        .holder_slot = -1,
    };
    char *holds = holds_text(follower, thread, found.thread);
    if (step.kind == STEP_SYNC && step.sub == SYNC_THREAD_JOIN) {
        int64_t other = machine_thread_numbered(machine, (uint32_t)step.address);
        found.holder = other >= 0 ? thread_text(follower, (uint32_t)other) : NULL;
        found.text = memory_format("%s waits for the end of %s (%s:%u)", found.thread,
                                   found.holder ? found.holder : "a thread", found.file, found.line);
        found.holder_slot = other;
        found.joins = true;
        found.note = memory_format("%swaits for the end of %s", holds, found.holder ? found.holder : "a thread");
    } else if (step.kind == STEP_SYNC) {
        char name[128];
        machine_describe(machine, step.address, 0, name, sizeof name);
        const struct holding *holding = find_holding(follower, step.address, false);
        if (holding) {
            found.holder = thread_text(follower, holding->thread);
            found.since_file = memory_copy_text(file_of(follower, holding->pos));
            found.since_line = line_of(follower, holding->pos);
            found.text = memory_format("%s waits for %s (%s:%u), which %s holds since %s:%u", found.thread, name,
                                       found.file, found.line, found.holder, found.since_file, found.since_line);
            found.holder_slot = holding->thread;
            found.since_pos = holding->pos;
            found.note = memory_format("%swaits for %s, which %s holds", holds, name, found.holder);
        } else {
            found.text = memory_format("%s waits at %s in %s (%s:%u)", found.thread, name, sync_table[step.sub].name,
                                       found.file, found.line);
            found.note = memory_format("%swaits at %s in %s", holds, name, sync_table[step.sub].name);
        }
    } else {
        char *seen = seen_text(machine, &step);
        found.text = memory_format("%s waits (%s:%u)%s", found.thread, found.file, found.line, seen);
        found.note = memory_format("%swaits%s", holds, seen);
        free(seen);
    }
    free(holds);
    vector_push(follower->list, &found);
}

/* The line of what another thread does, or has done. */
static void add_deed(struct follower *follower, uint32_t thread, uint32_t pos, const char *what) {
    char *thread_name = thread_text(follower, thread);
    struct circumstance found = {
        .thread = thread_name,
        .file = memory_copy_text(file_of(follower, pos)),
        .line = line_of(follower, pos),
        .note = memory_format("%s %s here", thread_name, what),
        .slot = thread,
        .pos = pos,
        .holder_slot = -1,
    };
    found.text = memory_format("%s %s (%s:%u)", found.thread, what, found.file, found.line);
    vector_push(follower->list, &found);
}

static void add_destroyed(struct follower *follower) {
    const struct holding *holding = find_holding(follower, follower->last.address, true);
    if (holding) {
        add_deed(follower, holding->thread, holding->pos, "has destroyed it");
    }
}

/* The line that ended the object to which the last step belongs; that step may be a further end of it. */
static void add_ended(struct follower *follower) {
    for (size_t i = 0; i < follower->endings.count; i++) {
        const struct ending *ending = vector_at(&follower->endings, i);
        uint64_t offset = follower->last.address - ending->base;
        if (offset < ending->bytes || offset == 0) {
            add_deed(follower, ending->thread, ending->pos, ending->local ? "has left its scope" : "has freed it");
            return;
        }
    }
}

static void describe(struct follower *follower) {
    const struct machine_error *error = machine_error(follower->machine);
    switch (error->kind) {
    case ERROR_DEADLOCK:
    case ERROR_LIVENESS:
        for (uint32_t t = 0; t < machine_threads(follower->machine); t++) {
            if (machine_thread_exists(follower->machine, t) && !machine_thread_finished(follower->machine, t)) {
                add_waiting(follower, t);
            }
        }
        break;
    case ERROR_DESTROYED:
        add_destroyed(follower);
        break;
    case ERROR_DANGLING:
    case ERROR_DOUBLE_FREE:
        add_ended(follower);
        break;
    case ERROR_RACE:
        add_deed(follower, error->other_thread, error->other_pos, "accesses the same bytes");
        break;
    default:
        break;
    }
}

void circumstances_find(const struct witness *witness, const struct program *program, struct vector *list) {
    bool wanted = witness->kind == ERROR_DEADLOCK || witness->kind == ERROR_LIVENESS ||
                  witness->kind == ERROR_DESTROYED || witness->kind == ERROR_RACE || witness->kind == ERROR_DANGLING ||
                  witness->kind == ERROR_DOUBLE_FREE;
    if (!wanted) {
        return;
    }
    struct machine_options options = witness_machine_options(witness);
    struct follower follower = {
        .witness = witness, .program = program, .machine = machine_new(program, &options), .list = list};
    vector_init(&follower.holdings, sizeof(struct holding));
    vector_init(&follower.endings, sizeof(struct ending));
    bool good = true;
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        struct transition transition;
        good = witness_transition(witness, i, follower.machine, &transition);
        if (good) {
            struct step step = *machine_look(follower.machine, transition);
            if (step.kind == STEP_SYNC) {
                follow_operation(&follower, &step);
            } else if (step.kind == STEP_STORE) {
                follow_store(&follower, &step);
            } else if (step.kind == STEP_FREE || step.kind == STEP_LEAVE) {
                follow_end(&follower, &step);
            }
            follower.last = step;
            machine_take(follower.machine, transition);
        }
    }
    if (good && machine_outcome(follower.machine) == OUTCOME_ERROR) {
        describe(&follower);
    }
    machine_free(follower.machine);
    vector_delete(&follower.holdings);
    vector_delete(&follower.endings);
}

void circumstances_delete(struct vector *list) {
    for (size_t i = 0; i < list->count; i++) {
        struct circumstance *circumstance = vector_at(list, i);
        free(circumstance->text);
        free(circumstance->note);
        free(circumstance->thread);
        free(circumstance->file);
        free(circumstance->holder);
        free(circumstance->since_file);
    }
    vector_delete(list);
}

const struct circumstance *circumstances_of_thread(const struct vector *list, int64_t slot) {
    for (size_t i = 0; i < list->count; i++) {
        const struct circumstance *at = vector_at(list, i);
        if (at->slot == slot) {
            return at;
        }
    }
    return NULL;
}

const struct circumstance *circumstances_cycle(const struct vector *list) {
    for (size_t i = 0; i < list->count; i++) {
        const struct circumstance *first = vector_at(list, i);
        const struct circumstance *at = first;
        for (size_t steps = 0; at && steps < list->count; steps++) {
            at = circumstances_of_thread(list, at->holder_slot);
            if (at == first) {
                return first;
            }
        }
    }
    return NULL;
}
