/* `picket check`: runs an engine and reports its verdict. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/report.h"
#include "util/exit_code.h"
#include "util/memory.h"

struct machine_options options_for_machine(const struct options *options) {
    return (struct machine_options){
        .model = options->model,
        .awaits = AWAIT_SPIN,
        .check_leaks = options->check_leaks,
        .check_uninit = options->check_uninit,
        .check_stale = options->check_stale,
        .check_liveness = options->check_liveness,
        .check_races = options->check_races,
        .spurious = options->spurious,
        .thread_depth = (uint32_t)options->thread_depth,
        .malloc_fail = options->malloc_fail,
        .stop = limits_flag(),
    };
}

static void copy_texts(const struct vector *from, struct vector *to) {
    for (size_t i = 0; i < from->count; i++) {
        char *text = memory_copy_text(*(char **)vector_at(from, i));
        vector_push(to, &text);
    }
}

/* What is said when memory runs out in the middle of a search. */
struct unfinished {
    const struct options *options;
    const struct report *report;
    struct verdict *verdict;
};

static void report_unfinished(void *data) {
    const struct unfinished *unfinished = data;
    struct verdict *verdict = unfinished->verdict;
    verdict->word = VERDICT_UNDECIDED;
    snprintf(verdict->reason, sizeof verdict->reason, "memory is full");
    (unfinished->options->format == FORMAT_JSON ? report_json : report_text)(unfinished->report, verdict, stdout);
    fflush(stdout);
}

int command_check(const struct options *options) {
    struct program program;
    struct diagnostics diagnostics;
    if (!options->engine) {
        fputs("picket check: the oracle is an engine of picket robust; picket check has lazy, which asks it\n", stderr);
        return EXIT_BAD_INPUT;
    }
    struct report report = {
        .engine = options->engine->name,
        .omits = options->engine->omits,
        .model = options->model,
        .quiet = options->quiet,
    };
    diagnostics_init(&diagnostics);
    int code;
    double start = limits_now();
    uint32_t bound = (uint32_t)options->unroll;
    uint32_t unroll = options->engine->bounds_loops && !options->automatic ? 0 : bound;
    bool read = input_read(&options->files, &options->clang_args, unroll, &program, &diagnostics, &code);
    report.front_s = limits_now() - start;
    if (!read) {
        diagnostics_print(&diagnostics, stderr);
        if (options->format == FORMAT_JSON) {
            report_error_json(&report, &diagnostics, stdout);
        }
        diagnostics_delete(&diagnostics);
        return code;
    }
    struct limits limits = {.timeout = options->timeout, .memory_mb = options->memory_mb};
    struct progress progress;
    struct task task = {
        .program = &program,
        .machine = options_for_machine(options),
        .limits = &limits,
        .progress = &progress,
        .unroll = unroll,
        .iterations = bound,
        .runs = options->runs,
        .seed = options->seed,
        .steps = options->steps,
        .scheduler = options->scheduler,
        .collect = options->collect,
        .dpor = options->dpor,
        .jobs = (uint32_t)options->jobs,
        .shortest = options->shortest,
        .restriction = options->restriction,
        .copies = (uint32_t)options->copies,
    };
    const struct engine *engine = options_engine(options, &task);
    report.engine = engine->name;
    const char *refusal = engine->refuses ? engine->refuses(&task) : NULL;
    if (task.restriction.kind != RESTRICTION_NONE && engine->keeps_to != task.restriction.kind &&
        engine->keeps_to != RESTRICTION_ANY) {
        refusal = "--rounds is for the engines rounds, seq and brute, --age for the engines age and brute";
    }
    if (refusal) {
        fprintf(stderr, "picket check: %s\n", refusal);
        program_delete(&program);
        diagnostics_delete(&diagnostics);
        return EXIT_BAD_INPUT;
    }
    struct verdict verdict;
    verdict_init(&verdict);
    limits_start(&limits);
    progress_start(&progress, options->progress || (isatty(STDERR_FILENO) && !options->quiet));
    report.program = &program;
    struct unfinished unfinished = {options, &report, &verdict};
    memory_on_full(report_unfinished, &unfinished);
    engine_run(engine, &task, &verdict);
    memory_on_full(NULL, NULL);
    if (verdict.word == VERDICT_VIOLATION) {
        copy_texts(&options->files, &verdict.witness.files);
        copy_texts(&options->clang_args, &verdict.witness.clang_args);
        if (witness_save(&verdict.witness, options->witness)) {
            report.witness_path = options->witness;
        } else {
            fprintf(stderr, "picket: cannot write the witness to %s\n", options->witness);
        }
    }
    (options->format == FORMAT_JSON ? report_json : report_text)(&report, &verdict, stdout);
    code = verdict_exit_code(&verdict);
    verdict_delete(&verdict);
    program_delete(&program);
    diagnostics_delete(&diagnostics);
    return code;
}
