/* Robustness by `explore`: is there a cycle in the trace of some execution? */
#include "robust/robust.h"

#include "explore/explore.h"
#include "robust/cycle.h"
#include "util/range.h"

struct first_cycle {
    struct vector path; /* of struct transition */
    bool found;
};

static bool look_for_cycle(void *data, struct chronological *trace) {
    struct first_cycle *first = data;
    struct vector cycle;
    vector_init(&cycle, sizeof(struct cycle_event));
    first->found = cycle_find_shortest(trace, &cycle);
    if (first->found) {
        path_copy(&trace->taken, &first->path);
    }
    vector_delete(&cycle);
    return first->found;
}

/* May one event write a part of what the other reads? */
static bool may_write_part(const struct program *program, const struct instruction *write,
                           const struct instruction *read) {
    bool writes = write->op == OP_STORE || write->op == OP_RMW || write->op == OP_CAS;
    if (!writes || !(write->a & read->a & OPERAND_CONSTANT)) {
        return writes && write->width < read->width;
    }
    uint64_t to = program->constants[write->a & ~OPERAND_CONSTANT];
    uint64_t from = program->constants[read->a & ~OPERAND_CONSTANT];
    return ranges_overlap(to, write->width, from, read->width) && (to > from || to + write->width < from + read->width);
}

/* Does the program have a waiting loop with a read, parts of which several writes may write?  A failed iteration reads
 * some of them, and their order does not show in an execution in which no iteration fails. */
static bool has_awaits_for_parts(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *read = &program->code[i];
        bool marked = read->flags & INSTRUCTION_AWAIT && (read->op == OP_LOAD || read->op == OP_CAS);
        for (size_t k = 0; marked && k < program->code_count; k++) {
            if (may_write_part(program, &program->code[k], read)) {
                return true;
            }
        }
    }
    return false;
}

/* Does the program have waiting loops with several reads, with trylocks, or with read-modify-writes, which write even
 * if they change nothing?  An execution without failed iterations does not show which reads may fail. */
static bool has_wide_awaits(const struct program *program) {
    size_t awaits = 0;
    size_t reads = 0;
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        bool marked = instruction->flags & INSTRUCTION_AWAIT;
        awaits += instruction->op == OP_AWAIT;
        reads += marked && (instruction->op == OP_LOAD || instruction->op == OP_CAS);
        if (marked && (instruction->op == OP_SYNC || instruction->op == OP_RMW)) {
            return true;
        }
    }
    return reads > awaits;
}

static void run(const struct task *task, bool several, struct answer *answer) {
    struct first_cycle first = {.found = false};
    struct task question = *task;
    const char *refusal = engine_refusal(&engine_explore, task);
    answer->engine = robust_by_traces.name;
    if (refusal) {
        verdict_refuse(&answer->verdict, "", 0, refusal);
        return;
    }
    vector_init(&first.path, sizeof(struct transition));
    question.jobs = 1;
    struct explore_options explore = {.maximal = look_for_cycle, .maximal_data = &first};
    task_give(&question, &engine_explore, &explore.common);
    /* A failed iteration changes nothing, and a shortest cycle has at most two events of a thread: two suffice. */
    bool twice = has_wide_awaits(task->program) || has_awaits_for_parts(task->program);
    question.machine.awaits = twice ? AWAIT_TWICE : AWAIT_BLOCK;
    engine_run(&engine_explore, &question, &answer->verdict);
    if (first.found) {
        struct machine_options options = question.machine;
        options.run_on = options.run_past_errors = options.end_sections = true;
        answer_add_cyclic(answer, task->program, &first.path, &options, several);
    }
    vector_delete(&first.path);
}

const struct answerer robust_by_traces = {.name = "explore", .run = run};
