/* The machine runs the execution twice: to learn what its steps are, and with drains moved. */
#include "explain/moments.h"

#include <string.h>

#include "util/range.h"

/* --- The execution ------------------------------------------------------------------------------------------------ */

/* Does a store of another thread wait that this step should have seen? */
static void find_missed(struct machine *machine, struct moment *moment) {
    const struct step *step = &moment->step;
    moment->outdated = false;
    if (!step->reads || !is_access(step) || step->forwarded) {
        return;
    }
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        const struct buffer_entry *entries;
        size_t count =
            t == step->thread || !machine_thread_exists(machine, t) ? 0 : machine_buffer(machine, t, &entries);
        for (size_t i = count; i-- > 0;) {
            bool same = entries[i].address == step->address && entries[i].size == step->size;
            bool differs = !same || memcmp(entries[i].value, step->read, step->size) != 0;
            if (!entries[i].is_end && differs &&
                ranges_overlap(entries[i].address, entries[i].size, step->address, step->size)) {
                moment->outdated = true;
                moment->missed_pos = entries[i].pos;
                moment->missed_thread = t;
                memcpy(moment->missed_value, same ? entries[i].value : step->read, sizeof moment->missed_value);
                return;
            }
        }
    }
}

/* Runs the steps in their order; with `keep` notes what they were.  False if one is not enabled or the end is not the
 * witness's error. */
static bool run(struct moments *moments, bool keep) {
    struct machine_options options = witness_machine_options(moments->witness);
    struct machine *machine = machine_new(moments->program, &options);
    bool good = true;
    for (size_t i = 0; good && i < moments->list.count; i++) {
        struct moment *moment = moment_at(moments, i);
        struct transition transition;
        good =
            witness_step_transition(&moment->choice, machine, &transition) && machine_is_enabled(machine, transition);
        if (good) {
            machine_take(machine, transition);
            struct step step = *machine_last(machine);
            step.effect = NULL;
            good = keep || (step.kind == moment->step.kind && memcmp(step.read, moment->step.read, 16) == 0 &&
                            memcmp(step.written, moment->step.written, 16) == 0);
            moment->step = step;
            find_missed(machine, moment);
        }
    }
    bool failed = good && machine_outcome(machine) == OUTCOME_ERROR;
    good = good &&
           (moments->witness->kind == ERROR_STATE ? !failed
                                                  : failed && machine_error(machine)->kind == moments->witness->kind);
    machine_free(machine);
    return good;
}

static void find_late(struct moments *moments) {
    for (size_t i = 0; i < moments->list.count; i++) {
        struct moment *moment = moment_at(moments, i);
        bool last = i + 1 == moments->list.count;
        const struct moment *next = last ? NULL : moment_at(moments, i + 1);
        bool buffered =
            moment->step.kind != STEP_DRAIN && moment->step.serial != 0 && !moment->step.forwarded &&
            (moment->step.kind == STEP_STORE || moment->step.kind == STEP_FREE || moment->step.kind == STEP_LEAVE);
        bool drains = next && next->step.kind == STEP_DRAIN && next->step.thread == moment->step.thread &&
                      next->step.serial == moment->step.serial;
        moment->late = buffered && !drains && !last && moments->witness->model != MODEL_SC;
        moment->with_store = false;
        if (i > 0 && moment->step.kind == STEP_DRAIN) {
            const struct moment *before = moment_at(moments, i - 1);
            moment->with_store = before->step.kind != STEP_DRAIN && before->step.thread == moment->step.thread &&
                                 before->step.serial == moment->step.serial;
        }
    }
}

/* --- Moving drains ------------------------------------------------------------------------------------------------ */

/* May the drain come before this step of a row? */
static bool passes(const struct step *drain, const struct step *step) {
    if (step->kind == STEP_DRAIN && step->thread == drain->thread) {
        return false;
    }
    if (step->thread == drain->thread && step->serial == drain->serial && step->kind != STEP_LOAD) {
        return false;
    }
    return (is_access(step) || step->kind == STEP_DRAIN || step->thread == drain->thread) &&
           !(is_access(step) && ranges_overlap(drain->address, drain->size, step->address, step->size)) &&
           !(step->kind == STEP_DRAIN && ranges_overlap(drain->address, drain->size, step->address, step->size));
}

/* Moves the drain at `index` before the row that contains it.  True if it was moved. */
static bool move_drain(struct moments *moments, size_t index) {
    struct moment drain = *moment_at(moments, index);
    const struct moment *before = moment_at(moments, index - 1);
    const struct moment *after = moment_at(moments, index + 1);
    bool inside = before->step.kind != STEP_DRAIN && after->step.kind != STEP_DRAIN &&
                  before->step.thread == after->step.thread &&
                  same_line(moments->program, before->step.pos, after->step.pos);
    uint32_t thread = before->step.thread;
    uint32_t pos = before->step.pos;
    size_t to = index;
    while (inside && to > 0) {
        const struct moment *at = moment_at(moments, to - 1);
        if (at->step.thread != thread || !same_line(moments->program, at->step.pos, pos) ||
            (at->step.kind == STEP_DRAIN && !at->with_store)) {
            break;
        }
        if (!passes(&drain.step, &at->step)) {
            return false;
        }
        to--;
    }
    if (to == index) {
        return false;
    }
    memmove(moment_at(moments, to + 1), moment_at(moments, to), (index - to) * sizeof drain);
    *moment_at(moments, to) = drain;
    return true;
}

static void move_drains(struct moments *moments) {
    bool moved = false;
    struct vector kept;
    vector_init(&kept, sizeof(struct moment));
    for (size_t i = 0; i < moments->list.count; i++) {
        vector_push(&kept, moment_at(moments, i));
    }
    for (size_t i = 1; i + 1 < moments->list.count; i++) {
        const struct moment *moment = moment_at(moments, i);
        if (moment->step.kind == STEP_DRAIN && !moment->with_store) {
            moved = move_drain(moments, i) || moved;
        }
    }
    if (moved && !run(moments, false)) {
        memcpy(moments->list.data, kept.data, kept.count * sizeof(struct moment));
    }
    vector_delete(&kept);
    find_late(moments);
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

bool moments_init(struct moments *moments, const struct witness *witness, const struct program *program) {
    *moments = (struct moments){.witness = witness, .program = program};
    vector_init(&moments->list, sizeof(struct moment));
    for (size_t i = 0; i < witness->steps.count; i++) {
        struct moment moment = {.choice = *(const struct witness_step *)vector_at(&witness->steps, i)};
        vector_push(&moments->list, &moment);
    }
    bool good = run(moments, true);
    if (good) {
        find_late(moments);
        move_drains(moments);
    }
    return good;
}

static void keep_stack(const struct machine *machine, uint32_t thread, uint32_t pos, struct vector *stack) {
    if (machine_thread_exists(machine, thread) && machine_thread_pos(machine, thread) == pos) {
        stack->count = 0;
        machine_call_stack(machine, thread, stack);
    }
}

void moments_call_stack(const struct moments *moments, uint32_t thread, uint32_t pos, struct vector *stack) {
    struct machine_options options = witness_machine_options(moments->witness);
    struct machine *machine = machine_new(moments->program, &options);
    for (size_t i = 0; i < moments->list.count; i++) {
        struct transition transition;
        keep_stack(machine, thread, pos, stack);
        if (witness_step_transition(&moment_at(moments, i)->choice, machine, &transition)) {
            machine_take(machine, transition);
        }
    }
    keep_stack(machine, thread, pos, stack);
    machine_free(machine);
}

void moments_delete(struct moments *moments) {
    vector_delete(&moments->list);
}
