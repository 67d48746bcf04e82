/* Notes of reads that nobody has written before. */
#include "seq/unset.h"

#include "ir/assumption.h"

struct unset_read {
    literal holds;
    uint32_t pos;
};

void unset_init(struct symbolic *execution) {
    vector_init(&execution->unset, sizeof(struct unset_read));
}

void unset_note(struct run *run, literal holds) {
    struct unset_read read = {holds, run->pos};
    if (holds != LITERAL_FALSE && run->execution->task->machine.assumed) {
        vector_push(&run->execution->unset, &read);
    }
}

void unset_literals(const struct symbolic *execution, struct vector *literals) {
    const struct task *task = execution->task;
    vector_init(literals, sizeof(literal));
    for (size_t i = 0; i < execution->unset.count; i++) {
        struct unset_read *read = vector_at(&execution->unset, i);
        if (assumptions_would_change(task->machine.assumed, task->program, ASSUMPTION_UNINITIALISED, read->pos)) {
            vector_push(literals, &read->holds);
        }
    }
}

static void record(const struct symbolic *execution, const struct unset_read *read) {
    const struct task *task = execution->task;
    assumptions_note(task->machine.assumed, task->program, ASSUMPTION_UNINITIALISED, read->pos);
}

void unset_record_model(struct symbolic *execution) {
    for (size_t i = 0; i < execution->unset.count; i++) {
        const struct unset_read *read = vector_at(&execution->unset, i);
        if (gates_value(&execution->gates, read->holds)) {
            record(execution, read);
        }
    }
}

void unset_record_all(struct symbolic *execution) {
    for (size_t i = 0; i < execution->unset.count; i++) {
        record(execution, vector_at(&execution->unset, i));
    }
}
