/* Running an engine, and replaying its violation before it is shown. */
#include "engine/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/checks.h"
#include "ir/loops.h"
#include "util/memory.h"

void verdict_init(struct verdict *verdict) {
    memset(verdict, 0, sizeof *verdict);
    verdict->word = VERDICT_UNDECIDED;
    witness_init(&verdict->witness);
    vector_init(&verdict->collected.texts, sizeof(char *));
    vector_init(&verdict->assumptions, sizeof(struct assumed));
}

void verdict_delete(struct verdict *verdict) {
    free(verdict->file);
    witness_delete(&verdict->witness);
    for (size_t i = 0; i < verdict->collected.texts.count; i++) {
        free(*(char **)vector_at(&verdict->collected.texts, i));
    }
    vector_delete(&verdict->collected.texts);
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        free(((struct assumed *)vector_at(&verdict->assumptions, i))->file);
    }
    vector_delete(&verdict->assumptions);
}

void verdict_add_bound(struct verdict *verdict, const char *format, ...) {
    size_t used = strlen(verdict->bounds);
    verdict->bounded = true;
    if (used > 0) {
        used += (size_t)snprintf(verdict->bounds + used, sizeof verdict->bounds - used, ", ");
    }
    if (used < sizeof verdict->bounds) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(verdict->bounds + used, sizeof verdict->bounds - used, format, arguments);
        va_end(arguments);
    }
}

/* Has every execution failed an assumption of the program?  Then a proof means nothing.  An endless execution has not
 * failed one: there is none if the engine says so, or if there is no loop. */
static bool is_vacuous(struct verdict *verdict, const struct task *task, unsigned met) {
    uint32_t failed = task->machine.assumed ? atomic_load(&task->machine.assumed->failed) : 0;
    if ((met & (MET_DROPPED | MET_ENDED)) != MET_DROPPED || failed == 0 || task->drops) {
        return false;
    }
    if (!(met & MET_FINITE) && program_find_loops(task->program) != LOOPS_NONE) {
        verdict->may_be_vacuous = true;
        return false;
    }
    const struct position *position = &task->program->positions[failed - 1];
    verdict->settled = true;
    snprintf(verdict->reason, sizeof verdict->reason, "vacuous: every execution fails the assumption at %s:%u",
             program_string(task->program, position->file), position->line);
    return true;
}

/* "the loop at ring.c:31 iterates", "the loops at ring.c:31 and ring.c:40 iterate"; just "loops iterate" if the loops
 * that were cut are unknown. */
static void describe_cut(const struct task *task, char *text, size_t size) {
    const struct assumptions *assumed = task->machine.assumed;
    unsigned count = 0;
    while (assumed && count < LOOPS_NOTED && atomic_load(&assumed->cut[count]) != 0) {
        count++;
    }
    if (count == 0 || atomic_load(&assumed->cut_others)) {
        snprintf(text, size, "loops iterate");
        return;
    }
    size_t used = (size_t)snprintf(text, size, count > 1 ? "the loops at" : "the loop at");
    for (unsigned i = 0; i < count && used < size; i++) {
        const struct position *position = &task->program->positions[atomic_load(&assumed->cut[i]) - 1];
        const char *link = i == 0 ? " " : i + 1 == count ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s:%u", link,
                                 program_string(task->program, position->file), position->line);
    }
    if (used < size) {
        snprintf(text + used, size - used, count > 1 ? " iterate" : " iterates");
    }
}

void verdict_set_safe(struct verdict *verdict, const struct task *task, unsigned met) {
    if (is_vacuous(verdict, task, met)) {
        return;
    }
    verdict->word = VERDICT_SAFE;
    if (met & MET_CUT) {
        char loops[512];
        describe_cut(task, loops, sizeof loops);
        verdict_add_bound(verdict, "%s at most %u times", loops, task->unroll);
    }
    if (met & MET_DEPTH) {
        verdict_add_bound(verdict, "threads create threads at most %u deep: --thread-depth",
                          machine_thread_depth(&task->machine));
    }
    if (met & MET_CLASH) {
        verdict_add_bound(verdict, "a thread is left out because another has its number");
    }
}

void verdict_add_restriction(struct verdict *verdict, struct restriction restriction) {
    static const char *const bounds[] = {
        [RESTRICTION_ROUNDS] = "at most %u rounds per thread",
        [RESTRICTION_AGE] = "stores drain within %u further rounds",
        [RESTRICTION_SWITCHES] = "at most %u context switches",
    };
    char bound[64];
    snprintf(bound, sizeof bound, bounds[restriction.kind], restriction.bound);
    verdict_add_bound(verdict, "%s", bound);
}

void assumptions_init(struct assumptions *assumptions, const struct machine_options *options) {
    memset(assumptions, 0, sizeof *assumptions);
    assumptions->lifted = (uint32_t)options->malloc_fail << ASSUMPTION_MALLOC |
                          (uint32_t)options->spurious << ASSUMPTION_SPURIOUS |
                          (uint32_t)((options->checks & CHECK_FOR_UNINIT) != 0) << ASSUMPTION_UNINITIALISED;
}

void verdict_add_assumptions(struct verdict *verdict, const struct program *program,
                             const struct assumptions *assumptions) {
    for (unsigned kind = 0; kind < ASSUMPTION_COUNT; kind++) {
        uint32_t first = atomic_load(&assumptions->first[kind]);
        if (first == 0) {
            continue;
        }
        const struct position *position = &program->positions[first - 1];
        struct assumed assumed = {kind, memory_copy_text(program_string(program, position->file)), position->line};
        vector_push(&verdict->assumptions, &assumed);
        verdict->bounded |= verdict->word == VERDICT_SAFE;
    }
}

/* Executions that are cut only in loops without an exit lack nothing: however large the bound, they would be cut. */
bool verdict_lacks_executions(uint64_t complete, uint64_t cut, unsigned met) {
    return complete == 0 && cut > 0 && met & (MET_EXIT | MET_DEPTH | MET_CLASH);
}

void verdict_set_incomplete(struct verdict *verdict, const struct task *task, unsigned met) {
    verdict->incomplete = verdict->settled = true;
    if (met & MET_DEPTH) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "no execution is complete if threads create threads at most %u deep (--thread-depth)",
                 machine_thread_depth(&task->machine));
    } else {
        snprintf(verdict->reason, sizeof verdict->reason, "no execution is complete within the loop bound");
    }
}

void verdict_refuse(struct verdict *verdict, const char *file, uint32_t line, const char *message) {
    verdict->word = VERDICT_REFUSED;
    verdict->file = memory_copy_text(file);
    verdict->line = line;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", message);
}

void verdict_set_violation(struct verdict *verdict, const struct task *task, const struct machine *machine,
                           const struct machine_error *error, const struct transition *steps, size_t count) {
    struct witness *witness = &verdict->witness;
    verdict->word = VERDICT_VIOLATION;
    verdict->error = *error;
    witness->model = task->machine.model;
    witness->awaits = machine_awaits(machine);
    witness->unroll = task->unroll;
    witness->checks = task->machine.checks;
    witness->spurious = task->machine.spurious;
    witness->thread_depth = task->machine.thread_depth;
    witness->malloc_fail = task->machine.malloc_fail;
    for (size_t i = 0; i < count; i++) {
        witness_add(witness, machine, steps[i]);
    }
    witness_set_error(witness, machine, error);
}

void verdict_add_execution(struct verdict *verdict, const struct task *task, const struct machine *machine,
                           enum outcome outcome, const struct vector *steps) {
    verdict->traces += outcome == OUTCOME_COMPLETE;
    verdict->blocked += outcome == OUTCOME_BLOCKED || outcome == OUTCOME_ASSUME;
    verdict->cut += outcome == OUTCOME_CUT || outcome == OUTCOME_RUNAWAY;
    if (outcome == OUTCOME_ERROR) {
        verdict_set_violation(verdict, task, machine, machine_error(machine), steps->data, steps->count);
    } else if (outcome == OUTCOME_RUNAWAY) {
        snprintf(verdict->reason, sizeof verdict->reason, "a thread runs on without ever reaching a visible step");
    }
}

bool verdict_conclude(struct verdict *verdict, const struct task *task, unsigned met) {
    const char *limit = limits_reason(task->limits);
    if (verdict->word == VERDICT_VIOLATION || (verdict->reason[0] && !limit)) {
        return false;
    }
    if (limit) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", limit);
    } else if (verdict_lacks_executions(verdict->traces, verdict->cut, met)) {
        verdict_set_incomplete(verdict, task, met);
    } else {
        verdict_set_safe(verdict, task, met);
    }
    return verdict->word == VERDICT_SAFE;
}

void task_give(struct task *task, const struct engine *engine, struct engine_options *options) {
    options->engine = engine;
    options->next = task->options;
    task->options = options;
}

const struct engine_options *task_options(const struct task *task, const struct engine *engine) {
    const struct engine_options *options = task->options;
    while (options && options->engine->defaults != engine->defaults) {
        options = options->next;
    }
    return options ? options : engine->defaults;
}

const char *engine_refusal(const struct engine *engine, const struct task *task) {
    const char *refusal = engine->refuses ? engine->refuses(task) : NULL;
    return refusal || checks_are_known(task->machine.checks, engine->name) ? refusal : engine->unlooked;
}

void engine_run(const struct engine *engine, const struct task *task, struct verdict *verdict) {
    double start = limits_now();
    struct assumptions assumptions;
    struct task noted = *task;
    assumptions_init(&assumptions, &task->machine);
    noted.machine.assumed = &assumptions;
    engine->run(&noted, verdict);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    verdict_add_assumptions(verdict, task->program, &assumptions);
    if (verdict->word == VERDICT_VIOLATION && !witness_replays(&verdict->witness, task->program)) {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "engine %s reported a violation that does not replay",
                 engine->name);
    }
}
