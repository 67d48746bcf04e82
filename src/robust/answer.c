#include "robust/answer.h"

#include "engine/verdict_bytes.h"

void answer_init(struct answer *answer) {
    *answer = (struct answer){0};
    verdict_init(&answer->verdict);
    vector_init(&answer->executions, sizeof(struct execution));
}

void answer_delete(struct answer *answer) {
    verdict_delete(&answer->verdict);
    for (size_t i = 0; i < answer->executions.count; i++) {
        execution_delete(vector_at(&answer->executions, i));
    }
    vector_delete(&answer->executions);
}

static void executions_put(struct vector *bytes, const struct vector *executions) {
    bytes_put_number(bytes, executions->count);
    for (size_t i = 0; i < executions->count; i++) {
        const struct execution *execution = vector_at(executions, i);
        bytes_put(bytes, &execution->machine, sizeof execution->machine);
        bytes_put_number(bytes, execution->implies_reads);
        bytes_put_number(bytes, execution->fails_sections);
        bytes_put_number(bytes, execution->path.count);
        bytes_put(bytes, execution->path.data, execution->path.count * sizeof(struct transition));
    }
}

static void executions_get(struct bytes_reader *reader, struct vector *executions) {
    size_t count = bytes_get_count(reader, sizeof(struct machine_options));
    for (size_t i = 0; i < count; i++) {
        struct execution execution;
        bytes_get(reader, &execution.machine, sizeof execution.machine);
        execution.machine.record = NULL;
        execution.machine.stop = limits_flag();
        execution.machine.slots = NULL;
        execution.machine.assumed = NULL;
        execution.implies_reads = bytes_get_number(reader) != 0;
        execution.fails_sections = bytes_get_number(reader) != 0;
        vector_init(&execution.path, sizeof(struct transition));
        size_t steps = bytes_get_count(reader, sizeof(struct transition));
        if (steps > 0) {
            bytes_get(reader, vector_grow(&execution.path, steps), steps * sizeof(struct transition));
        }
        vector_push(executions, &execution);
    }
}

void answer_put(struct vector *bytes, const struct answer *answer) {
    verdict_put(bytes, &answer->verdict);
    executions_put(bytes, &answer->executions);
    bytes_put_number(bytes, answer->by_robustness);
}

bool answer_get(struct bytes_reader *reader, struct answer *answer) {
    bool good = verdict_get(reader, &answer->verdict);
    executions_get(reader, &answer->executions);
    answer->by_robustness = bytes_get_number(reader) != 0;
    return good && !reader->short_of;
}
