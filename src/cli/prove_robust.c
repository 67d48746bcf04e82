/* Robustness by conflicting accesses (docs/prove.md): every trace under TSO is one under SC if in every pair the store,
 * or the load, conflicts with no step of another thread.  The answer is yes, or that it is not proved. */
#include "cli/prove_robust.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/session.h"
#include "prove/prove.h"
#include "report/assumed.h"
#include "util/exit_code.h"
#include "util/memory.h"

static void print_pair(const struct proof_pair *pair) {
    printf("\n    %s (%s:%" PRIu32 ")\n    may be delayed past %s (%s:%" PRIu32 "):\n", pair->store.what,
           pair->store.file, pair->store.line, pair->load.what, pair->load.file, pair->load.line);
    printf("        the store has a conflict with %s (%s:%" PRIu32 "), the load with %s (%s:%" PRIu32 ")\n",
           pair->store_stops.step.what, pair->store_stops.step.file, pair->store_stops.step.line,
           pair->load_stops.step.what, pair->load_stops.step.file, pair->load_stops.step.line);
}

static void print_text(const struct options *options, const struct proof *proof) {
    if (proof->word == PROOF_HOLDS) {
        printf("robust under TSO, for %s: the store buffer adds no behaviour\n",
               proof->many_classes > 0 ? "any number of threads" : "these threads");
    } else {
        printf("undecided under TSO: %s\n",
               proof->word == PROOF_UNDECIDED ? proof->reason : "some pair of a store and a load may pass each other");
    }
    if (proof->word == PROOF_HOLDS) {
        const struct verdict outside = {.assumptions = proof->outside};
        assumed_print(&outside, false, stdout);
    }
    for (size_t i = 0; i < proof->pairs.count && !options->quiet; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        if (pair->reason == PAIR_FAILS) {
            print_pair(pair);
        }
    }
    printf("  %zu pairs of a store and a later load, %" PRIu64 " queries; %.2f s\n", proof->pairs.count, proof->queries,
           proof->time_s);
}

static void print_json(const struct session *session, const struct proof *proof) {
    struct report report = session_report(session, "prove");
    struct verdict verdict;
    verdict_init(&verdict);
    verdict.word = proof->word == PROOF_HOLDS ? VERDICT_SAFE : VERDICT_UNDECIDED;
    verdict.queries = proof->queries;
    verdict.time_s = proof->time_s;
    for (size_t i = 0; i < proof->outside.count && proof->word == PROOF_HOLDS; i++) {
        struct assumed assumed = *(struct assumed *)vector_at(&proof->outside, i);
        assumed.file = memory_copy_text(assumed.file);
        vector_push(&verdict.assumptions, &assumed);
        verdict.bounded = true;
    }
    snprintf(verdict.reason, sizeof verdict.reason, "%s",
             proof->word == PROOF_UNDECIDED ? proof->reason : "some pair of a store and a load may pass each other");
    report_json(&report, &verdict, stdout);
    verdict_delete(&verdict);
}

static void run_proof(struct session *session) {
    const struct options *options = session->options;
    struct proof proof;
    struct prove_options prove = {.by_place = true};
    struct task task = session_task(session);
    task.jobs = 1;
    proof_init(&proof, &task, &prove);
    progress_end(&session->progress);
    session->code = proof.word == PROOF_HOLDS     ? EXIT_HOLDS
                    : proof.word == PROOF_REFUSED ? EXIT_BAD_INPUT
                                                  : EXIT_UNDECIDED;
    if (proof.word == PROOF_REFUSED) {
        session_refuse(session, "prove", proof.file, proof.line, proof.reason);
    } else if (options->format == FORMAT_JSON) {
        print_json(session, &proof);
    } else {
        print_text(options, &proof);
    }
    proof_delete(&proof);
}

/* --- Beside other engines ----------------------------------------------------------------------------------------- */

/* Might a verdict about the program depend on the outside, or on an assumption of its own?  Other engines know better
 * than a proof which assumptions are met. */
static bool may_assume(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        switch (program->code[i].op) {
        case OP_ASSUME:
        case OP_ASSUMED:
        case OP_MALLOC:
        case OP_ALLOCA:
        case OP_FREE:
        case OP_LIB:
            return true;
        default:
            break;
        }
    }
    return false;
}

static void prove_in_child(const struct task *task, bool several, struct answer *answer) {
    struct verdict *verdict = &answer->verdict;
    struct prove_options prove = {.by_place = true, .no_facts = true};
    struct proof proof;
    (void)several;
    answer->engine = robust_by_proof.name;
    verdict->word = VERDICT_UNDECIDED;
    snprintf(verdict->reason, sizeof verdict->reason, "some pair of a store and a load may pass each other");
    if (task->unroll > 0 || may_assume(task->program)) {
        return;
    }
    proof_init(&proof, task, &prove);
    if (proof.word == PROOF_HOLDS) {
        verdict_set_safe(verdict, task, 0);
    }
    verdict->queries = proof.queries;
    verdict->time_s = proof.time_s;
    proof_delete(&proof);
}

const struct answerer robust_by_proof = {.name = "prove", .run = prove_in_child, .after = 1};

int prove_robust(const struct options *options) {
    struct session session;
    if (options->model != MODEL_TSO) {
        return command_refuse(options, "the theorem is about TSO; choose --engine explore for PSO");
    }
    if (session_begin(&session, options, &(struct reading){.engine = "prove", .unroll = options->unroll})) {
        run_proof(&session);
    }
    return session_end(&session);
}
