/* `picket robust`: does the store buffer add any behaviour?  The room `robust` decides and puts a cycle into words. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prove_robust.h"
#include "cli/session.h"
#include "engine/json_text.h"
#include "report/assumed.h"
#include "robust/cycle_text.h"
#include "robust/robust.h"
#include "util/exit_code.h"

static void print_text(const struct session *session, const struct answer *answer, const struct cycle_text *cycle) {
    const struct verdict *verdict = &answer->verdict;
    const char *model = session->options->model == MODEL_TSO ? "TSO" : "PSO";
    if (cycle) {
        printf("not robust under %s: the store buffer makes this possible, and SC does not\n\n", model);
        for (size_t i = 0; i < cycle->lines.count; i++) {
            printf("    %s\n", *(char **)vector_at(&cycle->lines, i));
        }
        puts("\nEach line must hold before the next, and the last before the first.");
    } else if (verdict->word == VERDICT_SAFE && verdict->bounds[0]) {
        printf("robust within bounds under %s (%s)\n", model, verdict->bounds);
    } else if (verdict->word == VERDICT_SAFE && verdict->bounded) {
        printf(
            "robust within bounds under %s: the store buffer adds no behaviour, as long as what is assumed is true\n",
            model);
    } else if (verdict->word == VERDICT_SAFE) {
        printf("robust under %s: the store buffer adds no behaviour\n", model);
    } else {
        printf("undecided under %s: %s\n", model, verdict->reason);
    }
    if (!cycle) {
        assumed_print(verdict, true, stdout);
    }
    if (answer->engine == robust_by_proof.name) {
        printf("  proved by the engine %s; %.2f s\n", robust_by_proof.name, verdict->time_s);
    } else if (answer->engine == robust_by_traces.name) {
        printf("  %" PRIu64 " execution%s complete, %" PRIu64 " blocked, %" PRIu64 " cut; %.2f s\n", verdict->traces,
               verdict->traces == 1 ? "" : "s", verdict->blocked, verdict->cut, verdict->time_s);
    } else {
        printf("  %" PRIu64 " states; %.2f s\n", verdict->states, verdict->time_s);
    }
}

static void print_json(const struct session *session, const struct answer *answer, const struct cycle_text *cycle) {
    const struct verdict *verdict = &answer->verdict;
    struct report report = session_report(session, answer->engine ? answer->engine : session->options->engine_name);
    if (!cycle) {
        report_json(&report, verdict, stdout);
        return;
    }
    json_t *lines = json_array();
    for (size_t i = 0; i < cycle->lines.count; i++) {
        json_array_append_new(lines, json_text(*(char **)vector_at(&cycle->lines, i)));
    }
    json_t *object = report_head_json(&report, verdict);
    json_object_set_new(object, "kind", json_string("not-robust"));
    json_object_set_new(object, "message", json_string("the store buffer adds a behaviour"));
    json_object_set_new(object, "file", json_text(cycle->file ? cycle->file : ""));
    json_object_set_new(object, "line", json_integer(cycle->line));
    json_object_set_new(object, "cycle", lines);
    report_print_json(object, stdout);
}

static const char *refusal_of(const struct options *options) {
    bool oracle = strcmp(options->engine_name, "oracle") == 0;
    if (options->model == MODEL_SC) {
        return "under SC every program is robust; choose --model tso or pso";
    }
    if (!oracle && options->engine != &engine_explore && strcmp(options->engine_name, "prove") != 0) {
        return "the engines for robustness are auto, explore, oracle and prove";
    }
    return oracle && options->model == MODEL_PSO ? "the oracle knows TSO only; choose --engine explore for PSO" : NULL;
}

static void decide(struct session *session) {
    const struct options *options = session->options;
    struct task task = session_task(session);
    bool oracle = strcmp(options->engine_name, robust_by_oracle.name) == 0;
    struct robust_question question = {.task = &task,
                                       .engine = oracle               ? &robust_by_oracle
                                                 : options->automatic ? NULL
                                                                      : &robust_by_traces,
                                       .prover = &robust_by_proof};
    struct answer answer;
    struct cycle_text text;
    if (robust_may_run_for_ever(&task)) {
        session->code = command_refuse(
            options, "under PSO only programs whose executions end can be decided, and this one has a loop that "
                     "need not end: give a bound with --unroll, or choose --model tso");
        return;
    }
    answer_init(&answer);
    robust_ask(&question, &answer);
    bool found = answer.verdict.word == VERDICT_VIOLATION;
    if (found) {
        cycle_text_init(&text, &session->program, vector_at(&answer.executions, 0));
    }
    session->code = verdict_exit_code(&answer.verdict);
    if (answer.verdict.word == VERDICT_DEFECT) {
        fprintf(stderr, "picket: a defect in Picket itself: %s\n", answer.verdict.reason);
    } else if (answer.verdict.word == VERDICT_REFUSED) {
        command_refuse(options, "%s", answer.verdict.reason);
    } else {
        (options->format == FORMAT_JSON ? print_json : print_text)(session, &answer, found ? &text : NULL);
    }
    if (found) {
        cycle_text_delete(&text);
    }
    answer_delete(&answer);
}

int command_robust(const struct options *options) {
    struct session session;
    const char *refusal = refusal_of(options);
    if (refusal) {
        return command_refuse(options, "%s", refusal);
    }
    if (strcmp(options->engine_name, "prove") == 0) {
        return prove_robust(options);
    }
    if (session_begin(&session, options,
                      &(struct reading){.engine = options->engine_name, .unroll = options->unroll})) {
        decide(&session);
    }
    return session_end(&session);
}
