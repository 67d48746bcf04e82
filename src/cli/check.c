/* `picket check`: runs an engine and reports its verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/auto_check.h"
#include "cli/fence.h"
#include "cli/reports.h"
#include "cli/shorten.h"
#include "engine/checks.h"
#include "util/exit_code.h"
#include "util/memory.h"

#define HELP_SECONDS 2.0

struct machine_options options_for_machine(const struct options *options) {
    return (struct machine_options){
        .model = options->model,
        .awaits = AWAIT_SPIN,
        .checks = options->checks,
        .spurious = options->spurious,
        .thread_depth = options->thread_depth,
        .malloc_fail = options->malloc_fail,
        .stop = limits_flag(),
    };
}

/* The message if memory is full during a search. */
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
    reports_write(unfinished->options, unfinished->report, verdict);
    fflush(stdout);
}

/* Options of only one engine select it without --engine. */
static const struct engine *engine_meant(const struct options *options) {
    return options->automatic && options->collect == COLLECT_NOTHING && options->explore.dpor == DPOR_OPTIMAL
               ? NULL
               : options->engine;
}

static const char *refusal_of(const struct engine *engine, const struct task *task) {
    const char *refusal = engine ? engine_refusal(engine, task) : NULL;
    enum restriction_kind keeps_to = engine ? engine->keeps_to : RESTRICTION_NONE;
    if (task->restriction.kind != RESTRICTION_NONE && keeps_to != task->restriction.kind &&
        keeps_to != RESTRICTION_ANY) {
        refusal = "--rounds is for the engines rounds, seq and brute, --age for the engines age and brute, --switches "
                  "for the engines switches and brute";
    }
    return refusal;
}

/* Keeps the witness.  False if it cannot be written. */
static bool save_witness(const struct options *options, struct verdict *verdict, struct report *report) {
    bool saved = session_save_witness(options, &options->clang_args, &verdict->witness);
    report->witness_path = saved ? options->witness : NULL;
    return saved;
}

/* A proof that rests on something is none with --strict. */
static bool is_strict_enough(const struct options *options, const struct verdict *verdict) {
    return !options->strict || verdict->word != VERDICT_SAFE || !verdict->bounded;
}

/* Does a defect of one engine outweigh what the others have answered? */
static bool defects_count(const struct options *options) {
#ifdef NDEBUG
    return options->cross_check;
#else
    (void)options;
    return true;
#endif
}

/* Can fences help, and is the report read by people?  They do not help with an error that SC has. */
static bool wants_help(const struct options *options, const struct verdict *verdict, const struct shortest *shortest) {
    return verdict->word == VERDICT_VIOLATION && options->model != MODEL_SC && !options->no_explain &&
           !options->quiet && !(options->checks & CHECK_FOR_RACES) && shortest->sc != KNOWN_TRUE;
}

/* What was answered becomes a report and an exit code. */
static void conclude(struct session *session, struct verdict *verdict, struct report *report) {
    const struct options *options = session->options;
    bool saved = verdict->word != VERDICT_VIOLATION || save_witness(options, verdict, report);
    struct shortest shortest;
    shortest_init(&shortest);
    struct fence_help help = {NULL, false};
    char defect[160] = "";
    double start = limits_now();
    if (verdict->word == VERDICT_VIOLATION && !options->no_shrink &&
        shorten(session, report->program, verdict, &shortest, defect, sizeof defect)) {
        report->shortest = &shortest;
        saved = saved && (!shortest.found || session_save_witness(options, &options->clang_args, &verdict->witness));
    }
    if (defect[0]) {
        fprintf(stderr, "picket: a defect in Picket itself: the search for a shorter execution %s\n", defect);
    }
    if (wants_help(options, verdict, &shortest)) {
        help = fence_help(options, &verdict->witness, &session->limits, HELP_SECONDS);
        report->help = help.patch;
        report->help_checked = help.checked;
    }
    report->explain_s = limits_now() - start;
    saved = reports_write(options, report, verdict) && saved;
    free(help.patch);
    session->code = !saved                                ? EXIT_BAD_INPUT
                    : !is_strict_enough(options, verdict) ? EXIT_UNDECIDED
                                                          : (int)verdict_exit_code(verdict);
    if ((defect[0] || (report->engines && engines_have_defect(report->engines))) && defects_count(options)) {
        session->code = EXIT_DEFECT;
    }
    report->shortest = NULL;
    report->help = NULL;
    shortest_delete(&shortest);
}

/* One engine, in this process. */
static void check_with(struct session *session, const struct engine *engine) {
    const struct options *options = session->options;
    struct report report = session_report(session, engine->name);
    struct task task = session_task(session);
    struct verdict verdict;
    struct unfinished unfinished = {options, &report, &verdict};
    report.omits = checks_omitted(engine->name);
    task.recursion = options->recursion;
    task.collect = options->collect;
    task.restriction = options->restriction;
    task.options = options->engines;
    const char *refusal = refusal_of(engine, &task);
    if (refusal) {
        session->code = command_refuse(options, "%s", refusal);
        return;
    }
    verdict_init(&verdict);
    memory_on_full(report_unfinished, &unfinished);
    engine_run(engine, &task, &verdict);
    memory_on_full(NULL, NULL);
    conclude(session, &verdict, &report);
    verdict_delete(&verdict);
}

/* All that can. */
static void check_automatically(struct session *session) {
    struct verdict verdict;
    struct engines_report engines;
    struct task task = {.restriction = session->options->restriction};
    const char *refusal = refusal_of(NULL, &task);
    if (refusal) {
        session->code = command_refuse(session->options, "%s", refusal);
        return;
    }
    verdict_init(&verdict);
    engines_init(&engines);
    struct report report = session_report(session, "auto");
    struct unfinished unfinished = {session->options, &report, &verdict};
    memory_on_full(report_unfinished, &unfinished);
    auto_check(session, &verdict, &engines);
    memory_on_full(NULL, NULL);
    report.engine = engines.answered;
    report.engines = &engines;
    report.program = auto_replayed(session, &verdict.witness);
    engines.verbose = session->options->verbose;
    conclude(session, &verdict, &report);
    engines_delete(&engines);
    verdict_delete(&verdict);
}

int command_check(const struct options *options) {
    struct session session;
    const struct engine *engine = engine_meant(options);
    struct reading reading = {
        .engine = options->engine_name,
        .unroll = engine && engine->bounds_loops ? 0 : options->unroll,
        .both = true,
        .notes = options->checks & CHECK_FOR_CLAIMS ? NOTES_CHECKED : NOTES_DROPPED,
    };
    if (!options->automatic && !engine) {
        return command_refuse(options,
                              strcmp(options->engine_name, "prove") == 0
                                  ? "prove is a command of its own, picket prove, and an engine of picket robust"
                                  : "the oracle is an engine of picket robust; picket check has lazy, which asks it");
    }
    if (session_begin(&session, options, &reading)) {
        if (engine) {
            check_with(&session, engine);
        } else {
            check_automatically(&session);
        }
    }
    return session_end(&session);
}
