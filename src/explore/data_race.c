/* An event that waits is in a race with every event that nothing else orders, since its thread may have read before;
 * any other event only with those between which and it no third event comes.
 *
 * An atomic section is one event; it blocks the steps of other threads, but races with them remain.  Only sections
 * before the other access are considered: the order of the two matters, so some execution has it, and in that execution
 * the section reaches each of its accesses while the other thread is before its own.  The steps of the section come
 * last in the execution, and the machine tells at which of them, if any, the two are in a race. */
#include "explore/data_race.h"

#include "explore/race.h"

/* An access that may be in a race: of an event, or of the next step of a waiting thread. */
struct suspect {
    const struct label *label;
    uint32_t index; /* number of events for a next step */
    bool plain;
    bool waits;
    uint32_t last_step; /* of its thread before it */
    uint32_t last_drain;
};

static bool conflict(const struct event *earlier, const struct suspect *later) {
    const struct label *one = &earlier->label;
    const struct access *access = label_access(later->label, 0); /* the first access of an event that is one */
    if (one->transition.thread == later->label->transition.thread || !(earlier->plain || later->plain)) {
        return false;
    }
    uint32_t accesses = earlier->kind == STEP_ATOMIC_BEGIN ? one->accesses : 1;
    for (uint32_t i = 0; i < accesses; i++) {
        const struct access *other = label_access(one, i);
        if ((other->writes || access->writes) && accesses_overlap(other, access)) {
            return true;
        }
    }
    return false;
}

static bool is_access(const struct event *event) {
    return event->kind == STEP_LOAD || event->kind == STEP_STORE || event->kind == STEP_RMW ||
           event->kind == STEP_CAS || (event->kind == STEP_DRAIN && !event->ends_object);
}

static bool is_ordered(const struct chronological *chronological, uint32_t earlier, const struct suspect *later) {
    if (later->last_step == earlier) {
        return false; /* a section has created the thread, and may have continued */
    }
    if (later->waits) {
        return event_follows(chronological, later->last_step, earlier) ||
               event_follows(chronological, later->last_drain, earlier);
    }
    for (uint32_t i = earlier + 1; i < later->index; i++) {
        if (happens_before(chronological, earlier, i) && happens_before(chronological, i, later->index)) {
            return true;
        }
    }
    return false;
}

/* Does a load reach memory only after a drain of its own thread that does not come before the event? */
static bool follows_own_drain(const struct chronological *chronological, uint32_t event, const struct suspect *later) {
    for (uint32_t i = event; i < later->index; i++) {
        const struct label *drain = &chronological_event(chronological, i)->label;
        if (drain->transition.kind == TRANSITION_DRAIN && drain->transition.thread == later->label->transition.thread &&
            accesses_overlap(&drain->access[0], &later->label->access[0]) && event_follows(chronological, i, event)) {
            return true;
        }
    }
    return false;
}

/* Does the event come before the suspect in every execution? */
static bool is_needed(const struct chronological *chronological, uint32_t event, uint32_t earlier,
                      const struct suspect *later) {
    if (event == earlier) {
        return false;
    }
    bool before = later->waits ? event_follows(chronological, later->last_step, event) ||
                                     event_follows(chronological, later->last_drain, event) ||
                                     follows_own_drain(chronological, event, later)
                               : happens_before(chronological, event, later->index);
    return before || happens_before(chronological, event, earlier);
}

static void add_steps(const struct chronological *chronological, uint32_t event, struct vector *steps) {
    size_t end = chronological_taken_end(chronological, event);
    for (size_t k = chronological_event(chronological, event)->taken; k < end; k++) {
        vector_push(steps, vector_at(&chronological->taken, k));
    }
}

static bool find(const struct chronological *chronological, const struct suspect *later, uint32_t *from,
                 struct vector *steps) {
    while (*from < later->index && later->label->accesses > 0) {
        uint32_t earlier = (*from)++;
        const struct event *event = chronological_event(chronological, earlier);
        bool section = event->kind == STEP_ATOMIC_BEGIN;
        if ((!is_access(event) && !section) || event->label.accesses == 0 || !conflict(event, later) ||
            is_ordered(chronological, earlier, later)) {
            continue;
        }
        steps->count = 0;
        for (uint32_t i = 0; i < later->index; i++) {
            if (is_needed(chronological, i, earlier, later)) {
                add_steps(chronological, i, steps);
            }
        }
        if (section) {
            add_steps(chronological, earlier, steps);
        }
        return true;
    }
    return false;
}

bool data_race_find(const struct chronological *chronological, uint32_t *from, struct vector *steps) {
    uint32_t index = chronological_newest(chronological);
    const struct event *event = chronological_event(chronological, index);
    struct suspect suspect = {
        .label = &event->label,
        .index = index,
        .plain = event->plain,
        .waits = event->waits,
        .last_step = event->kind == STEP_DRAIN ? NO_EVENT : event->last_step,
        .last_drain = event->kind == STEP_LOAD ? NO_EVENT : event->last_drain,
    };
    return is_access(event) && find(chronological, &suspect, from, steps);
}

bool data_race_both_wait(struct machine *machine, uint32_t thread) {
    struct step one;
    struct step other;
    machine_next(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &one);
    for (uint32_t t = 0; t < machine_threads(machine) && one.kind == STEP_RMW; t++) {
        if (t == thread || !machine_thread_waits(machine, t) || !machine_thread_awaits(machine, t)) {
            continue;
        }
        machine_next(machine, (struct transition){.thread = t, .kind = TRANSITION_STEP}, &other);
        if (!other.atomic && ranges_overlap(one.address, one.size, other.address, other.size)) {
            return true;
        }
    }
    return false;
}

bool data_race_find_waiting(struct chronological *chronological, uint32_t thread, uint32_t *from,
                            struct vector *steps) {
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
    struct step step;
    struct label label;
    struct suspect suspect = {.label = &label, .index = (uint32_t)chronological->events.count, .waits = true};
    machine_next(chronological->machine, transition, &step);
    if (!machine_thread_awaits(chronological->machine, thread) ||
        (step.kind != STEP_LOAD && step.kind != STEP_RMW && step.kind != STEP_CAS)) {
        return false;
    }
    chronological_blocked_races(chronological, thread, &label, &suspect.last_step, &suspect.last_drain);
    suspect.plain = !step.atomic;
    return find(chronological, &suspect, from, steps);
}
