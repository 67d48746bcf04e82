/* Running an engine, and the check that no alarm is shown that the machine does not confirm. */
#include "engine/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

void verdict_init(struct verdict *verdict) {
    memset(verdict, 0, sizeof *verdict);
    verdict->word = VERDICT_UNDECIDED;
    witness_init(&verdict->witness);
    vector_init(&verdict->collected.texts, sizeof(char *));
}

void verdict_delete(struct verdict *verdict) {
    free(verdict->file);
    witness_delete(&verdict->witness);
    for (size_t i = 0; i < verdict->collected.texts.count; i++) {
        free(*(char **)vector_at(&verdict->collected.texts, i));
    }
    vector_delete(&verdict->collected.texts);
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

static uint32_t thread_depth(const struct task *task) {
    return task->machine.thread_depth ? task->machine.thread_depth : THREAD_DEPTH;
}

void verdict_set_safe(struct verdict *verdict, const struct task *task, unsigned met) {
    verdict->word = VERDICT_SAFE;
    if (met & MET_CUT) {
        verdict_add_bound(verdict, "loops go round at most %u times", task->unroll);
    }
    if (met & MET_DEPTH) {
        verdict_add_bound(verdict, "threads create threads at most %u deep: --thread-depth", thread_depth(task));
    }
    if (met & MET_STALE) {
        verdict_add_bound(verdict, "no address reuse");
    }
}

void verdict_set_incomplete(struct verdict *verdict, const struct task *task, unsigned met) {
    if (met & MET_DEPTH) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "no execution is complete if threads create threads at most %u deep (--thread-depth)",
                 thread_depth(task));
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
    witness->check_leaks = task->machine.check_leaks;
    witness->check_uninit = task->machine.check_uninit;
    witness->check_stale = task->machine.check_stale;
    witness->check_liveness = task->machine.check_liveness;
    witness->check_races = task->machine.check_races;
    witness->spurious = task->machine.spurious;
    witness->thread_depth = task->machine.thread_depth;
    witness->malloc_fail = task->machine.malloc_fail;
    for (size_t i = 0; i < count; i++) {
        witness_add(witness, machine, steps[i]);
    }
    witness_set_error(witness, machine, error);
}

void engine_run(const struct engine *engine, const struct task *task, struct verdict *verdict) {
    double start = limits_now();
    engine->run(task, verdict);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    if (verdict->word == VERDICT_VIOLATION && !witness_replays(&verdict->witness, task->program)) {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "engine %s reported a violation that does not replay",
                 engine->name);
    }
}
