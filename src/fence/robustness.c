/* The two engines behind `picket robust` and `picket fence`, and who of them is asked when. */
#include "fence/robustness.h"

#include <stdio.h>
#include <stdlib.h>

#include "explore/explore.h"
#include "explore/robust.h"
#include "fence/spelling.h"
#include "ir/flow.h"
#include "reach/oracle.h"
#include "reach/shorten.h"
#include "util/memory.h"
#include "util/range.h"

#define FIRST_TURN 2.0 /* seconds */
#define LONG_PATH 150u

/* --- Loops -------------------------------------------------------------------------------------------------------- */

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

enum looping program_find_loops(const struct program *program) {
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

/* --- Executions ----------------------------------------------------------------------------------------------------
 */

void robustness_init(struct robustness *robustness) {
    *robustness = (struct robustness){0};
    vector_init(&robustness->executions, sizeof(struct execution));
}

void execution_delete(struct execution *execution) {
    vector_delete(&execution->path);
}

void robustness_delete(struct robustness *robustness) {
    for (size_t i = 0; i < robustness->executions.count; i++) {
        execution_delete(vector_at(&robustness->executions, i));
    }
    vector_delete(&robustness->executions);
}

static void copy_path(const struct vector *from, struct vector *to) {
    vector_init(to, sizeof(struct transition));
    for (size_t i = 0; i < from->count; i++) {
        vector_push(to, vector_at(from, i));
    }
}

struct machine *execution_run(const struct program *program, const struct execution *execution,
                              void (*taken)(void *data, struct machine *machine, struct transition transition),
                              void *data) {
    struct machine *machine = machine_new(program, &execution->machine);
    for (size_t i = 0; i < execution->path.count; i++) {
        struct transition next = *(struct transition *)vector_at(&execution->path, i);
        if (!machine_is_enabled(machine, next)) {
            machine_free(machine);
            return NULL;
        }
        machine_take(machine, next);
        if (taken) {
            taken(data, machine, next);
        }
    }
    return machine;
}

bool execution_is_cyclic(const struct program *program, const struct execution *execution,
                         void (*found)(void *data, struct chronological *trace, const struct vector *cycle),
                         void *data) {
    struct machine *machine = machine_new(program, &execution->machine);
    struct chronological trace;
    struct vector cycle;
    bool good = true;
    vector_init(&cycle, sizeof(struct cycle_event));
    chronological_init(&trace, machine);
    trace.notes_failed = execution->implies_reads;
    while (good && trace.taken.count < execution->path.count) {
        struct transition next = *(struct transition *)vector_at(&execution->path, trace.taken.count);
        good = machine_is_enabled(machine, next);
        if (good) {
            chronological_follow(&trace, vector_at(&execution->path, trace.taken.count),
                                 execution->path.count - trace.taken.count);
        }
    }
    good = good && robust_find_cycle(&trace, &cycle);
    if (good && found) {
        found(data, &trace, &cycle);
    }
    vector_delete(&cycle);
    chronological_delete(&trace);
    machine_free(machine);
    return good;
}

/* Keeps the execution if its cycle is there when it is run again; a defect if it is not.  With `several` it is made one
 * in which all reads are steps, if that can be done. */
static void add_execution(struct robustness *robustness, const struct task *task, const struct vector *path,
                          const struct machine_options *options, bool several, struct verdict *verdict) {
    struct execution execution = {.machine = *options, .implies_reads = options->awaits == AWAIT_BLOCK};
    copy_path(path, &execution.path);
    if (verdict->word != VERDICT_DEFECT && execution_is_cyclic(task->program, &execution, NULL, NULL)) {
        verdict->word = VERDICT_VIOLATION;
        if (several && execution.implies_reads) {
            execution_spell_out(&execution, task->program);
        }
        vector_push(&robustness->executions, &execution);
    } else {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "a cycle that does not replay");
        execution_delete(&execution);
    }
}

/* --- The two engines ---------------------------------------------------------------------------------------------- */

struct first_cycle {
    struct vector path; /* of struct transition */
    bool found;
};

static bool look_for_cycle(void *data, struct chronological *trace) {
    struct first_cycle *first = data;
    struct vector cycle;
    vector_init(&cycle, sizeof(struct cycle_event));
    first->found = robust_find_cycle(trace, &cycle);
    if (first->found) {
        copy_path(&trace->taken, &first->path);
    }
    vector_delete(&cycle);
    return first->found;
}

/* May the one write a part of what the other reads? */
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

/* Has it a waiting loop that reads at once what several may write?  A failed round sees some of that, and in which
 * order it comes does not show in an execution in which no round fails. */
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

/* Has it waiting loops with several reads, with trylocks, or with read-modify-writes, which write even if they change
 * nothing?  Which rounds of those may fail cannot be told from an execution in which none does. */
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

static void run_explore(const struct task *task, bool several, struct robustness *robustness, struct verdict *verdict) {
    struct first_cycle first = {.found = false};
    struct task question = *task;
    const char *refusal = engine_explore.refuses ? engine_explore.refuses(task) : NULL;
    robustness->engine = engine_explore.name;
    if (refusal) {
        verdict_refuse(verdict, "", 0, refusal);
        return;
    }
    vector_init(&first.path, sizeof(struct transition));
    question.jobs = 1;
    question.maximal = look_for_cycle;
    question.maximal_data = &first;
    /* A failed round changes nothing, and a shortest cycle has at most two events of a thread: two rounds are enough.
     */
    bool twice = has_wide_awaits(task->program) || has_awaits_for_parts(task->program);
    question.machine.awaits = twice ? AWAIT_TWICE : AWAIT_BLOCK;
    engine_run(&engine_explore, &question, verdict);
    if (first.found) {
        struct machine_options options = question.machine;
        options.run_on = options.run_past_errors = options.end_sections = true;
        add_execution(robustness, task, &first.path, &options, several, verdict);
    }
    vector_delete(&first.path);
}

static int shorter_first(const void *one, const void *other) {
    size_t a = ((const struct oracle_witness *)one)->path.count;
    size_t b = ((const struct oracle_witness *)other)->path.count;
    return a < b ? -1 : a > b;
}

/* Finding the cycle of a long execution takes more time than it tells fences apart: how long it may be, beside one of
 * this length. */
static size_t longest_beside(size_t length) {
    return 4 * length + 100;
}

static void run_oracle(const struct task *task, bool several, struct robustness *robustness, struct verdict *verdict) {
    struct oracle_task question = {
        .program = task->program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
        .every_pair = several,
    };
    struct oracle_result result;
    double start = limits_now();
    oracle_result_init(&result);
    oracle_run(&question, &result);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    verdict->states = result.states;
    verdict->queries = result.queries;
    robustness->engine = "oracle";
    if (result.answer == ORACLE_ROBUST) {
        verdict_set_safe(verdict, task, result.met | (result.cut ? MET_CUT : 0));
    } else if (result.answer == ORACLE_NOT_ROBUST) {
        struct machine_options options = oracle_machine_options(&task->machine);
        struct oracle_witness *witnesses = result.witnesses.data;
        qsort(witnesses, result.witnesses.count, sizeof *witnesses, shorter_first);
        if (witnesses[0].path.count > LONG_PATH) {
            path_shorten(task->program, &options, witnesses[0].before, true, &witnesses[0].path);
        }
        for (size_t i = 0; i < result.witnesses.count; i++) {
            const struct oracle_witness *witness = &witnesses[i];
            if (i > 0 &&
                (witness->path.count > longest_beside(witnesses[0].path.count) || limits_reached(task->limits))) {
                break;
            }
            add_execution(robustness, task, &witness->path, &options, several, verdict);
        }
    } else {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", result.reason);
    }
    oracle_result_delete(&result);
}

/* Each in its turn, for twice as long as the last time, until one has answered or a limit is reached. */
static void take_turns(const struct task *task, bool several, struct robustness *robustness, struct verdict *verdict) {
    bool only_oracle = false;
    bool oracle =
        has_wide_awaits(task->program) || (task->unroll == 0 && program_find_loops(task->program) != LOOPS_NONE);
    for (double turn = FIRST_TURN;; turn *= 2, oracle = !oracle || only_oracle) {
        verdict_delete(verdict);
        verdict_init(verdict);
        task->limits->until = limits_now() + turn;
        task->limits->share_over = false;
        if (oracle) {
            run_oracle(task, several, robustness, verdict);
        } else {
            run_explore(task, several, robustness, verdict);
        }
        task->limits->share_over = false;
        task->limits->until = 0;
        if (verdict->word == VERDICT_REFUSED) {
            only_oracle = true;
        } else if (verdict->word != VERDICT_UNDECIDED || limits_reached(task->limits)) {
            break;
        }
    }
    const char *reason = limits_reason(task->limits);
    if (verdict->word == VERDICT_UNDECIDED && reason) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    }
}

void robustness_decide(const struct task *task, enum robustness_way way, bool several, struct robustness *robustness,
                       struct verdict *verdict) {
    if (way == ROBUSTNESS_ORACLE) {
        run_oracle(task, several, robustness, verdict);
    } else if (way == ROBUSTNESS_TURNS && task->machine.model == MODEL_TSO) {
        take_turns(task, several, robustness, verdict);
    } else {
        run_explore(task, several, robustness, verdict);
    }
}
