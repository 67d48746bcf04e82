/* `picket prove`: does the store buffer add any state, for any number of threads?  The engine proves; if it cannot,
 * cli/prove_search.h looks for an execution that shows that there is something to find. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/prove_search.h"
#include "prove/prove.h"
#include "report/report.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* What is reported: the proof, and what was found where it fails. */
struct result {
    const struct options *options;
    const struct program *program;
    struct proof proof;
    struct finding found;
    double front_s;
    int code;
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

static void print_text(const struct result *result) {
    const struct proof *proof = &result->proof;
    size_t moving = count_pairs(proof, PAIR_STORE_MOVES) + count_pairs(proof, PAIR_LOAD_MOVES);
    if (proof->word == PROOF_HOLDS) {
        printf("the store buffer adds no state, for %s\n",
               proof->many_classes > 0 ? "any number of threads" : "these threads");
        puts("  (whether assertions hold is not proved: what holds under SC holds under TSO)");
    } else if (result->found.kind != FOUND_NOTHING) {
        puts(result->found.kind == FOUND_STATE ? "the store buffer adds a state" : "an error is reachable under TSO");
    } else if (proof->word == PROOF_UNDECIDED) {
        printf("undecided: %s; %zu of %zu pairs were proved\n", proof->reason, moving, proof->pairs.count);
    } else {
        printf("not proved: %zu of %zu pairs do not move\n", count_pairs(proof, PAIR_FAILS), proof->pairs.count);
    }
    if (!result->options->quiet) {
        print_failures(proof);
        if (proof->word == PROOF_FAILS) {
            putchar('\n');
        }
        if (result->options->explain) {
            print_reasons(proof);
        }
    }
    print_counts(result);
    finding_print(&result->found, result->options);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *line_json(const struct proof_line *line) {
    return json_pack("{s:s, s:i, s:s}", "file", line->file, "line", (int)line->line, "what", line->what);
}

static json_t *obstacle_json(const struct obstacle *obstacle) {
    json_t *object = line_json(&obstacle->step);
    if (obstacle->model) {
        json_object_set_new(object, "model", json_string(obstacle->model));
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
    return list;
}

static void print_json(const struct result *result) {
    const struct proof *proof = &result->proof;
    bool violation = result->found.kind != FOUND_NOTHING;
    const char *word = proof->word == PROOF_HOLDS ? "safe" : violation ? "violation" : "undecided";
    json_t *adds = proof->word == PROOF_HOLDS          ? json_false()
                   : result->found.kind == FOUND_STATE ? json_true()
                                                       : json_null();
    json_t *object = json_pack(
        "{s:s, s:b, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:f, s:f, s:I, s:o, s:i, s:i, s:i, s:i, s:i, s:i, "
        "s:[], s:o}",
        "verdict", word, "bounded", 0, "bounds", "", "model", model_names[result->options->model], "engine", "prove",
        "traces", 0, "blocked", 0, "cut", 0, "redundant", 0, "states", (json_int_t)result->found.verdict.states,
        "queries", (json_int_t)proof->queries, "front_s", result->front_s, "time_s", proof->time_s, "memory_mb",
        (json_int_t)limits_peak_memory(), "adds_state", adds, "pairs", (int)proof->pairs.count, "right_movers",
        (int)proof->right_movers, "left_movers", (int)proof->left_movers, "abstractions", 0, "idle", 0, "facts", 0,
        "assumptions", "failures", failures_json(proof));
    if (violation) {
        finding_json(&result->found, object, result->options);
    } else if (proof->word != PROOF_HOLDS) {
        json_object_set_new(object, "reason",
                            json_string(proof->word == PROOF_UNDECIDED ? proof->reason : "some pair does not move"));
    }
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}

/* --- The command -------------------------------------------------------------------------------------------------- */

static void print_refusal(const struct result *result) {
    const struct proof *proof = &result->proof;
    struct diagnostics diagnostics;
    struct report report = {.engine = "prove", .model = result->options->model, .front_s = result->front_s};
    diagnostics_init(&diagnostics);
    diagnostics_add(&diagnostics, proof->file ? proof->file : "", proof->line, 0, "prove cannot do this: %s",
                    proof->reason);
    diagnostics_print(&diagnostics, stderr);
    if (result->options->format == FORMAT_JSON) {
        report_error_json(&report, &diagnostics, stdout);
    }
    diagnostics_delete(&diagnostics);
}

static int exit_code(const struct result *result) {
    switch (result->proof.word) {
    case PROOF_HOLDS:
        return EXIT_HOLDS;
    case PROOF_REFUSED:
        return EXIT_BAD_INPUT;
    default:
        return result->found.kind == FOUND_DEFECT    ? EXIT_DEFECT
               : result->found.kind != FOUND_NOTHING ? EXIT_VIOLATION
                                                     : EXIT_UNDECIDED;
    }
}

static void run_proof(struct result *result) {
    const struct options *options = result->options;
    struct limits limits = {.timeout = options->timeout, .memory_mb = options->memory_mb};
    struct progress progress;
    struct task task = {
        .program = result->program,
        .machine = options_for_machine(options),
        .limits = &limits,
        .progress = &progress,
        .jobs = 1,
    };
    struct prove_options prove = {.smt = options->smt};
#ifndef NDEBUG
    const char *seed = getenv("PICKET_PROVE_SEED"); /* an engine with a defect, for tests */
    for (int i = 0; seed && i < SEED_COUNT; i++) {
        prove.seed = strcmp(seed, prove_seed_names[i]) == 0 ? (enum prove_seed)i : prove.seed;
    }
#endif
    limits_start(&limits);
    progress_start(&progress, options->progress || (isatty(STDERR_FILENO) && !options->quiet));
    proof_init(&result->proof, &task, &prove);
    finding_init(&result->found);
    if (result->proof.word == PROOF_FAILS) {
        prove_search(&task, options, &result->found);
    }
    progress_end(&progress);
    if (result->proof.word == PROOF_REFUSED) {
        print_refusal(result);
    } else if (options->format == FORMAT_JSON) {
        print_json(result);
    } else {
        print_text(result);
    }
    result->code = exit_code(result);
    finding_delete(&result->found);
    proof_delete(&result->proof);
}

int command_prove(const struct options *options) {
    struct program program;
    struct diagnostics diagnostics;
    struct result result = {.options = options, .program = &program};
    if (options->model == MODEL_PSO) {
        fputs("picket prove: the theorem is about TSO; choose --model tso\n", stderr);
        return EXIT_BAD_INPUT;
    }
    if (options->model == MODEL_SC) {
        fputs("picket prove: under SC there is no store buffer, and nothing else is proved; choose --model tso\n",
              stderr);
        return EXIT_BAD_INPUT;
    }
    if (options->smt && mkdir(options->smt, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "picket prove: cannot make the directory %s: %s\n", options->smt, strerror(errno));
        return EXIT_BAD_INPUT;
    }
    diagnostics_init(&diagnostics);
    double start = limits_now();
    bool read = input_read(&options->files, &options->clang_args, 0, &program, &diagnostics, &result.code);
    result.front_s = limits_now() - start;
    if (!read) {
        struct report report = {.engine = "prove", .model = options->model, .front_s = result.front_s};
        diagnostics_print(&diagnostics, stderr);
        if (options->format == FORMAT_JSON) {
            report_error_json(&report, &diagnostics, stdout);
        }
    } else {
        run_proof(&result);
        program_delete(&program);
    }
    diagnostics_delete(&diagnostics);
    return result.code;
}
