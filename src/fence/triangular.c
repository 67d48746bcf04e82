/* A search of states with a monitor: for every thread the bytes that it has stored since its last step that drained the
 * buffer.  The machine is TSO's, on which fences are steps, but every store drains at once: that is SC.  The latest
 * different stores suffice: a load has at most 16 bytes. */
#include "fence/triangular.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/parts.h"
#include "reach/reach.h"
#include "util/memory.h"
#include "util/range.h"

#define MOST_THREADS 16u
#define MOST_STORES 17u

struct pending_store {
    uint64_t address;
    uint32_t size;
    uint32_t taken; /* in a run of one execution: the transition that stored there last; in a search 0 */
};

/* The monitor's part for each thread: different stores, the latest one last. */
struct thread_stores {
    struct pending_store stores[MOST_STORES];
    uint64_t count;
};

struct pending_stores {
    struct thread_stores threads[MOST_THREADS];
    uint32_t taken; /* number of transitions */
};

static bool drains(const struct step *step) {
    switch (step->kind) {
    case STEP_FENCE:
        return step->order == ORDER_SEQ_CST;
    case STEP_RMW:
    case STEP_CAS:
    case STEP_SYNC:
    case STEP_ATOMIC_BEGIN:
    case STEP_ATOMIC_END:
    case STEP_EXIT:
        return true;
    default:
        return false;
    }
}

static void follow(struct thread_stores *thread, const struct step *step, uint32_t taken) {
    if (drains(step)) {
        memset(thread, 0, sizeof *thread);
        return;
    }
    if (step->kind != STEP_STORE) {
        return;
    }
    unsigned out = 0; /* the one that is replaced */
    while (out < thread->count &&
           (thread->stores[out].address != step->address || thread->stores[out].size != step->size)) {
        out++;
    }
    if (out == thread->count && thread->count == MOST_STORES) {
        out = 0;
    }
    if (out < thread->count) {
        thread->count--;
        memmove(&thread->stores[out], &thread->stores[out + 1], (thread->count - out) * sizeof *thread->stores);
    }
    thread->stores[thread->count++] = (struct pending_store){step->address, step->size, taken};
}

/* Does another thread hold the bus?  Then no store of this one reaches memory. */
static bool is_locked_out(const struct machine *machine, uint32_t thread) {
    for (uint32_t i = 0; i < machine_threads(machine); i++) {
        if (i != thread && machine_part_info(machine, i).holds_bus) {
            return true;
        }
    }
    return false;
}

/* Is the thread at a load, after a store to other bytes, and is another thread about to write the bytes of the load? */
static bool races(const struct thread_stores *stores, struct machine *machine, uint32_t thread) {
    const struct buffer_entry *entries;
    if (machine_buffer(machine, thread, &entries) > 0) {
        return false; /* the step drains first */
    }
    struct transition load = {.thread = thread, .kind = TRANSITION_STEP};
    struct step step;
    bool other_bytes = false;
    if (stores->count == 0 || !machine_thread_exists(machine, thread) || machine_thread_finished(machine, thread) ||
        machine_thread_stopped(machine, thread) || !machine_is_enabled(machine, load)) {
        return false;
    }
    machine_next(machine, load, &step);
    for (unsigned i = 0; i < stores->count; i++) {
        other_bytes =
            other_bytes || !ranges_overlap(stores->stores[i].address, stores->stores[i].size, step.address, step.size);
    }
    if (step.kind != STEP_LOAD || !other_bytes) {
        return false;
    }
    for (uint32_t other = 0; other < machine_threads(machine); other++) {
        struct transition write = {.thread = other, .kind = TRANSITION_STEP};
        struct step second;
        if (other == thread || !machine_thread_exists(machine, other) || !machine_is_enabled(machine, write)) {
            continue;
        }
        machine_next(machine, write, &second);
        if (is_locked_out(machine, other)) {
            continue;
        }
        if (second.writes && (second.kind == STEP_STORE || second.kind == STEP_RMW || second.kind == STEP_CAS) &&
            ranges_overlap(step.address, step.size, second.address, second.size)) {
            return true;
        }
    }
    return false;
}

/* --- One execution ------------------------------------------------------------------------------------------------ */

struct pending_stores *pending_stores_new(void) {
    return memory_allocate(sizeof(struct pending_stores));
}

void pending_stores_free(struct pending_stores *pending) {
    free(pending);
}

void pending_stores_follow(struct pending_stores *pending, struct machine *machine, struct transition transition) {
    uint32_t index = pending->taken++;
    if (transition.thread < MOST_THREADS && transition.kind == TRANSITION_STEP) {
        follow(&pending->threads[transition.thread], machine_last(machine), index);
    }
}

bool pending_stores_race(const struct pending_stores *pending, struct machine *machine, struct triangle *triangle) {
    for (uint32_t t = 0; t < machine_threads(machine) && t < MOST_THREADS; t++) {
        const struct thread_stores *stores = &pending->threads[t];
        struct step step;
        if (!races(stores, machine, t)) {
            continue;
        }
        machine_next(machine, (struct transition){.thread = t, .kind = TRANSITION_STEP}, &step);
        *triangle = (struct triangle){.thread = t};
        for (unsigned i = 0; i < stores->count; i++) {
            if (!ranges_overlap(stores->stores[i].address, stores->stores[i].size, step.address, step.size)) {
                triangle->store = stores->stores[i].taken;
            }
        }
        return true;
    }
    return false;
}

static void follow_taken(void *data, struct machine *machine, struct transition transition) {
    pending_stores_follow(data, machine, transition);
}

bool triangular_is_race(const struct program *program, const struct execution *execution) {
    struct pending_stores *pending = pending_stores_new();
    struct machine *machine = execution_run(program, execution, follow_taken, pending);
    struct triangle triangle;
    bool good = machine && pending_stores_race(pending, machine, &triangle);
    pending_stores_free(pending);
    if (machine) {
        machine_free(machine);
    }
    return good;
}

/* --- The search --------------------------------------------------------------------------------------------------- */

static bool follow_hook(void *data, struct machine *machine, struct transition transition, uint8_t *monitor) {
    bool *many = data;
    struct thread_stores stores;
    if (transition.thread >= MOST_THREADS) {
        *many = true;
        return true;
    }
    if (transition.kind == TRANSITION_DRAIN) {
        return true;
    }
    uint8_t *at = monitor + transition.thread * sizeof stores;
    memcpy(&stores, at, sizeof stores);
    follow(&stores, machine_last(machine), 0);
    memcpy(at, &stores, sizeof stores);
    return true;
}

static bool goal_hook(void *data, struct machine *machine, const uint8_t *monitor) {
    (void)data;
    for (uint32_t t = 0; t < machine_threads(machine) && t < MOST_THREADS; t++) {
        struct thread_stores stores;
        memcpy(&stores, monitor + t * sizeof stores, sizeof stores);
        if (races(&stores, machine, t)) {
            return true;
        }
    }
    return false;
}

void triangular_ask(const struct task *task, struct answer *answer) {
    bool many = false;
    struct search_hooks hooks = {
        .data = &many,
        .monitor_size = MOST_THREADS * sizeof(struct thread_stores),
        .allows = search_drains_first,
        .follow = follow_hook,
        .goal = goal_hook,
    };
    struct search_task search = search_of(task);
    struct search_result result;
    search.hooks = &hooks;
    search.errors_pass = search.shortest = search.everything = true;
    search.machine.model = MODEL_TSO;
    search.jobs = 1;
    answer_search(answer, task, &search, &result);
    if (many && answer->verdict.word != VERDICT_VIOLATION) {
        answer->verdict.word = VERDICT_UNDECIDED;
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "more than %u threads", MOST_THREADS);
    }
    search_result_delete(&result);
}
