/* Data races: the next accesses of two threads overlap, one of them writes, and one of them is not atomic.
 *
 * What counts is what reaches memory: a buffered store when it can drain, a load when its own buffer does not serve it.
 * A read of a waiting loop counts even if its iteration would fail.  An atomic section does not protect against
 * accesses outside sections. */
#include "machine/describe.h"
#include "machine/memory_model.h"
#include "machine/state.h"
#include "util/range.h"

static bool is_access(const struct step *step) {
    return step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_RMW || step->kind == STEP_CAS ||
           (step->kind == STEP_DRAIN && !step->ends_object);
}

static bool conflict(const struct step *one, const struct step *other) {
    return one->thread != other->thread && (one->writes || other->writes) && !(one->atomic && other->atomic) &&
           ranges_overlap(one->address, one->size, other->address, other->size);
}

static bool reaches_memory(const struct machine *machine, const struct step *step) {
    return is_access(step) && !step->forwarded && (step->kind != STEP_STORE || !machine->model->buffers);
}

static const char *verb(const struct step *step) {
    return step->kind == STEP_LOAD ? "reads" : step->writes && step->reads ? "updates" : "writes";
}

static void report(struct machine *machine, const struct step *one, const struct step *other) {
    const struct step *plain = one->atomic ? other : one;
    const struct step *against = one->atomic ? one : other;
    const struct program *program = machine->program;
    const struct position *position = &program->positions[against->pos];
    const char *file = program_string(program, position->file);
    struct thread *thread = machine->threads[plain->thread];
    const struct thread *second = machine->threads[against->thread];
    char name[80];
    machine_describe(machine, plain->address, plain->size, name, sizeof name);
    machine_fail(machine, thread, plain->pos, ERROR_RACE, "%s%s %s %s while %s%s %s it (%s:%u)",
                 plain->thread ? "thread " : "", thread->name, verb(plain), name, against->thread ? "thread " : "",
                 second->name, verb(against), file, position->line);
    machine->now.error.other_thread = against->thread;
    machine->now.error.other_pos = against->pos;
}

bool races_find(struct machine *machine, const struct transition *enabled, size_t count) {
    struct vector accesses;
    bool found = false;
    vector_init(&accesses, sizeof(struct step));
    for (size_t i = 0; i < count; i++) {
        struct step step;
        machine_next(machine, enabled[i], &step);
        if (reaches_memory(machine, &step)) {
            vector_push(&accesses, &step);
        }
    }
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct step step;
        struct transition next = {.thread = i, .kind = TRANSITION_STEP};
        if (machine->threads[i]->now.status == THREAD_RUNNING && !machine->threads[i]->now.stopped &&
            machine_thread_awaits(machine, i) && !machine_is_enabled(machine, next)) {
            machine_next(machine, next, &step);
            if (reaches_memory(machine, &step)) {
                vector_push(&accesses, &step);
            }
        }
    }
    for (size_t i = 0; i < accesses.count && !found; i++) {
        for (size_t k = i + 1; k < accesses.count && !found; k++) {
            found = conflict(vector_at(&accesses, i), vector_at(&accesses, k));
            if (found) {
                report(machine, vector_at(&accesses, i), vector_at(&accesses, k));
            }
        }
    }
    vector_delete(&accesses);
    return found;
}
