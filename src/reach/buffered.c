/* See buffered.h.
 *
 * Putting a store into the buffer is nobody else's business.  So if a thread can do that, it may as well do it first,
 * and nothing but that has to be tried: an error, or a state in which nobody can go on, that is reachable without it is
 * reachable behind it.  Nor is anybody left out for ever, since buffers fill up: a store that makes an older one loose
 * does not come first.  (That the object may end meanwhile is found when the entry drains.)  But nothing follows a
 * store behind which the thread fails an assumption or is cut: such a store does not come first either.  Final states
 * may differ where the process ends before the store; races are looked for among steps that are enabled at once: for
 * these two, everything is tried. */
#include "reach/buffered.h"

#include "reach/breadth.h"
#include "reach/walk.h"

static const size_t lengths[] = {8, 32, 128};
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define LONG 8u             /* longer buffers may be growing without end */
#define FIRST_STATES 2048u  /* after which long buffers are tried loose */
#define MORE_STATES 4u      /* times as many, the next time */
#define MOST_EXACT 64u      /* entries known of a loose buffer */
#define CANNOT_BE_LOOSE 16u /* entries that are kept beyond those, if they cannot be loose */
#define TOO_LONG "store buffers may grow without end: more than 128 stores were in one"
#define NO_PROOF TOO_LONG ", and there is no proof for buffers of any length"

struct buffers {
    size_t first;    /* stores come first in buffers shorter than this */
    size_t longest;  /* loose entries do not count */
    uint64_t states; /* after which the search ends if buffers are long; 0: never */
    bool longer;     /* some store had to wait */
    bool grows;      /* some buffer became long */
    bool stores_first;
    /* Which thread's store comes first in the state behind so many steps of the machine. */
    uint32_t chosen;
    uint64_t chosen_at;
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

/* The first thread that can put a store into its buffer, where that comes first; UINT32_MAX if there is none. */
static uint32_t first_with_store(const struct buffers *buffers, struct machine *machine) {
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        struct transition step = {.thread = t, .kind = TRANSITION_STEP};
        if (machine_thread_exists(machine, t) && machine_buffer_exact(machine, t) < buffers->first &&
            machine_is_enabled(machine, step) && next_put(machine, t) == PUTTING_STORE) {
            return t;
        }
    }
    return UINT32_MAX;
}

/* The same, found out once for each state: a state is only come to by a step. */
static uint32_t chosen_thread(struct buffers *buffers, struct machine *machine) {
    if (buffers->chosen_at != machine_counts(machine).steps + 1) {
        buffers->chosen = first_with_store(buffers, machine);
        buffers->chosen_at = machine_counts(machine).steps + 1;
    }
    return buffers->chosen;
}

static bool allows(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor) {
    struct buffers *buffers = data;
    (void)monitor;
    bool is_step = transition.kind == TRANSITION_STEP;
    size_t length = is_step ? machine_buffer_exact(machine, transition.thread) : 0;
    buffers->grows = buffers->grows || length > LONG;
    if (length >= buffers->longest && next_put(machine, transition.thread) != PUTTING_NOTHING) {
        buffers->longer = true;
        return false;
    }
    uint32_t first = buffers->stores_first ? chosen_thread(buffers, machine) : UINT32_MAX;
    return first == UINT32_MAX || (is_step && transition.thread == first);
}

static bool stops(void *data, const struct search_result *result) {
    const struct buffers *buffers = data;
    return buffers->states > 0 && result->states >= buffers->states &&
           (buffers->grows || buffers->longer || result->longer || result->buffered > LONG);
}

/* Runs a search by components, if that can be done. */
static bool run_components(const struct search_task *task, struct buffers *buffers, struct search_result *result) {
    struct search_hooks hooks = {.data = buffers, .stops = stops};
    struct search_task search = *task;
    if (task->machine.check_races || task->on_machine) {
        return false;
    }
    search.hooks = &hooks;
    search.longest = buffers->longest;
    result->awaits = task->machine.awaits;
    result->end = SEARCH_EXHAUSTED;
    bool possible = breadth_run(&search, result);
    buffers->longer = result->longer;
    return possible;
}

/* Runs a search, whose states are added to those of the result so far. */
static void run_search(const struct search_task *task, struct buffers *buffers, struct search_result *result) {
    struct search_hooks hooks = {.data = buffers, .allows = allows, .stops = stops};
    struct search_task search = *task;
    uint64_t states = result->states;
    buffers->stores_first = !task->everything && !task->machine.check_races;
    search.most_states = task->most_states > 0 ? task->most_states - states : 0;
    search_result_delete(result);
    search_result_init(result);
    if (!run_components(&search, buffers, result)) {
        search.hooks = &hooks;
        search_run(&search, result);
    }
    result->states += states;
}

/* --- Loose buffers ------------------------------------------------------------------------------------------------ */

/* The draining of a thread's entry on this machine that does what a step on another one does.  An older entry stands
 * before a newer one, so it is the oldest of those that could. */
static bool find_drain(struct machine *machine, const struct step *wanted, struct transition *transition) {
    const struct transition *enabled;
    size_t count = machine_enabled(machine, &enabled);
    for (size_t i = 0; i < count; i++) {
        struct step step;
        if (enabled[i].thread == wanted->thread && enabled[i].kind == TRANSITION_DRAIN) {
            *transition = enabled[i];
            machine_next(machine, *transition, &step);
            if (step.address == wanted->address && step.size == wanted->size && step.written[0] == wanted->written[0] &&
                step.written[1] == wanted->written[1] && step.ends_object == wanted->ends_object) {
                return true;
            }
            machine_enabled(machine, &enabled);
        }
    }
    return false;
}

/* Makes an execution on the machine with loose buffers one on the task's machine; false if that cannot follow. */
static bool follow_loose(const struct search_task *task, const struct machine_options *options,
                         struct search_result *result) {
    struct machine *loose = machine_new(task->program, options);
    struct machine *exact = machine_new(task->program, &task->machine);
    bool follows = true;
    for (size_t i = 0; i < result->path.count && follows; i++) {
        struct transition *transition = vector_at(&result->path, i);
        struct step step;
        struct transition next = *transition;
        machine_next(loose, next, &step);
        machine_take(loose, next);
        follows = next.kind == TRANSITION_STEP ? machine_is_enabled(exact, next) : find_drain(exact, &step, &next);
        if (follows) {
            *transition = next;
            machine_take(exact, next);
        }
    }
    follows = follows && machine_outcome(exact) == OUTCOME_ERROR && machine_error(exact)->kind == result->error.kind;
    if (follows) {
        result->error = *machine_error(exact);
    }
    machine_free(loose);
    machine_free(exact);
    return follows;
}

static enum loose_answer run_loose(const struct search_task *task, enum looseness how, uint32_t exact, uint64_t states,
                                   struct search_result *result) {
    struct search_task search = *task;
    struct buffers buffers = {.first = exact, .longest = exact + CANNOT_BE_LOOSE, .states = states, .grows = true};
    search.machine.loose = how;
    search.machine.exact = exact;
    run_search(&search, &buffers, result);
    if (result->end == SEARCH_FOUND) {
        return follow_loose(task, &search.machine, result) ? LOOSE_FOUND : LOOSE_SPURIOUS;
    }
    return result->end == SEARCH_LIMIT || buffers.longer ? LOOSE_OPEN : LOOSE_SAFE;
}

enum loose_answer buffered_run_loose(const struct search_task *task, enum looseness loose, uint32_t exact,
                                     struct search_result *result) {
    return run_loose(task, loose, exact, 0, result);
}

/* --- Both --------------------------------------------------------------------------------------------------------- */

/* Has the search come to an end: an answer, or a limit other than its own number of states? */
static bool is_over(const struct search_task *task, const struct buffers *buffers, struct search_result *result) {
    if (result->end == SEARCH_FOUND || (result->end == SEARCH_EXHAUSTED && !buffers->longer)) {
        return true;
    }
    return (result->end == SEARCH_LIMIT && result->reason) || search_must_stop(task, result);
}

/* With buffers as they are, and in turn with loose ones, each time with more states; what is shortest with short
 * buffers need not be so with longer ones.  An execution is always the machine's, but final states with loose buffers
 * need not be. */
void buffered_run(const struct search_task *task, struct search_result *result) {
    bool may_be_loose = task->loose && !task->everything;
    size_t at = task->shortest ? LENGTHS - 1 : 0;
    enum looseness how = BUFFERS_AS_SETS;
    uint32_t exact = 1;
    uint64_t states = FIRST_STATES;
    while (at < LENGTHS || may_be_loose) {
        if (at < LENGTHS) {
            struct buffers buffers = {.longest = lengths[at], .states = may_be_loose ? states : 0};
            buffers.first = buffers.longest;
            run_search(task, &buffers, result);
            if (is_over(task, &buffers, result)) {
                return;
            }
            at += result->end == SEARCH_EXHAUSTED;
        }
        if (may_be_loose) {
            struct search_task loose = *task;
            loose.final = NULL;
            enum loose_answer answer = run_loose(&loose, how, exact, states, result);
            if (answer == LOOSE_SAFE || answer == LOOSE_FOUND || search_must_stop(task, result)) {
                return;
            }
            if (answer == LOOSE_SPURIOUS || result->end == SEARCH_EXHAUSTED) {
                exact *= how == BUFFERS_AS_SETS ? 1 : 2;
                how = BUFFERS_AS_CHAINS;
                may_be_loose = exact <= MOST_EXACT;
            } else {
                may_be_loose = !result->reason;
            }
        }
        states *= MORE_STATES;
    }
    result->end = SEARCH_LIMIT;
    result->reason = task->loose ? NO_PROOF : TOO_LONG;
}
