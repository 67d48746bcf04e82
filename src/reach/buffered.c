/* See buffered.h.
 *
 * Putting a store into the buffer is nobody else's business.  So if a thread can do that, it may as well do it first,
 * and nothing but that has to be tried: an error, or a state in which nobody can go on, that is reachable without it is
 * reachable behind it.  Nor is anybody left out for ever, since buffers fill up.  (That the object may end meanwhile is
 * found when the entry drains.)  Final states may differ where the process ends before the store; races are looked for
 * among steps that are enabled at once: for these two, everything is tried. */
#include "reach/buffered.h"

#include "reach/walk.h"

static const size_t lengths[] = {8, 32, 128};
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define TOO_LONG "store buffers may grow without end: more than 128 stores were in one"

struct buffers {
    size_t longest;
    bool longer; /* some store had to wait */
    bool stores_first;
};

enum putting { PUTTING_NOTHING, PUTTING_STORE, PUTTING_END };

/* What the next step of a thread puts into its buffer. */
static enum putting next_put(struct machine *machine, uint32_t thread) {
    struct step step;
    machine_next(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &step);
    return step.kind == STEP_STORE                             ? PUTTING_STORE
           : step.kind == STEP_FREE || step.kind == STEP_LEAVE ? PUTTING_END
                                                               : PUTTING_NOTHING;
}

static bool has_room(const struct buffers *buffers, const struct machine *machine, uint32_t thread) {
    const struct buffer_entry *entries;
    return machine_buffer(machine, thread, &entries) < buffers->longest;
}

/* The first thread that can put a store into its buffer; UINT32_MAX if there is none. */
static uint32_t first_with_store(const struct buffers *buffers, struct machine *machine) {
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        struct transition step = {.thread = t, .kind = TRANSITION_STEP};
        if (machine_thread_exists(machine, t) && machine_is_enabled(machine, step) &&
            next_put(machine, t) == PUTTING_STORE && has_room(buffers, machine, t)) {
            return t;
        }
    }
    return UINT32_MAX;
}

static bool allows(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor) {
    struct buffers *buffers = data;
    (void)monitor;
    bool is_step = transition.kind == TRANSITION_STEP;
    if (is_step && !has_room(buffers, machine, transition.thread) &&
        next_put(machine, transition.thread) != PUTTING_NOTHING) {
        buffers->longer = true;
        return false;
    }
    uint32_t first = buffers->stores_first ? first_with_store(buffers, machine) : UINT32_MAX;
    return first == UINT32_MAX || (is_step && transition.thread == first);
}

void buffered_run(const struct search_task *task, struct search_result *result) {
    struct buffers buffers = {.stores_first = !task->everything && !task->machine.check_races};
    struct search_hooks hooks = {.data = &buffers, .allows = allows};
    struct search_task search = *task;
    search.hooks = &hooks;
    uint64_t states = 0;
    /* What is shortest with short buffers need not be so with longer ones. */
    for (size_t i = task->shortest ? LENGTHS - 1 : 0; i < LENGTHS; i++) {
        buffers.longest = lengths[i];
        buffers.longer = false;
        search_result_delete(result);
        search_result_init(result);
        search.most_states = task->most_states > 0 ? task->most_states - states : 0;
        search_run(&search, result);
        states = result->states += states;
        if (result->end != SEARCH_EXHAUSTED || !buffers.longer || search_must_stop(task, result)) {
            return;
        }
    }
    result->end = SEARCH_LIMIT;
    result->reason = TOO_LONG;
}
