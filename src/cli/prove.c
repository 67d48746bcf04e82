/* `picket prove`: does the store buffer add any state, and do claims and assertions hold, for any number of threads?
 * The engine tries to prove that; if it fails, cli/prove_search.h searches for an execution that shows the opposite, or
 * lets another engine decide the rest. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/prove_patch.h"
#include "cli/prove_search.h"
#include "cli/session.h"
#include "emit/emit.h"
#include "engine/json_text.h"
#include "ir/flatten.h"
#include "ir/passes.h"
#include "prove/prove.h"
#include "report/assumed.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* What is reported: the proof, and what was found where it fails. */
struct result {
    const struct options *options;
    const struct program_forms *forms;
    struct proof proof;
    struct finding found;
    const char *decided_by; /* an engine that has shown under SC what the proof has not; NULL: none */
    double front_s;
};

/* --- Text --------------------------------------------------------------------------------------------------------- */

static void print_line(const struct proof_line *line) {
    printf("%s (%s:%" PRIu32 ")", line->what, line->file, line->line);
}

static void print_obstacle(const char *how, const struct obstacle *obstacle) {
    printf("        %s past ", how);
    print_line(&obstacle->step);
    if (obstacle->unanswered) {
        fputs(", as far as the solver can tell", stdout);
    }
    if (obstacle->model && *obstacle->model) {
        printf(" where %s (which may not be reachable)", obstacle->model);
    }
    putchar('\n');
}

static void print_failures(const struct proof *proof) {
    for (size_t i = 0; i < proof->pairs.count; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        if (pair->reason != PAIR_FAILS) {
            continue;
        }
        fputs("\n    ", stdout);
        print_line(&pair->store);
        fputs("\n    may be delayed past ", stdout);
        print_line(&pair->load);
        puts(":");
        print_obstacle("the store does not move left", &pair->store_stops);
        print_obstacle("the load does not move right", &pair->load_stops);
    }
}

static void print_reasons(const struct proof *proof) {
    for (size_t i = 0; i < proof->pairs.count; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        if (pair->reason != PAIR_STORE_MOVES && pair->reason != PAIR_LOAD_MOVES) {
            continue;
        }
        fputs("    ", stdout);
        print_line(&pair->store);
        fputs(", then ", stdout);
        print_line(&pair->load);
        printf(": the %s %s\n", pair->reason == PAIR_STORE_MOVES ? "store moves left" : "load moves right",
               pair->asked ? "in every state" : "since no other thread accesses the same bytes");
    }
}

static void print_facts(const struct proof *proof) {
    for (size_t i = 0; i < proof->facts.count; i++) {
        printf("    fact: %s\n", *(char **)vector_at(&proof->facts, i));
    }
}

static size_t count_pairs(const struct proof *proof, enum pair_reason reason) {
    size_t count = 0;
    for (size_t i = 0; i < proof->pairs.count; i++) {
        count += ((struct proof_pair *)vector_at(&proof->pairs, i))->reason == reason;
    }
    return count;
}

static void print_counts(const struct result *result) {
    const struct proof *proof = &result->proof;
    printf("  %zu pair%s of a store and a later load, %" PRIu32 " left and %" PRIu32 " right movers, %" PRIu64
           " queries; %.2f s\n",
           proof->pairs.count, proof->pairs.count == 1 ? "" : "s", proof->left_movers, proof->right_movers,
           proof->queries, proof->time_s);
}

static void print_broken(const struct proof *proof) {
    for (size_t i = 0; i < proof->broken.count; i++) {
        const struct proof_obligation *broken = vector_at(&proof->broken, i);
        printf("\n    %s (%s:%" PRIu32 ") %s", broken->what, broken->where.file, broken->where.line, broken->how);
        if (broken->step.what) {
            putchar(' ');
            print_line(&broken->step);
        }
        if (broken->unanswered) {
            fputs(", as far as the solver can tell", stdout);
        }
        if (broken->model && *broken->model) {
            printf(" where %s (which may not be reachable)", broken->model);
        }
        putchar('\n');
    }
}

static bool holds(const struct result *result) {
    return result->proof.word == PROOF_HOLDS || result->decided_by;
}

static void print_number(uint32_t count, const char *noun) {
    printf("%" PRIu32 " %s%s", count, noun, count == 1 ? "" : "s");
}

/* "3 assertions and 1 claim hold" */
static void print_what_holds(const struct proof *proof) {
    if (proof->assertions > 0) {
        print_number(proof->assertions, "assertion");
    }
    if (proof->assertions > 0 && proof->claims > 0) {
        fputs(" and ", stdout);
    }
    if (proof->claims > 0) {
        print_number(proof->claims, "claim");
    }
    fputs(proof->assertions + proof->claims == 1 ? " holds" : " hold", stdout);
}

static void print_proved(const struct result *result) {
    const struct proof *proof = &result->proof;
    const char *threads = proof->many_classes > 0 ? "any number of threads" : "these threads";
    bool asserted = proof->assertions + proof->claims > 0;
    bool abstracted = proof->abstractions.count > proof->idle;
    if (result->options->model == MODEL_SC) {
        fputs(asserted ? "safe under SC: " : "nothing is asserted or claimed", stdout);
    } else if (!abstracted) {
        fputs("the store buffer adds no state", stdout);
        fputs(asserted ? "; " : "", stdout);
    } else {
        fputs(asserted ? "safe under TSO: " : "the abstracted program gains no state by the store buffer", stdout);
    }
    if (asserted) {
        print_what_holds(proof);
    }
    printf(", for %s\n", threads);
    for (size_t i = 0; i < proof->abstractions.count; i++) {
        fputs("  abstracted: ", stdout);
        print_line(vector_at(&proof->abstractions, i));
        putchar('\n');
    }
    for (size_t i = 0; i < proof->assumptions.count; i++) {
        fputs("  within bounds: ", stdout);
        print_line(vector_at(&proof->assumptions, i));
        puts(" does not overflow");
    }
    const struct verdict outside = {.assumptions = proof->outside};
    assumed_print(&outside, false, stdout);
    if (result->decided_by) {
        printf("  (claims and assertions were decided by the engine %s under SC)\n", result->decided_by);
    } else if (asserted && proof->waits) {
        puts("  (that no deadlock is reachable is not proved)");
    }
}

static void print_not_proved(const struct result *result) {
    const struct proof *proof = &result->proof;
    size_t failing = count_pairs(proof, PAIR_FAILS);
    size_t moving = count_pairs(proof, PAIR_STORE_MOVES) + count_pairs(proof, PAIR_LOAD_MOVES);
    if (proof->word == PROOF_UNDECIDED) {
        printf("undecided: %s; %zu of %zu pairs were proved\n", proof->reason, moving, proof->pairs.count);
    } else if (failing > 0) {
        printf("not proved: %zu of %zu pairs do not move\n", failing, proof->pairs.count);
    } else {
        printf("not proved: %zu obligation%s; %s\n", proof->broken.count, proof->broken.count == 1 ? "" : "s",
               result->options->model == MODEL_SC ? "these are left"
               : proof->adds_state                ? "whether the store buffer adds a state depends on them"
               : proof->abstractions.count > proof->idle
                   ? "but the abstracted program gains no state by the store buffer"
                   : "but the store buffer adds no state");
    }
}

static void print_text(const struct result *result) {
    const struct proof *proof = &result->proof;
    if (holds(result)) {
        print_proved(result);
    } else if (result->found.kind != FOUND_NOTHING) {
        puts(result->found.kind == FOUND_STATE                 ? "the store buffer adds a state"
             : result->found.verdict.witness.model == MODEL_SC ? "an error is reachable, also under SC"
                                                               : "an error is reachable under TSO");
    } else {
        print_not_proved(result);
    }
    if (!result->options->quiet) {
        if (!holds(result)) {
            print_failures(proof);
            print_broken(proof);
        }
        if (!holds(result) && result->found.kind == FOUND_NOTHING) {
            patch_print(proof);
        }
        if (proof->word == PROOF_FAILS && !holds(result)) {
            putchar('\n');
        }
        if (result->options->explain) {
            print_reasons(proof);
            print_facts(proof);
        }
    }
    print_counts(result);
    finding_print(&result->found, result->options);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *overflow_json(const struct proof_line *line) {
    char *text = memory_format("%s does not overflow", line->what);
    json_t *value = json_text(text);
    free(text);
    return value;
}

static json_t *line_json(const struct proof_line *line) {
    return json_pack("{s:o, s:i, s:o}", "file", json_text(line->file), "line", (int)line->line, "what",
                     json_text(line->what));
}

static json_t *obstacle_json(const struct obstacle *obstacle) {
    json_t *object = line_json(&obstacle->step);
    if (obstacle->model) {
        json_object_set_new(object, "model", json_text(obstacle->model));
    }
    json_object_set_new(object, "unanswered", json_boolean(obstacle->unanswered));
    return object;
}

static json_t *failures_json(const struct proof *proof) {
    json_t *list = json_array();
    for (size_t i = 0; i < proof->pairs.count; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        if (pair->reason == PAIR_FAILS) {
            json_array_append_new(list,
                                  json_pack("{s:o, s:o, s:o, s:o}", "store", line_json(&pair->store), "load",
                                            line_json(&pair->load), "store_stops", obstacle_json(&pair->store_stops),
                                            "load_stops", obstacle_json(&pair->load_stops)));
        }
    }
    for (size_t i = 0; i < proof->broken.count; i++) {
        const struct proof_obligation *broken = vector_at(&proof->broken, i);
        json_t *object = json_pack("{s:o, s:i, s:o, s:s, s:b}", "file", json_text(broken->where.file), "line",
                                   (int)broken->where.line, "what", json_text(broken->what), "how", broken->how,
                                   "unanswered", broken->unanswered);
        if (broken->step.what) {
            json_object_set_new(object, "step", line_json(&broken->step));
        }
        if (broken->model) {
            json_object_set_new(object, "model", json_text(broken->model));
        }
        json_array_append_new(list, object);
    }
    return list;
}

/* What is assumed, and the same in words. */
static json_t *assumptions_json(const struct proof *proof, char **words) {
    json_t *list = json_array();
    *words = memory_copy_text("");
    for (size_t i = 0; i < proof->assumptions.count; i++) {
        const struct proof_line *line = vector_at(&proof->assumptions, i);
        char *longer =
            memory_format("%s%s%s:%" PRIu32, *words, i > 0 ? ", " : "no overflow at ", line->file, line->line);
        free(*words);
        *words = longer;
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:i, s:n}", "name", "overflow", "text", overflow_json(line),
                                        "file", json_text(line->file), "line", (int)line->line, "option"));
    }
    const struct verdict outside = {.assumptions = proof->outside};
    json_t *others = assumed_json(&outside, false);
    json_array_extend(list, others);
    json_decref(others);
    for (size_t i = 0; i < proof->outside.count; i++) {
        const struct assumed *assumed = vector_at(&proof->outside, i);
        char *longer = memory_format("%s%s%s", *words, **words ? ", " : "", assumption_table[assumed->kind].text);
        free(*words);
        *words = longer;
    }
    return list;
}

static void print_json(const struct result *result) {
    const struct proof *proof = &result->proof;
    bool violation = result->found.kind != FOUND_NOTHING;
    bool none = holds(result) || !proof->adds_state;
    none = none && proof->abstractions.count == proof->idle && result->options->model != MODEL_SC;
    json_t *adds = none ? json_false() : result->found.kind == FOUND_STATE ? json_true() : json_null();
    char *bounds;
    json_t *assumptions = assumptions_json(proof, &bounds);
    bool bounded = holds(result) && proof->assumptions.count + proof->outside.count > 0;
    struct report report = {.engine = "prove", .model = result->options->model, .front_s = result->front_s};
    struct verdict head = {.word = holds(result) ? VERDICT_SAFE
                                   : violation   ? VERDICT_VIOLATION
                                                 : VERDICT_UNDECIDED,
                           .bounded = bounded,
                           .states = result->found.verdict.states,
                           .queries = proof->queries,
                           .time_s = proof->time_s};
    json_t *object = report_head_json(&report, &head);
    json_object_set_new(object, "bounds", json_text(bounded ? bounds : ""));
    json_object_set_new(object, "adds_state", adds);
    json_object_set_new(object, "pairs", json_integer((json_int_t)proof->pairs.count));
    json_object_set_new(object, "right_movers", json_integer(proof->right_movers));
    json_object_set_new(object, "left_movers", json_integer(proof->left_movers));
    json_object_set_new(object, "abstractions", json_integer((json_int_t)proof->abstractions.count));
    json_object_set_new(object, "idle", json_integer(proof->idle));
    json_object_set_new(object, "facts", json_integer((json_int_t)proof->facts.count));
    json_object_set_new(object, "assumptions", assumptions);
    json_object_set_new(object, "failures", failures_json(proof));
    json_object_set_new(object, "pair_queries", json_integer((json_int_t)proof->pair_queries));
    json_object_set_new(object, "assertions", json_integer(proof->assertions));
    json_object_set_new(object, "claims", json_integer(proof->claims));
    if (violation) {
        finding_json(&result->found, object, result->options);
    } else if (!holds(result)) {
        const char *fails = proof->adds_state ? "some pair does not move" : "some claim or assertion is not proved";
        json_object_set_new(object, "reason", json_text(proof->word == PROOF_UNDECIDED ? proof->reason : fails));
    }
    report_print_json(object, stdout);
    free(bounds);
}

/* --- The command -------------------------------------------------------------------------------------------------- */

static int exit_code(const struct result *result) {
    if (holds(result)) {
        return EXIT_HOLDS;
    }
    switch (result->proof.word) {
    case PROOF_REFUSED:
        return EXIT_BAD_INPUT;
    default:
        return result->found.kind == FOUND_DEFECT    ? EXIT_DEFECT
               : result->found.kind != FOUND_NOTHING ? EXIT_VIOLATION
                                                     : EXIT_UNDECIDED;
    }
}

/* Claims and assertions that are not proved may be decided by another engine if all pairs move; what is not proved may
 * be wrong. */
static void look_further(struct result *result, const struct task *task) {
    const struct proof *proof = &result->proof;
    if (count_pairs(proof, PAIR_FAILS) == 0 && proof->many_classes == 0 && proof->classes > 0 &&
        prove_decide(task, result->options, result->forms, &result->decided_by)) {
        return;
    }
    result->decided_by = NULL;
    struct search_goal goal = {.errors = true, .states = proof->adds_state};
    prove_search(task, result->options, result->forms, goal, &result->found);
}

/* The abstracted program as C. */
static bool emit_abstracted(const struct options *options, const struct program_forms *forms) {
    struct program program;
    FILE *file = fopen(options->emit, "w");
    if (!file) {
        fprintf(stderr, "picket prove: cannot write %s: %s\n", options->emit, strerror(errno));
        return false;
    }
    program_copy(&forms->noted, &program);
    pass_notes_apply(&program, false, true);
    pass_simplify(&program);
    pass_compact(&program);
    emit_program(&program, DIALECT_PICKET, options->emit, file);
    program_delete(&program);
    return fclose(file) == 0;
}

static void run_proof(struct session *session, const struct program_forms *forms) {
    const struct options *options = session->options;
    struct result result = {.options = options, .forms = forms, .front_s = session->front_s};
    struct task task = session_task(session);
    task.jobs = 1;
    struct prove_options prove = {.smt = options->smt};
#ifndef NDEBUG
    const char *seed = getenv("PICKET_PROVE_SEED"); /* an engine with a defect, for tests */
    for (int i = 0; seed && i < SEED_COUNT; i++) {
        prove.seed = strcmp(seed, prove_seed_names[i]) == 0 ? (enum prove_seed)i : prove.seed;
    }
#endif
    proof_init(&result.proof, &task, &prove);
    finding_init(&result.found);
    if (result.proof.word == PROOF_FAILS) {
        look_further(&result, &task);
    }
    progress_end(&session->progress);
    if (result.proof.word == PROOF_REFUSED) {
        session_refuse(session, "prove", result.proof.file, result.proof.line, result.proof.reason);
    } else {
        (options->format == FORMAT_JSON ? print_json : print_text)(&result);
    }
    session->code = exit_code(&result);
    finding_delete(&result.found);
    proof_delete(&result.proof);
}

int command_prove(const struct options *options) {
    struct program_forms forms;
    struct session session;
    struct reading reading = {.engine = "prove", .forms = &forms};
    if (options->model == MODEL_PSO) {
        fputs("picket prove: the theorem is about TSO; choose --model tso\n", stderr);
        return EXIT_BAD_INPUT;
    }
    if (options->smt && mkdir(options->smt, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "picket prove: cannot make the directory %s: %s\n", options->smt, strerror(errno));
        return EXIT_BAD_INPUT;
    }
    if (session_begin(&session, options, &reading)) {
        if (options->emit && !emit_abstracted(options, &forms)) {
            session.code = EXIT_BAD_INPUT;
        } else {
            run_proof(&session, &forms);
        }
    }
    return session_end(&session);
}
