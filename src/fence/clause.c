/* Runs an execution and finds which places its threads pass, and the contents of their buffers then. */
#include "fence/clause.h"

#include <stdio.h>
#include <stdlib.h>

#include "fence/triangular.h"
#include "machine/describe.h"
#include "util/memory.h"

#define MOST_REPLAYS 20000u /* of one execution, to let stores drain earlier */

/* A thread has passed a place. */
struct crossing {
    uint32_t place;
    uint64_t stores; /* number of stores of its thread before it */
    bool open;       /* since then there was no step and the buffer was never empty */
};

struct watched_thread {
    struct vector crossings; /* of struct crossing */
    uint64_t stores;         /* number of its latest store */
};

struct watch {
    struct clause *clause;
    const struct marked *marked;
    struct machine *machine;
    struct vector passed;  /* of struct passed */
    struct vector threads; /* of struct watched_thread */
};

void clause_init(struct clause *clause) {
    *clause = (struct clause){0};
    vector_init(&clause->elements, sizeof(uint32_t));
    vector_init(&clause->reasons, sizeof(struct reason));
}

void clause_delete(struct clause *clause) {
    vector_delete(&clause->elements);
    vector_delete(&clause->reasons);
}

static struct watched_thread *thread_at(struct watch *watch, uint32_t slot) {
    while (watch->threads.count <= slot) {
        struct watched_thread *thread = vector_grow(&watch->threads, 1);
        vector_init(&thread->crossings, sizeof(struct crossing));
    }
    return vector_at(&watch->threads, slot);
}

/* Records the places among the instructions that were passed since the last call. */
static void note_crossings(struct watch *watch) {
    const struct program *program = machine_program(watch->machine);
    for (size_t i = 0; i < watch->passed.count; i++) {
        const struct passed *passed = vector_at(&watch->passed, i);
        const struct instruction *instruction = &program->code[passed->instruction];
        bool barrier = instruction->op == OP_FENCE && instruction->sub == ORDER_RELEASE; /* it could be a full one */
        if ((instruction->op != OP_NOP && !barrier) || watch->marked->place_of[instruction->pos] == NO_PLACE) {
            continue;
        }
        struct watched_thread *thread = thread_at(watch, passed->thread);
        vector_push(&thread->crossings, &(struct crossing){.place = watch->marked->place_of[instruction->pos],
                                                           .stores = thread->stores,
                                                           .open = true});
    }
    watch->passed.count = 0;
    for (uint32_t t = 0; t < watch->threads.count; t++) {
        const struct buffer_entry *entries;
        struct watched_thread *thread = thread_at(watch, t);
        bool empty = machine_thread_exists(watch->machine, t) && machine_buffer(watch->machine, t, &entries) == 0;
        for (size_t i = thread->crossings.count; empty && i-- > 0;) {
            struct crossing *crossing = vector_at(&thread->crossings, i);
            if (!crossing->open) {
                break;
            }
            crossing->open = false;
        }
    }
}

static void add_element(struct watch *watch, const struct reason *reason) {
    for (size_t i = 0; i < watch->clause->elements.count; i++) {
        if (*(uint32_t *)vector_at(&watch->clause->elements, i) == reason->element) {
            return;
        }
    }
    vector_push(&watch->clause->elements, &reason->element);
    vector_push(&watch->clause->reasons, reason);
}

static struct reason reason_from(struct watch *watch, uint32_t slot, const struct buffer_entry *entry) {
    struct reason reason = {.first = entry->pos, .serial = entry->serial, .slot = slot};
    unsigned size = entry->size > 16 ? 16 : (unsigned)entry->size;
    machine_describe(watch->machine, entry->address, size, reason.first_name, sizeof reason.first_name);
    snprintf(reason.thread, sizeof reason.thread, "%s", machine_thread_name(watch->machine, slot));
    return reason;
}

/* Before a step of a thread: adds the places that it has passed while its buffer was never empty. */
static void before_step(struct watch *watch, struct transition next) {
    struct watched_thread *thread = thread_at(watch, next.thread);
    const struct buffer_entry *entries;
    size_t count = machine_buffer(watch->machine, next.thread, &entries);
    for (size_t i = 0; i < thread->crossings.count; i++) {
        struct crossing *crossing = vector_at(&thread->crossings, i);
        if (!crossing->open) {
            continue;
        }
        crossing->open = false;
        if (count > 0) {
            struct reason reason = reason_from(watch, next.thread, &entries[0]);
            reason.element = element_of(crossing->place, FENCE_FULL);
            add_element(watch, &reason);
        }
    }
    watch->clause->delays = watch->clause->delays || count > 0;
    struct step step;
    machine_next(watch->machine, next, &step);
    for (size_t i = 0; step.kind == STEP_LOAD && i < watch->clause->reasons.count; i++) {
        struct reason *reason = vector_at(&watch->clause->reasons, i);
        bool pending = false;
        for (size_t k = 0; k < count; k++) {
            pending = pending || entries[k].serial == reason->serial;
        }
        if (reason->slot == next.thread && reason->second == 0 && pending && !step.forwarded) {
            reason->second = step.pos;
            machine_describe(watch->machine, step.address, step.size, reason->second_name, sizeof reason->second_name);
        }
    }
}

/* Before a store reaches memory before older ones: adds the places between it and the oldest of these. */
static void before_drain(struct watch *watch, struct transition next) {
    struct watched_thread *thread = thread_at(watch, next.thread);
    const struct buffer_entry *entries;
    size_t count = machine_buffer(watch->machine, next.thread, &entries);
    if (count == 0 || entries[0].serial == next.choice) {
        return;
    }
    struct step step;
    machine_next(watch->machine, next, &step);
    watch->clause->delays = true;
    for (size_t i = 0; i < thread->crossings.count; i++) {
        const struct crossing *crossing = vector_at(&thread->crossings, i);
        if (crossing->stores >= entries[0].serial && crossing->stores < next.choice) {
            struct reason reason = reason_from(watch, next.thread, &entries[0]);
            reason.element = element_of(crossing->place, FENCE_STORE);
            reason.second = step.pos;
            reason.second_is_store = true;
            machine_describe(watch->machine, step.address, step.size, reason.second_name, sizeof reason.second_name);
            add_element(watch, &reason);
        }
    }
}

/* --- Triangular races --------------------------------------------------------------------------------------------- */

/* A fence after the last of the stores and before the load. */
static void find_between(struct watch *watch, const struct triangle *triangle, const struct step *store,
                         const size_t *crossings_before) {
    struct watched_thread *thread = thread_at(watch, triangle->thread);
    struct step load;
    machine_next(watch->machine, (struct transition){.thread = triangle->thread, .kind = TRANSITION_STEP}, &load);
    for (size_t i = crossings_before[triangle->store]; i < thread->crossings.count; i++) {
        const struct crossing *crossing = vector_at(&thread->crossings, i);
        struct reason reason = {.element = element_of(crossing->place, FENCE_FULL),
                                .first = store[triangle->store].pos,
                                .second = load.pos};
        snprintf(reason.thread, sizeof reason.thread, "%s", machine_thread_name(watch->machine, triangle->thread));
        machine_describe(watch->machine, store[triangle->store].address, store[triangle->store].size, reason.first_name,
                         sizeof reason.first_name);
        machine_describe(watch->machine, load.address, load.size, reason.second_name, sizeof reason.second_name);
        add_element(watch, &reason);
    }
    watch->clause->delays = true;
}

static void watch_triangle(struct watch *watch, const struct execution *execution) {
    struct pending_stores *pending = pending_stores_new();
    size_t count = execution->path.count;
    struct step *steps = memory_allocate((count + 1) * sizeof *steps);
    size_t *crossings = memory_allocate((count + 1) * sizeof *crossings); /* of its thread, before the step */
    for (size_t i = 0; i < count; i++) {
        struct transition next = *(struct transition *)vector_at(&execution->path, i);
        crossings[i] = thread_at(watch, next.thread)->crossings.count;
        execution_take(execution, watch->machine, next);
        steps[i] = *machine_last(watch->machine);
        pending_stores_follow(pending, watch->machine, next);
        note_crossings(watch);
    }
    struct triangle triangle;
    if (pending_stores_race(pending, watch->machine, &triangle)) {
        find_between(watch, &triangle, steps, crossings);
    }
    pending_stores_free(pending);
    free(steps);
    free(crossings);
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

/* Adds all places that were passed: a fence at one of them stops every execution of this kind. */
static void add_all_crossings(struct watch *watch) {
    for (uint32_t t = 0; t < watch->threads.count; t++) {
        const struct watched_thread *thread = thread_at(watch, t);
        for (size_t i = 0; i < thread->crossings.count; i++) {
            const struct crossing *crossing = vector_at(&thread->crossings, i);
            struct reason reason = {.element = element_of(crossing->place, FENCE_FULL), .slot = t};
            snprintf(reason.thread, sizeof reason.thread, "%s", machine_thread_name(watch->machine, t));
            add_element(watch, &reason);
        }
    }
    watch->clause->delays = true;
}

static void watch_buffers(struct watch *watch, const struct execution *execution) {
    for (size_t i = 0; i < execution->path.count; i++) {
        struct transition next = *(struct transition *)vector_at(&execution->path, i);
        (next.kind == TRANSITION_STEP ? before_step : before_drain)(watch, next);
        execution_take(execution, watch->machine, next);
        const struct step *last = machine_last(watch->machine);
        if (next.kind == TRANSITION_STEP && last->serial > 0 && last->kind != STEP_LOAD) {
            thread_at(watch, next.thread)->stores = last->serial;
        }
        note_crossings(watch);
    }
    if (execution->implies_reads) {
        add_all_crossings(watch);
    }
}

void clause_find(struct clause *clause, enum fence_goal goal, const struct marked *marked,
                 const struct program *program, const struct execution *execution) {
    struct watch watch = {.clause = clause, .marked = marked};
    struct machine_options options = execution->machine;
    vector_init(&watch.passed, sizeof(struct passed));
    vector_init(&watch.threads, sizeof(struct watched_thread));
    options.record = &watch.passed;
    watch.machine = machine_new(program, &options);
    note_crossings(&watch);
    (goal == GOAL_TRIANGULAR ? watch_triangle : watch_buffers)(&watch, execution);
    for (uint32_t t = 0; t < watch.threads.count; t++) {
        vector_delete(&thread_at(&watch, t)->crossings);
    }
    machine_free(watch.machine);
    vector_delete(&watch.passed);
    vector_delete(&watch.threads);
}

/* --- Earlier drains ----------------------------------------------------------------------------------------------- */

/* Moves the transition at `from` to the earlier index `to`. */
static void move_earlier(struct vector *path, size_t from, size_t to) {
    struct transition *transitions = path->data;
    struct transition moved = transitions[from];
    memmove(&transitions[to + 1], &transitions[to], (from - to) * sizeof *transitions);
    transitions[to] = moved;
}

static void move_back(struct vector *path, size_t from, size_t to) {
    struct transition *transitions = path->data;
    struct transition moved = transitions[from];
    memmove(&transitions[from], &transitions[from + 1], (to - from) * sizeof *transitions);
    transitions[to] = moved;
}

/* The index of the store of a drain: the transition after which the entry is in the buffer. */
static size_t find_store(const struct program *program, const struct execution *execution, size_t drain) {
    const struct transition *path = execution->path.data;
    struct machine *machine = machine_new(program, &execution->machine);
    size_t at = 0;
    for (bool there = false; !there && at < drain; at++) {
        const struct buffer_entry *entries;
        execution_take(execution, machine, path[at]);
        size_t count =
            path[at].thread == path[drain].thread ? machine_buffer(machine, path[drain].thread, &entries) : 0;
        there = count > 0 && entries[count - 1].serial == path[drain].choice;
    }
    machine_free(machine);
    return at - 1;
}

void execution_hasten(struct execution *execution, enum fence_goal goal, const struct program *program,
                      struct limits *limits) {
    uint32_t replays = 0;
    for (size_t drain = 0; drain < execution->path.count; drain++) {
        const struct transition *at = vector_at(&execution->path, drain);
        if (at->kind != TRANSITION_DRAIN) {
            continue;
        }
        uint32_t thread = at->thread;
        for (size_t to = find_store(program, execution, drain) + 1; to < drain && replays < MOST_REPLAYS; to++) {
            const struct transition *next = vector_at(&execution->path, to);
            if (limits_reached(limits)) {
                return;
            }
            /* The contents of the buffer matter when its thread continues. */
            if (next->thread != thread || next->kind != TRANSITION_STEP) {
                continue;
            }
            replays++;
            move_earlier(&execution->path, drain, to);
            if (question_is_shown(goal, program, execution)) {
                break;
            }
            move_back(&execution->path, to, drain);
        }
    }
}
