/* `picket robust`: does the store buffer add any behaviour?  fence/robustness.h decides; here a cycle is put into
 * words.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "explore/explore.h"
#include "explore/robust.h"
#include "fence/robustness.h"
#include "ir/sync.h"
#include "machine/describe.h"
#include "report/report.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* The cycle that was found, in words; a line for each edge. */
struct finding {
    struct vector lines; /* of char * */
    const char *file;
    uint32_t line;
    bool found;
    const char *engine; /* that answered */
};

static char *failed_text(const struct chronological *execution, uint32_t index) {
    const struct failed_read *failed = vector_at(&execution->failed, index);
    const struct program *program = machine_program(execution->machine);
    const struct position *position = &program->positions[failed->pos];
    char name[128];
    machine_describe(execution->machine, failed->access.address, failed->access.size, name, sizeof name);
    return memory_format("%s%s's read of %s, which keeps it waiting, (%s:%u)", failed->thread ? "thread " : "",
                         machine_thread_name(execution->machine, failed->thread), name,
                         program_string(program, position->file), position->line);
}

static char *event_text(const struct chronological *execution, const struct cycle_event *at) {
    if (at->failed != NO_EVENT) {
        return failed_text(execution, at->failed);
    }
    uint32_t index = at->event;
    const struct event *event = chronological_event(execution, index);
    const struct program *program = machine_program(execution->machine);
    const struct position *position = &program->positions[event->pos];
    uint32_t thread = event->label.transition.thread;
    char name[128] = "";
    const struct label *label = &event->label;
    for (uint32_t i = index + 1; event->kind == STEP_STORE && i < execution->events.count; i++) {
        const struct event *drain = chronological_event(execution, i);
        if (drain->kind == STEP_DRAIN && drain->store == index) {
            label = &drain->label;
        }
    }
    if (label->accesses > 0 || label->early) {
        machine_describe(execution->machine, label->access[0].address, label->access[0].size, name, sizeof name);
    }
    const char *verb = event->kind == STEP_LOAD    ? "read of"
                       : event->kind == STEP_STORE ? "write of"
                       : event->kind == STEP_SYNC  ? sync_table[event->sub].name
                                                   : "update of";
    return memory_format("%s%s's %s %s (%s:%u)", thread ? "thread " : "",
                         machine_thread_name(execution->machine, thread), verb, name,
                         program_string(program, position->file), position->line);
}

static char *edge_text(const struct chronological *execution, const struct cycle_event *from,
                       const struct cycle_event *to) {
    static const char *const links[] = {
        [CYCLE_PROGRAM_ORDER] = "comes in its program before",
        [CYCLE_STORE_ORDER] = "reaches memory before",
        [CYCLE_READS_FROM] = "reaches memory no later than what is seen by",
        [CYCLE_FROM_READS] = "sees memory as it was before",
    };
    const char *link = links[from->edge];
    bool delayed = from->failed == NO_EVENT && from->edge == CYCLE_PROGRAM_ORDER &&
                   chronological_event(execution, from->event)->kind == STEP_STORE &&
                   (to->failed != NO_EVENT || chronological_event(execution, to->event)->kind == STEP_LOAD);
    for (uint32_t i = to->failed == NO_EVENT ? to->event + 1 : 0; delayed && i < execution->events.count; i++) {
        const struct event *drain = chronological_event(execution, i);
        if (drain->kind == STEP_DRAIN && drain->store == from->event) {
            link = "is delayed past";
        }
    }
    char *one = event_text(execution, from);
    char *other = event_text(execution, to);
    char *text = memory_format("%s\n      %s %s", one, link, other);
    free(one);
    free(other);
    return text;
}

static void describe_cycle(void *data, struct chronological *execution, const struct vector *cycle) {
    struct finding *finding = data;
    finding->found = true;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct cycle_event *from = vector_at(cycle, i);
        const struct cycle_event *to = vector_at(cycle, (i + 1) % cycle->count);
        char *text = edge_text(execution, from, to);
        vector_push(&finding->lines, &text);
        const struct event *event = from->failed == NO_EVENT ? chronological_event(execution, from->event) : NULL;
        if (event && event->kind == STEP_STORE && from->edge == CYCLE_PROGRAM_ORDER && !finding->file) {
            const struct program *program = machine_program(execution->machine);
            finding->file = program_string(program, program->positions[event->pos].file);
            finding->line = program->positions[event->pos].line;
        }
    }
}

static void finding_init(struct finding *finding) {
    *finding = (struct finding){0};
    vector_init(&finding->lines, sizeof(char *));
}

static void finding_delete(struct finding *finding) {
    for (size_t i = 0; i < finding->lines.count; i++) {
        free(*(char **)vector_at(&finding->lines, i));
    }
    vector_delete(&finding->lines);
}

static void print_text(const struct options *options, const struct finding *finding, const struct verdict *verdict) {
    const char *model = options->model == MODEL_TSO ? "TSO" : "PSO";
    if (finding->found) {
        printf("not robust under %s: the store buffer makes this possible, and SC does not\n\n", model);
        for (size_t i = 0; i < finding->lines.count; i++) {
            printf("    %s\n", *(char **)vector_at(&finding->lines, i));
        }
        puts("\nEach line must hold before the next, and the last before the first.");
    } else if (verdict->word == VERDICT_SAFE && verdict->bounded) {
        printf("robust within bounds under %s (%s)\n", model, verdict->bounds);
    } else if (verdict->word == VERDICT_SAFE) {
        printf("robust under %s: the store buffer adds no behaviour\n", model);
    } else {
        printf("undecided under %s: %s\n", model, verdict->reason);
    }
    if (finding->engine == engine_explore.name) {
        printf("  %" PRIu64 " execution%s complete, %" PRIu64 " blocked, %" PRIu64 " cut; %.2f s\n", verdict->traces,
               verdict->traces == 1 ? "" : "s", verdict->blocked, verdict->cut, verdict->time_s);
    } else {
        printf("  %" PRIu64 " states; %.2f s\n", verdict->states, verdict->time_s);
    }
}

static void print_json(const struct options *options, const struct finding *finding, double front_s,
                       struct verdict *verdict) {
    struct report report = {.engine = finding->engine, .model = options->model, .front_s = front_s};
    if (!finding->found) {
        report_json(&report, verdict, stdout);
        return;
    }
    json_t *cycle = json_array();
    for (size_t i = 0; i < finding->lines.count; i++) {
        json_array_append_new(cycle, json_string(*(char **)vector_at(&finding->lines, i)));
    }
    json_t *object = json_pack(
        "{s:s, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:s, s:s, s:s, s:i, s:o}", "verdict",
        "violation", "bounded", 0, "bounds", "", "model", model_names[options->model], "engine", finding->engine,
        "traces", (json_int_t)verdict->traces, "blocked", (json_int_t)verdict->blocked, "cut", (json_int_t)verdict->cut,
        "redundant", (json_int_t)verdict->redundant, "states", (json_int_t)verdict->states, "queries",
        (json_int_t)verdict->queries, "front_s", front_s, "time_s", verdict->time_s, "memory_mb",
        (json_int_t)limits_peak_memory(), "kind", "not-robust", "message", "the store buffer adds a behaviour", "file",
        finding->file ? finding->file : "", "line", (int)finding->line, "cycle", cycle);
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}

int command_robust(const struct options *options) {
    struct program program;
    struct diagnostics diagnostics;
    int code;
    if (options->model == MODEL_SC) {
        fputs("picket robust: under SC every program is robust; choose --model tso or pso\n", stderr);
        return EXIT_BAD_INPUT;
    }
    bool oracle = strcmp(options->engine_name, "oracle") == 0;
    if (!oracle && options->engine != &engine_explore) {
        fputs("picket robust: the engines for robustness are auto, explore and oracle\n", stderr);
        return EXIT_BAD_INPUT;
    }
    if (oracle && options->model == MODEL_PSO) {
        fputs("picket robust: the oracle knows TSO only; choose --engine explore for PSO\n", stderr);
        return EXIT_BAD_INPUT;
    }
    diagnostics_init(&diagnostics);
    double start = limits_now();
    bool read =
        input_read(&options->files, &options->clang_args, (uint32_t)options->unroll, &program, &diagnostics, &code);
    double front_s = limits_now() - start;
    if (!read) {
        struct report report = {.engine = options->engine_name, .model = options->model, .front_s = front_s};
        diagnostics_print(&diagnostics, stderr);
        if (options->format == FORMAT_JSON) {
            report_error_json(&report, &diagnostics, stdout);
        }
        diagnostics_delete(&diagnostics);
        return code;
    }
    if (options->model == MODEL_PSO && options->unroll == 0 && program_find_loops(&program) == LOOPS_ENDLESS) {
        fputs(
            "picket robust: under PSO only programs whose executions end can be decided, and this one has a loop that "
            "need not end: give a bound with --unroll, or choose --model tso\n",
            stderr);
        program_delete(&program);
        diagnostics_delete(&diagnostics);
        return EXIT_BAD_INPUT;
    }
    struct limits limits = {.timeout = options->timeout, .memory_mb = options->memory_mb};
    struct progress progress;
    struct finding finding;
    finding_init(&finding);
    struct task task = {
        .program = &program,
        .machine = options_for_machine(options),
        .limits = &limits,
        .progress = &progress,
        .unroll = (uint32_t)options->unroll,
        .jobs = (uint32_t)options->jobs,
    };
    struct robustness robustness;
    robustness_init(&robustness);
    struct verdict verdict;
    verdict_init(&verdict);
    limits_start(&limits);
    progress_start(&progress, options->progress || (isatty(STDERR_FILENO) && !options->quiet));
    enum robustness_way way = oracle                                      ? ROBUSTNESS_ORACLE
                              : strcmp(options->engine_name, "auto") == 0 ? ROBUSTNESS_TURNS
                                                                          : ROBUSTNESS_EXPLORE;
    robustness_decide(&task, way, false, &robustness, &verdict);
    finding.engine = robustness.engine;
    if (verdict.word == VERDICT_VIOLATION) {
        execution_is_cyclic(&program, vector_at(&robustness.executions, 0), describe_cycle, &finding);
    }
    code = verdict_exit_code(&verdict);
    if (verdict.word == VERDICT_DEFECT) {
        fprintf(stderr, "picket: a defect in Picket itself: %s\n", verdict.reason);
    } else if (verdict.word == VERDICT_REFUSED) {
        fprintf(stderr, "picket robust: %s\n", verdict.reason);
    } else if (options->format == FORMAT_JSON) {
        print_json(options, &finding, front_s, &verdict);
    } else {
        print_text(options, &finding, &verdict);
    }
    finding_delete(&finding);
    robustness_delete(&robustness);
    verdict_delete(&verdict);
    program_delete(&program);
    diagnostics_delete(&diagnostics);
    return code;
}
