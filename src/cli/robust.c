/* `picket robust`: does the store buffer add any behaviour?
 *
 * Two engines can tell.  `explore` tests the trace of every execution for a cycle; it ends if all executions do.  The
 * oracle searches states for a witness, TSO only; it ends if there are finitely many.  They take turns, each time for
 * twice as long, and the first to answer is believed.  For a program with loops the oracle begins.  Failed reads of
 * waiting loops are events, but `explore` does not walk them: programs that wait are the oracle's, and what `explore`
 * says of them under PSO, where there is nobody else to ask, holds with that exception. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "explore/explore.h"
#include "explore/robust.h"
#include "ir/flow.h"
#include "machine/describe.h"
#include "reach/oracle.h"
#include "report/report.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* The cycle that was found, in words; a line for each edge. */
struct finding {
    struct vector taken; /* of struct transition: the execution */
    struct vector lines; /* of char * */
    const char *file;
    uint32_t line;
    bool found;
    const char *engine; /* that answered */
};

#define FIRST_TURN 2.0 /* seconds */

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
                       : event->kind == STEP_SYNC  ? sync_names[event->sub]
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

static bool look_for_cycle(void *data, struct chronological *execution) {
    struct finding *finding = data;
    struct vector cycle;
    vector_init(&cycle, sizeof(struct cycle_event));
    finding->found = robust_find_cycle(execution, &cycle);
    for (size_t i = 0; i < cycle.count; i++) {
        const struct cycle_event *from = vector_at(&cycle, i);
        const struct cycle_event *to = vector_at(&cycle, (i + 1) % cycle.count);
        char *text = edge_text(execution, from, to);
        vector_push(&finding->lines, &text);
        const struct event *event = from->failed == NO_EVENT ? chronological_event(execution, from->event) : NULL;
        if (event && event->kind == STEP_STORE && from->edge == CYCLE_PROGRAM_ORDER && !finding->file) {
            const struct program *program = machine_program(execution->machine);
            finding->file = program_string(program, program->positions[event->pos].file);
            finding->line = program->positions[event->pos].line;
        }
    }
    for (size_t i = 0; finding->found && i < execution->taken.count; i++) {
        vector_push(&finding->taken, vector_at(&execution->taken, i));
    }
    vector_delete(&cycle);
    return finding->found;
}

/* Runs an execution on a new machine: it must have a cycle there, which is put into words. */
static bool replays(struct finding *finding, const struct vector *taken, const struct program *program,
                    const struct machine_options *options) {
    struct machine *machine = machine_new(program, options);
    struct chronological execution;
    bool good = true;
    chronological_init(&execution, machine);
    execution.notes_failed = true;
    while (good && execution.taken.count < taken->count) {
        struct transition next = *(struct transition *)vector_at(taken, execution.taken.count);
        good = machine_is_enabled(machine, next);
        if (good) {
            chronological_add(&execution, next);
        }
    }
    good = good && look_for_cycle(finding, &execution);
    chronological_delete(&execution);
    machine_free(machine);
    return good;
}

/* --- The two engines ------------------------------------------------------------------------------------------------
 */

static void finding_init(struct finding *finding) {
    *finding = (struct finding){0};
    vector_init(&finding->taken, sizeof(struct transition));
    vector_init(&finding->lines, sizeof(char *));
}

static void finding_delete(struct finding *finding) {
    for (size_t i = 0; i < finding->lines.count; i++) {
        free(*(char **)vector_at(&finding->lines, i));
    }
    vector_delete(&finding->taken);
    vector_delete(&finding->lines);
}

static void set_defect(struct verdict *verdict) {
    verdict->word = VERDICT_DEFECT;
    snprintf(verdict->reason, sizeof verdict->reason, "a cycle that does not replay");
}

/* Has it waiting loops with several reads, or with trylocks?  `explore` does not see all rounds of those that fail. */
static bool has_wide_awaits(const struct program *program) {
    size_t awaits = 0;
    size_t reads = 0;
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        bool marked = instruction->flags & INSTRUCTION_AWAIT;
        awaits += instruction->op == OP_AWAIT;
        reads += marked && (instruction->op == OP_LOAD || instruction->op == OP_CAS);
        if (marked && instruction->op == OP_SYNC) {
            return true;
        }
    }
    return reads > awaits;
}

static void run_explore(struct task *task, struct finding *finding, struct verdict *verdict) {
    struct finding first;
    finding_init(&first);
    task->maximal = look_for_cycle;
    task->maximal_data = &first;
    engine_run(&engine_explore, task, verdict);
    finding->engine = engine_explore.name;
    if (verdict->word == VERDICT_SAFE && has_wide_awaits(task->program)) {
        verdict_add_bound(verdict, "some failed rounds of waiting loops apart");
    }
    if (first.found) {
        struct machine_options options = task->machine;
        options.awaits = AWAIT_BLOCK;
        options.run_on = options.run_past_errors = true;
        if (replays(finding, &first.taken, task->program, &options)) {
            verdict->word = VERDICT_VIOLATION;
        } else {
            set_defect(verdict);
        }
    }
    finding_delete(&first);
}

static void run_oracle(const struct task *task, uint32_t jobs, struct finding *finding, struct verdict *verdict) {
    struct oracle_task question = {
        .program = task->program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = jobs,
    };
    struct oracle_result result;
    double start = limits_now();
    oracle_result_init(&result);
    oracle_run(&question, &result);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    verdict->states = result.states;
    verdict->queries = result.queries;
    finding->engine = "oracle";
    if (result.answer == ORACLE_ROBUST) {
        verdict->word = VERDICT_SAFE;
        if (result.cut) {
            verdict_add_bound(verdict, "loops go round at most %u times", task->unroll);
        }
        if (result.stale) {
            verdict_add_bound(verdict, "no address reuse");
        }
    } else if (result.answer == ORACLE_NOT_ROBUST) {
        const struct oracle_witness *witness = vector_at(&result.witnesses, 0);
        struct machine_options options = oracle_machine_options(&task->machine);
        if (replays(finding, &witness->path, task->program, &options)) {
            verdict->word = VERDICT_VIOLATION;
        } else {
            set_defect(verdict);
        }
    } else {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", result.reason);
    }
    oracle_result_delete(&result);
}

/* Can the loop be left, and does it not leave the choice to chance? */
static bool loop_ends(const struct flow *flow, const struct loop *loop) {
    bool exits = false;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        const struct block *block = &flow->blocks[b];
        for (uint32_t i = block->first; loop_has(loop, b) && i < block->end; i++) {
            if (flow->code[i].op == OP_NONDET) {
                return false;
            }
        }
        for (uint32_t k = 0; loop_has(loop, b) && k < block->successors_count; k++) {
            exits = exits || !loop_has(loop, flow->edges[block->successors + k]);
        }
    }
    return exits;
}

/* Does a round of the loop that fails change nothing? */
static bool loop_waits(const struct flow *flow, const struct loop *loop) {
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        for (uint32_t i = flow->blocks[b].first; loop_has(loop, b) && i < flow->blocks[b].end; i++) {
            const struct instruction *code = &flow->code[i];
            if ((code->op == OP_STORE && !(code->flags & INSTRUCTION_AWAIT)) || code->op == OP_RMW ||
                code->op == OP_FREE) {
                return false;
            }
        }
    }
    return flow->code[flow->blocks[loop->header].first].op == OP_AWAIT;
}

/* Loops of the user's that are more than waiting. */
enum looping { LOOPS_NONE, LOOPS_SOME, LOOPS_ENDLESS };

static enum looping find_loops(const struct program *program) {
    enum looping found = LOOPS_NONE;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        struct flow flow;
        flow_init(&flow, program, f);
        bool library = program->functions[f].flags & FUNCTION_LIBRARY;
        for (uint32_t l = 0; l < flow.loops_count && !library; l++) {
            const struct loop *loop = &flow.loops[l];
            if (!loop_waits(&flow, loop)) {
                enum looping kind = loop_ends(&flow, loop) ? LOOPS_SOME : LOOPS_ENDLESS;
                found = kind > found ? kind : found;
            }
        }
        if (flow.irreducible && !library) {
            found = LOOPS_ENDLESS;
        }
        flow_delete(&flow);
    }
    return found;
}

/* Each in its turn, for twice as long as the last time, until one has answered or a limit is reached. */
static void take_turns(struct task *task, uint32_t jobs, bool oracle, struct finding *finding,
                       struct verdict *verdict) {
    bool explore_is_done = has_wide_awaits(task->program);
    for (double turn = FIRST_TURN;; turn *= 2, oracle = !oracle || explore_is_done) {
        verdict_delete(verdict);
        verdict_init(verdict);
        task->limits->until = limits_now() + turn;
        task->limits->share_over = false;
        if (oracle || explore_is_done) {
            run_oracle(task, jobs, finding, verdict);
        } else {
            run_explore(task, finding, verdict);
        }
        task->limits->share_over = false;
        if (verdict->word != VERDICT_UNDECIDED || limits_reached(task->limits)) {
            break;
        }
    }
    const char *reason = limits_reason(task->limits);
    if (verdict->word == VERDICT_UNDECIDED && reason) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    }
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
        printf("  %" PRIu64 " executions complete, %" PRIu64 " blocked, %" PRIu64 " cut; %.2f s\n", verdict->traces,
               verdict->blocked, verdict->cut, verdict->time_s);
    } else {
        printf("  %" PRIu64 " states; %.2f s\n", verdict->states, verdict->time_s);
    }
}

static void print_json(const struct options *options, const struct finding *finding, struct verdict *verdict) {
    struct report report = {.engine = finding->engine, .model = options->model};
    if (!finding->found) {
        report_json(&report, verdict, stdout);
        return;
    }
    json_t *cycle = json_array();
    for (size_t i = 0; i < finding->lines.count; i++) {
        json_array_append_new(cycle, json_string(*(char **)vector_at(&finding->lines, i)));
    }
    json_t *object =
        json_pack("{s:s, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:s, s:s, s:i, s:o}", "verdict",
                  "violation", "bounded", 0, "bounds", "", "model", model_names[options->model], "engine",
                  finding->engine, "traces", (json_int_t)verdict->traces, "blocked", (json_int_t)verdict->blocked,
                  "cut", (json_int_t)verdict->cut, "redundant", (json_int_t)verdict->redundant, "states",
                  (json_int_t)verdict->states, "queries", (json_int_t)verdict->queries, "time_s", verdict->time_s,
                  "kind", "not-robust", "message", "the store buffer adds a behaviour", "file",
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
    if (!input_read(&options->files, &options->clang_args, (uint32_t)options->unroll, &program, &diagnostics, &code)) {
        diagnostics_print(&diagnostics, stderr);
        diagnostics_delete(&diagnostics);
        return code;
    }
    enum looping loops = options->unroll == 0 ? find_loops(&program) : LOOPS_NONE;
    if (options->model == MODEL_PSO && loops == LOOPS_ENDLESS) {
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
    };
    struct verdict verdict;
    verdict_init(&verdict);
    limits_start(&limits);
    progress_start(&progress, options->progress || (isatty(STDERR_FILENO) && !options->quiet));
    if (oracle) {
        run_oracle(&task, (uint32_t)options->jobs, &finding, &verdict);
    } else if (options->model == MODEL_TSO && strcmp(options->engine_name, "auto") == 0) {
        take_turns(&task, (uint32_t)options->jobs, loops != LOOPS_NONE, &finding, &verdict);
    } else {
        run_explore(&task, &finding, &verdict);
    }
    code = verdict_exit_code(&verdict);
    if (verdict.word == VERDICT_DEFECT) {
        fprintf(stderr, "picket: a defect in Picket itself: %s\n", verdict.reason);
    } else if (options->format == FORMAT_JSON) {
        print_json(options, &finding, &verdict);
    } else {
        print_text(options, &finding, &verdict);
    }
    finding_delete(&finding);
    verdict_delete(&verdict);
    program_delete(&program);
    diagnostics_delete(&diagnostics);
    return code;
}
