/* Following a model on the machine.
 *
 * The step records of a thread whose guards hold in the model are the visible steps of the machine's thread, one by
 * one; the order of memory gives their times. */
#include "seq/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "util/memory.h"

#define MOST_IDLE_STEPS 100000u

struct follower {
    struct symbolic *execution;
    struct machine *machine;
    size_t *next;        /* by thread of the execution: the next step record */
    uint64_t **serials;  /* by thread and step record: number of the buffer entry it made */
    struct vector steps; /* of struct transition */
    bool lost;           /* the machine cannot follow */
    bool at_error;       /* the last event is not completed, because it is an error */
};

static bool holds(struct follower *follower, literal at) {
    return gates_value(&follower->execution->gates, at);
}

static bool runs(struct follower *follower) {
    return !follower->lost && machine_outcome(follower->machine) == OUTCOME_RUNNING;
}

static bool take(struct follower *follower, struct transition transition) {
    if (!machine_is_enabled(follower->machine, transition)) {
        return false;
    }
    vector_push(&follower->steps, &transition);
    machine_take(follower->machine, transition);
    return true;
}

/* The slot of a thread; UINT32_MAX if the machine has not created it. */
static uint32_t slot_of(struct follower *follower, uint32_t thread) {
    uint32_t number = symbolic_thread(follower->execution, thread)->number;
    int64_t slot = machine_thread_numbered(follower->machine, number);
    return slot >= 0 && machine_thread_exists(follower->machine, (uint32_t)slot) ? (uint32_t)slot : UINT32_MAX;
}

/* Drains the oldest entry that can drain, up to the one with this number. */
static bool drain_one(struct follower *follower, uint32_t slot, uint64_t until) {
    const struct buffer_entry *entries;
    size_t count = machine_buffer(follower->machine, slot, &entries);
    for (size_t i = 0; i < count; i++) {
        struct transition drain = {.thread = slot, .kind = TRANSITION_DRAIN, .choice = entries[i].serial};
        if (entries[i].serial <= until && machine_is_enabled(follower->machine, drain)) {
            return take(follower, drain);
        }
    }
    return false;
}

static void drain_entry(struct follower *follower, uint32_t slot, uint64_t serial) {
    struct transition drain = {.thread = slot, .kind = TRANSITION_DRAIN, .choice = serial};
    while (runs(follower)) {
        const struct buffer_entry *entries;
        size_t count = machine_buffer(follower->machine, slot, &entries);
        bool there = false;
        for (size_t i = 0; i < count; i++) {
            there |= entries[i].serial == serial;
        }
        if (!there || take(follower, drain)) {
            return;
        }
        follower->lost = !drain_one(follower, slot, serial);
    }
}

static uint64_t choice_of(struct follower *follower, uint32_t slot, const struct step_record *record) {
    uint64_t value = record->choice == CHOICE_NONE ? 0 : term_model(&follower->execution->terms, record->value);
    if (record->choice == CHOICE_WOKEN) {
        return value == 0 ? 0 : waking_choice(follower->machine, slot, value);
    }
    return value < machine_choices(follower->machine, slot) ? value : 0;
}

#ifndef NDEBUG
/* Is the part of the value read that is in the access's cell the same as in the model? */
static bool read_agrees(struct follower *follower, const struct access *read, const struct step *step) {
    struct symbolic *execution = follower->execution;
    const struct cell_use *cell = vector_at(&execution->cells, read->cell);
    uint64_t address = cell->object->base + cell->offset;
    if (cell->end || !holds(follower, read->condition) || address < step->address ||
        address + cell->size > step->address + step->size) {
        return true;
    }
    uint64_t mask = cell->size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * cell->size) - 1;
    uint64_t seen = step->read[0] >> 8 * (address - step->address) & mask;
    return seen == (term_model(&execution->terms, read->value.term) & mask);
}

/* A load, which is a step of its own: has the machine read the model's value? */
static bool step_agrees(struct follower *follower, const struct step_record *record) {
    const struct step *step = machine_last(follower->machine);
    const struct event *event = record->event == NO_EVENT ? NULL : symbolic_event(follower->execution, record->event);
    bool agrees = true;
    if (event && event->kind == EVENT_LOAD && step->reads && step->size <= 8 && runs(follower)) {
        for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(follower->execution, a)->next) {
            agrees = agrees && read_agrees(follower, symbolic_access(follower->execution, a), step);
        }
    }
    return agrees;
}
#endif

/* Takes the thread's next step; own stores that it has to wait for drain first. */
static void take_step(struct follower *follower, uint32_t thread, const struct step_record *record) {
    uint32_t slot = slot_of(follower, thread);
    struct transition step = {.thread = slot, .kind = TRANSITION_STEP};
    if (slot == UINT32_MAX) {
        follower->lost = true;
        return;
    }
    while (runs(follower) && !machine_is_enabled(follower->machine, step)) {
        if (!drain_one(follower, slot, UINT64_MAX)) {
            follower->lost = runs(follower);
            return;
        }
    }
    if (!runs(follower)) {
        return;
    }
    step.choice = choice_of(follower, slot, record);
    if (!take(follower, step)) {
        follower->lost = true;
        return;
    }
    assert(step_agrees(follower, record) && "the machine reads what the model says");
    follower->serials[thread][follower->next[thread]] = machine_last(follower->machine)->serial;
}

/* Takes the thread's steps up to record `end`, and those after it that belong to the same event. */
static void advance(struct follower *follower, uint32_t thread, size_t end, uint32_t event) {
    const struct vector *records = &symbolic_thread(follower->execution, thread)->steps;
    while (runs(follower) && follower->next[thread] < records->count) {
        size_t at = follower->next[thread];
        const struct step_record *record = vector_at(records, at);
        if (at >= end && (event == NO_EVENT || record->event != event)) {
            if (event == NO_EVENT || holds(follower, record->guard)) {
                break;
            }
        }
        if (holds(follower, record->guard)) {
            take_step(follower, thread, record);
        }
        follower->next[thread]++;
    }
}

/* Does the model have an error of this thread from this step on? */
static bool fails_from(struct follower *follower, uint32_t thread, uint32_t step) {
    for (size_t i = 0; i < follower->execution->failures.count; i++) {
        const struct failure *failure = vector_at(&follower->execution->failures, i);
        if (failure->thread == thread && failure->step > step && holds(follower, failure->holds)) {
            return true;
        }
    }
    return false;
}

static void follow_event(struct follower *follower, uint32_t index) {
    const struct event *event = symbolic_event(follower->execution, index);
    uint32_t thread = event->thread;
    if (event->kind == EVENT_BARRIER || index == follower->execution->final_event) {
        return;
    }
    if (!holds(follower, event->complete) && !fails_from(follower, thread, event->step)) {
        return;
    }
    follower->at_error = !holds(follower, event->complete);
    advance(follower, thread, (size_t)event->step + 1, event->kind == EVENT_DRAINS ? index : NO_EVENT);
    uint32_t slot = slot_of(follower, thread);
    if (event->kind == EVENT_STORE && runs(follower) && slot != UINT32_MAX) {
        drain_entry(follower, slot, follower->serials[thread][event->step]);
    }
}

static void follower_init(struct follower *follower, struct symbolic *execution) {
    size_t count = execution->threads.count;
    *follower = (struct follower){.execution = execution};
    follower->machine = machine_new(execution->task->program, &execution->task->machine);
    follower->next = memory_allocate(count * sizeof *follower->next);
    follower->serials = memory_allocate(count * sizeof *follower->serials);
    for (size_t i = 0; i < count; i++) {
        size_t records = symbolic_thread(execution, i)->steps.count;
        follower->serials[i] = memory_allocate((records + 1) * sizeof **follower->serials);
    }
    vector_init(&follower->steps, sizeof(struct transition));
}

static void follower_delete(struct follower *follower) {
    for (size_t i = 0; i < follower->execution->threads.count; i++) {
        free(follower->serials[i]);
    }
    free(follower->serials);
    free(follower->next);
    vector_delete(&follower->steps);
    machine_free(follower->machine);
}

static bool in_section(const struct follower *follower) {
    for (uint32_t i = 0; i < machine_threads(follower->machine); i++) {
        if (machine_in_atomic(follower->machine, i)) {
            return true;
        }
    }
    return false;
}

/* Every thread continues until it is blocked: buffers drain, waiting loops fail once more. */
static void come_to_rest(struct follower *follower, bool only_section) {
    const struct transition *transitions;
    for (uint32_t i = 0; i < MOST_IDLE_STEPS && runs(follower) && (!only_section || in_section(follower)); i++) {
        size_t count = machine_enabled(follower->machine, &transitions);
        struct transition chosen = transitions[0];
        for (size_t k = 0; k < count; k++) {
            if (transitions[k].kind == TRANSITION_DRAIN) {
                chosen = transitions[k];
                break;
            }
        }
        take(follower, chosen);
    }
}

static void follow_errors(struct follower *follower) {
    for (size_t i = 0; i < follower->execution->failures.count && runs(follower); i++) {
        const struct failure *failure = vector_at(&follower->execution->failures, i);
        if (holds(follower, failure->holds)) {
            advance(follower, failure->thread, failure->step, NO_EVENT);
        }
    }
}

bool schedule_replay(struct symbolic *execution, const struct vector *sequence, bool drain_all,
                     struct verdict *verdict) {
    struct follower follower;
    follower_init(&follower, execution);
    for (size_t i = 0; i < sequence->count && runs(&follower) && !follower.at_error; i++) {
        follow_event(&follower, *(uint32_t *)vector_at(sequence, i));
    }
    if (!follower.at_error) {
        follow_errors(&follower);
    }
    if (!follower.lost) {
        come_to_rest(&follower, !drain_all);
    }
    bool found = machine_outcome(follower.machine) == OUTCOME_ERROR;
    if (found) {
        verdict_set_violation(verdict, execution->task, follower.machine, machine_error(follower.machine),
                              follower.steps.data, follower.steps.count);
    }
    follower_delete(&follower);
    return found;
}

struct machine *schedule_complete(struct symbolic *execution, const struct vector *sequence) {
    struct follower follower;
    follower_init(&follower, execution);
    for (size_t i = 0; i < sequence->count && runs(&follower); i++) {
        follow_event(&follower, *(uint32_t *)vector_at(sequence, i));
    }
    for (int last = 0; last < 2; last++) { /* a thread that ends the process comes last */
        for (uint32_t t = 0; t < execution->threads.count && !follower.lost; t++) {
            if (holds(&follower, symbolic_thread(execution, t)->exits) == (last == 1)) {
                advance(&follower, t, SIZE_MAX, NO_EVENT);
            }
        }
    }
    struct machine *machine = NULL;
    if (!follower.lost && machine_outcome(follower.machine) == OUTCOME_COMPLETE) {
        machine = follower.machine;
        follower.machine = NULL;
    }
    follower_delete(&follower);
    return machine;
}
