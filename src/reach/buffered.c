/* See buffered.h.
 *
 * Putting a store into the own buffer affects no other thread.  So if a thread can do that, no other step needs to be
 * explored in that state: an error or deadlock that is reachable without the store is reachable after it.  No thread is
 * ignored for ever, since buffers fill up: a store that would make an older one abstract does not come first.  (If the
 * object ends meanwhile, the drain finds that.)  A store after which the thread fails an assumption or is cut must not
 * come first, since nothing follows it.  Final states may differ if the process ends before the store, and races are
 * found among steps that are enabled at once: in these two cases all steps are explored. */
#include "reach/buffered.h"

#include "reach/breadth.h"
#include "reach/machine_search.h"

static const size_t lengths[] = {8, 32, 128};
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define LONG 8u                /* longer buffers may grow without end */
#define FIRST_STATES 2048u     /* number of states after which abstract buffers are tried */
#define MORE_STATES 4u         /* factor of the number of states in the next attempt */
#define MOST_EXACT 64u         /* greatest number of exact entries in an abstract buffer */
#define CANNOT_BE_ABSTRACT 16u /* greatest number of further entries, if these cannot become abstract */
#define TOO_LONG "store buffers may grow without end: more than 128 stores were in one"
#define NO_PROOF TOO_LONG ", and there is no proof for buffers of any length"

struct buffers {
    size_t first;    /* stores come first in buffers shorter than this */
    size_t longest;  /* number of entries that are not abstract */
    uint64_t states; /* number after which the search ends if buffers are long; 0: no limit */
    bool longer;     /* some store had to wait */
    bool grows;      /* some buffer became long */
    bool stores_first;
    /* The thread whose store comes first in the state in which the machine has taken this number of steps, + 1. */
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

/* The first thread that can put a store into its buffer, if stores come first there; else UINT32_MAX. */
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

/* first_with_store, computed once for each state: the number of steps identifies the present state. */
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

/* Runs a search by components; false if that is not possible. */
static bool run_components(const struct search_task *task, struct buffers *buffers, struct search_result *result) {
    struct search_hooks hooks = {.data = buffers, .stops = stops};
    struct search_task search = *task;
    if ((task->machine.checks & CHECK_FOR_RACES) || task->on_machine) {
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

/* Runs a search, and adds its number of states to that of the result so far. */
static void run_search(const struct search_task *task, struct buffers *buffers, struct search_result *result) {
    struct search_hooks hooks = {.data = buffers, .allows = allows, .stops = stops};
    struct search_task search = *task;
    uint64_t states = result->states;
    buffers->stores_first = !task->everything && !(task->machine.checks & CHECK_FOR_RACES);
    search.most_states = task->most_states > 0 ? task->most_states - states : 0;
    search_result_delete(result);
    search_result_init(result);
    if (!run_components(&search, buffers, result)) {
        search.hooks = &hooks;
        search_run(&search, result);
    }
    result->states += states;
}

/* --- Abstract buffers --------------------------------------------------------------------------------------------- */

/* Finds the drain of an entry on this machine that has the effect of a step on another machine.  Of several it is the
 * oldest, since older entries drain first. */
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

/* Translates an execution of the machine with abstract buffers to the task's machine; false if that machine does not
 * have it. */
static bool follow_abstract(const struct search_task *task, const struct machine_options *options,
                            struct search_result *result) {
    struct machine *abstract = machine_new(task->program, options);
    struct machine *exact = machine_new(task->program, &task->machine);
    bool follows = true;
    for (size_t i = 0; i < result->path.count && follows; i++) {
        struct transition *transition = vector_at(&result->path, i);
        struct step step;
        struct transition next = *transition;
        machine_next(abstract, next, &step);
        machine_take(abstract, next);
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
    machine_free(abstract);
    machine_free(exact);
    return follows;
}

static enum abstract_answer run_abstract(const struct search_task *task, enum buffer_abstraction how, uint32_t exact,
                                         uint64_t states, struct search_result *result) {
    struct search_task search = *task;
    struct buffers buffers = {.first = exact, .longest = exact + CANNOT_BE_ABSTRACT, .states = states, .grows = true};
    search.machine.abstract = how;
    search.machine.exact = exact;
    run_search(&search, &buffers, result);
    if (result->end == SEARCH_FOUND) {
        return follow_abstract(task, &search.machine, result) ? ABSTRACT_FOUND : ABSTRACT_SPURIOUS;
    }
    return result->end == SEARCH_LIMIT || buffers.longer ? ABSTRACT_OPEN : ABSTRACT_SAFE;
}

enum abstract_answer buffered_run_abstract(const struct search_task *task, enum buffer_abstraction abstract,
                                           uint32_t exact, struct search_result *result) {
    return run_abstract(task, abstract, exact, 0, result);
}

/* --- Both --------------------------------------------------------------------------------------------------------- */

/* Is the search done: has it an answer, or reached a limit other than its own number of states? */
static bool is_over(const struct search_task *task, const struct buffers *buffers, struct search_result *result) {
    if (result->end == SEARCH_FOUND || (result->end == SEARCH_EXHAUSTED && !buffers->longer)) {
        return true;
    }
    return (result->end == SEARCH_LIMIT && result->reason) || search_must_stop(task, result);
}

/* Searches with exact and with abstract buffers in turn, each time with more states.  A shortest execution with short
 * buffers need not be one with longer buffers, so that search begins with the longest.  Every execution found is one of
 * the task's machine, but final states with abstract buffers need not be. */
void buffered_run(const struct search_task *task, struct search_result *result) {
    bool may_be_abstract = task->abstract && !task->everything;
    size_t at = task->shortest ? LENGTHS - 1 : 0;
    enum buffer_abstraction how = BUFFERS_AS_SETS;
    uint32_t exact = 1;
    uint64_t states = FIRST_STATES;
    while (at < LENGTHS || may_be_abstract) {
        if (at < LENGTHS) {
            struct buffers buffers = {.longest = lengths[at], .states = may_be_abstract ? states : 0};
            buffers.first = buffers.longest;
            run_search(task, &buffers, result);
            if (is_over(task, &buffers, result)) {
                return;
            }
            at += result->end == SEARCH_EXHAUSTED;
        }
        if (may_be_abstract) {
            struct search_task abstract = *task;
            abstract.final = NULL;
            enum abstract_answer answer = run_abstract(&abstract, how, exact, states, result);
            if (answer == ABSTRACT_SAFE || answer == ABSTRACT_FOUND || search_must_stop(task, result)) {
                return;
            }
            if (answer == ABSTRACT_SPURIOUS || result->end == SEARCH_EXHAUSTED) {
                exact *= how == BUFFERS_AS_SETS ? 1 : 2;
                how = BUFFERS_AS_CHAINS;
                may_be_abstract = exact <= MOST_EXACT;
            } else {
                may_be_abstract = !result->reason;
            }
        }
        states *= MORE_STATES;
    }
    result->end = SEARCH_LIMIT;
    result->reason = task->abstract ? NO_PROOF : TOO_LONG;
}
