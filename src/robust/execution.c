#include "robust/execution.h"

#include "robust/cycle.h"

void execution_delete(struct execution *execution) {
    vector_delete(&execution->path);
}

void execution_take(const struct execution *execution, struct machine *machine, struct transition transition) {
    machine_take(machine, transition);
    if (execution->fails_sections) {
        machine_outcome(machine); /* a section that is blocked fails when the outcome is computed */
    }
}

struct machine *execution_run(const struct program *program, const struct execution *execution,
                              void (*taken)(void *data, struct machine *machine, struct transition transition),
                              void *data) {
    struct machine *machine = machine_new(program, &execution->machine);
    for (size_t i = 0; i < execution->path.count; i++) {
        struct transition next = *(struct transition *)vector_at(&execution->path, i);
        if (!machine_is_enabled(machine, next)) {
            machine_free(machine);
            return NULL;
        }
        execution_take(execution, machine, next);
        if (taken) {
            taken(data, machine, next);
        }
    }
    return machine;
}

void execution_init(struct execution *execution, const struct witness *witness) {
    *execution = (struct execution){.machine = witness_machine_options(witness), .fails_sections = true};
    execution->machine.run_on = execution->machine.run_past_errors = execution->machine.end_sections = true;
    vector_init(&execution->path, sizeof(struct transition));
}

bool execution_append(struct execution *execution, struct machine *machine, const struct witness_step *step) {
    struct transition transition;
    if (!witness_step_transition(step, machine, &transition) || !machine_is_enabled(machine, transition)) {
        return false;
    }
    execution_take(execution, machine, transition);
    vector_push(&execution->path, &transition);
    return true;
}

void execution_drain(struct execution *execution, struct machine *machine) {
    const struct transition *enabled;
    bool drains = true;
    while (drains) {
        size_t count = machine_enabled(machine, &enabled);
        drains = false;
        for (size_t i = 0; !drains && i < count; i++) {
            struct transition transition = enabled[i];
            drains = transition.kind == TRANSITION_DRAIN;
            if (drains) {
                execution_take(execution, machine, transition);
                vector_push(&execution->path, &transition);
            }
        }
    }
}

bool execution_is_cyclic(const struct program *program, const struct execution *execution,
                         void (*found)(void *data, struct chronological *trace, const struct vector *cycle),
                         void *data) {
    struct machine *machine = machine_new(program, &execution->machine);
    struct chronological trace;
    struct vector cycle;
    bool good = true;
    vector_init(&cycle, sizeof(struct cycle_event));
    chronological_init(&trace, machine);
    trace.notes_failed = execution->implies_reads;
    trace.end_sections = execution->fails_sections;
    while (good && trace.taken.count < execution->path.count) {
        struct transition next = *(struct transition *)vector_at(&execution->path, trace.taken.count);
        good = machine_is_enabled(machine, next);
        if (good) {
            chronological_follow(&trace, vector_at(&execution->path, trace.taken.count),
                                 execution->path.count - trace.taken.count);
        }
    }
    good = good && cycle_find_shortest(&trace, &cycle);
    if (good && found) {
        found(data, &trace, &cycle);
    }
    vector_delete(&cycle);
    chronological_delete(&trace);
    machine_free(machine);
    return good;
}

void path_copy(const struct vector *from, struct vector *to) {
    vector_init(to, sizeof(struct transition));
    for (size_t i = 0; i < from->count; i++) {
        vector_push(to, vector_at(from, i));
    }
}
