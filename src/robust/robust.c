#include "robust/robust.h"

#include <stdio.h>

#include "ir/loops.h"
#include "robust/spelling.h"

void answer_add_cyclic(struct answer *answer, const struct program *program, const struct vector *path,
                       const struct machine_options *options, bool several) {
    struct verdict *verdict = &answer->verdict;
    struct execution execution = {
        .machine = *options,
        .implies_reads = options->awaits == AWAIT_BLOCK,
        .fails_sections = options->awaits == AWAIT_SPIN, /* the oracle's */
    };
    path_copy(path, &execution.path);
    if (verdict->word != VERDICT_DEFECT && execution_is_cyclic(program, &execution, NULL, NULL)) {
        verdict->word = VERDICT_VIOLATION;
        if (several && execution.implies_reads) {
            execution_spell_out(&execution, program);
        }
        vector_push(&answer->executions, &execution);
    } else {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "a cycle that does not replay");
        execution_delete(&execution);
    }
}

/* Failed reads of waiting loops are events, and `explore` does not see all of them: in programs that wait, its not
 * finding a cycle is no proof. */
static bool has_waiting_loops(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        if (program->code[i].op == OP_AWAIT) {
            return true;
        }
    }
    return false;
}

static enum answer_class classify(const struct program *program, const struct answer *answer, const char **defect) {
    switch (answer->verdict.word) {
    case VERDICT_SAFE:
        return answer->engine == robust_by_traces.name && has_waiting_loops(program) ? ANSWER_BOUNDED
                                                                                     : ANSWER_CONCLUSIVE;
    case VERDICT_REFUSED:
        return ANSWER_REFUSED;
    case VERDICT_UNDECIDED:
        return ANSWER_NOTHING;
    default:
        if (answer->verdict.word == VERDICT_DEFECT || answer->executions.count == 0 ||
            !execution_is_cyclic(program, vector_at(&answer->executions, 0), NULL, NULL)) {
            *defect = "found a cycle that does not replay";
        }
        return ANSWER_CONCLUSIVE;
    }
}

static void ask_all(const struct robust_question *question, struct answer *answer) {
    const struct task *task = question->task;
    struct answerer all[3] = {robust_by_traces, robust_by_oracle};
    struct panel panel = {task, all, 2, question->several, classify};
    if (question->prover) {
        all[panel.count++] = *question->prover;
    }
    enum portfolio_end end = panel_ask(&panel, answer);
    if (end == PORTFOLIO_NONE) {
        all[has_waiting_loops(task->program)].run(task, question->several, answer);
    } else if (end == PORTFOLIO_LIMIT) {
        answer->verdict.word = VERDICT_UNDECIDED;
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "%s", limits_reason(task->limits));
    }
}

void robust_ask(const struct robust_question *question, struct answer *answer) {
    const struct task *task = question->task;
    if (question->engine) {
        question->engine->run(task, question->several, answer);
    } else if (task->machine.model == MODEL_TSO) {
        ask_all(question, answer);
    } else {
        robust_by_traces.run(task, question->several, answer);
    }
}

bool robust_may_run_for_ever(const struct task *task) {
    return task->machine.model == MODEL_PSO && task->unroll == 0 && program_find_loops(task->program) == LOOPS_ENDLESS;
}
