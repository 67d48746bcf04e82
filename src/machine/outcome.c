/* How an execution ends: errors, threads that stop, and the outcome if no transition is enabled. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/state.h"

/* --- Errors ------------------------------------------------------------------------------------------------------- */

void machine_stop(struct machine *machine, enum outcome outcome) {
    save(machine, &machine->now.outcome, sizeof machine->now.outcome);
    machine->now.outcome = (uint8_t)outcome;
}

bool machine_in_atomic(const struct machine *machine, uint32_t thread) {
    return machine->now.atomic_owner == thread && machine->now.outcome == OUTCOME_RUNNING;
}

uint32_t machine_atomic_depth(const struct machine *machine, uint32_t thread) {
    return machine_in_atomic(machine, thread) ? machine->now.atomic_depth : 0;
}

void thread_leave_atomic(struct machine *machine, const struct thread *thread) {
    if (machine->now.atomic_owner == thread->slot) {
        save(machine, &machine->now.atomic_owner, 2 * sizeof(uint32_t));
        machine->now.atomic_owner = NO_THREAD;
        machine->now.atomic_depth = 0;
    }
}

void thread_leave_halted(struct machine *machine, const struct thread *thread) {
    bool halted = thread->now.stopped == STOP_ASSUME || thread->now.stopped == STOP_CUT ||
                  (thread->now.stopped == STOP_ERROR && machine->options.end_sections);
    if (halted && thread->now.buffer_count == 0) {
        thread_leave_atomic(machine, thread);
    }
}

void thread_halt(struct machine *machine, struct thread *thread, enum thread_stop stop) {
    thread->now.stopped = (uint8_t)stop;
    if (stop == STOP_ASSUME && machine->options.assumed && machine->lookahead == LOOKAHEAD_NONE) {
        assumptions_note_failed(machine->options.assumed, machine->program, thread_user_pos(machine, thread));
    }
    thread_leave_halted(machine, thread);
    if (!machine->options.run_on) {
        machine_stop(machine, stop == STOP_CUT ? OUTCOME_CUT : OUTCOME_ASSUME);
    }
}

void thread_stay(struct machine *machine, struct thread *thread, uint32_t wanted) {
    thread->now.stopped = wanted > 0 ? STOP_GOAL : STOP_HALT;
    if (wanted == 0) {
        return;
    }
    save(machine, &machine->now.goals, sizeof machine->now.goals);
    if (++machine->now.goals == wanted) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_GOAL,
                     wanted == 1 ? "the thread is in its final state" : "all threads are in their final states");
    }
}

void machine_fail(struct machine *machine, struct thread *thread, uint32_t pos, enum error_kind kind,
                  const char *format, ...) {
    save(machine, &machine->now.errors, sizeof machine->now.errors);
    machine->now.errors++;
    save(machine, &machine->now.error, sizeof machine->now.error);
    struct machine_error *error = &machine->now.error;
    error->kind = kind;
    error->thread = thread->slot;
    error->pos = pos;
    error->other_thread = error->other_pos = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (machine->options.run_past_errors) {
        save(machine, &thread->now, sizeof thread->now);
        thread->now.stopped = STOP_ERROR;
        return;
    }
    machine_stop(machine, OUTCOME_ERROR);
}

void machine_fail_section(struct machine *machine, uint32_t thread) {
    struct thread *owner = machine->threads[thread];
    machine_fail(machine, owner, thread_user_pos(machine, owner), ERROR_ATOMIC_BLOCKED,
                 "a thread waits inside an atomic section, where no other thread can wake it");
    thread_leave_halted(machine, owner);
}

uint32_t machine_errors(const struct machine *machine) {
    return machine->now.errors;
}

const struct machine_error *machine_error(const struct machine *machine) {
    return &machine->now.error;
}

/* --- How an execution ends ---------------------------------------------------------------------------------------- */

/* What a blocked thread waits in, and for which thread. */
static int describe_waiting(struct machine *machine, struct thread *thread, char *text, size_t size) {
    const struct position *position = &machine->program->positions[thread_user_pos(machine, thread)];
    const struct instruction *pc = thread_frame(thread)->pc;
    const char *where = is_in_await(thread) ? "a loop" : "an access";
    const struct thread *other = NULL;
    if (pc->op == OP_SYNC) {
        struct effect outcome;
        sync_outcome(machine, thread, pc, 0, &outcome);
        where = sync_table[pc->width].name;
        other = outcome.waits_for ? thread_with_number(machine, outcome.waits_for - 1) : NULL;
    }
    return snprintf(text, size, "%s%s waits in %s (line %u)%s%s", thread->slot ? "thread " : "", thread->name, where,
                    position->line,
                    !other        ? ""
                    : other->slot ? " for thread "
                                  : " for ",
                    other ? other->name : "");
}

static void report_deadlock(struct machine *machine, struct thread *first, uint32_t waiting) {
    char text[sizeof machine->now.error.message];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < machine->threads_count && used + 1 < sizeof text; i++) {
        struct thread *thread = machine->threads[i];
        if (thread->now.status == THREAD_RUNNING) {
            int wrote = snprintf(text + used, sizeof text - used, "%s", used ? "; " : "");
            used += wrote > 0 ? (size_t)wrote : 0;
            wrote = used < sizeof text ? describe_waiting(machine, thread, text + used, sizeof text - used) : 0;
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    }
    machine_fail(machine, first, thread_user_pos(machine, first), ERROR_DEADLOCK, "%u thread%s blocked for ever: %s",
                 waiting, waiting == 1 ? " is" : "s are", text);
}

/* Does the thread wait at an operation that only another thread can enable?  In a waiting loop its next operation may
 * be enabled, and yet the loop waits. */
static bool waits_at_operation(struct machine *machine, struct thread *thread) {
    const struct instruction *pc = thread_frame(thread)->pc;
    return pc->op == OP_SYNC && !sync_enabled(machine, thread, pc);
}

static enum outcome stuck_outcome(struct machine *machine) {
    struct thread *first = NULL;
    struct thread *awaiting = NULL;
    uint32_t unfinished = 0;
    bool staying = false;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *thread = machine->threads[i];
        if (thread->now.status != THREAD_RUNNING || thread->now.stopped == STOP_EXIT ||
            thread->now.stopped == STOP_ERROR) {
            continue;
        }
        if (thread->now.stopped >= STOP_HALT) {
            staying = true;
            continue;
        }
        if (thread->now.stopped == STOP_CUT && machine->now.exited) {
            continue; /* the process has ended before the bound was met */
        }
        if (thread->now.stopped) {
            return thread->now.stopped == STOP_CUT ? OUTCOME_CUT : OUTCOME_ASSUME;
        }
        unfinished++;
        if (is_in_await(thread) && !waits_at_operation(machine, thread)) {
            awaiting = awaiting ? awaiting : thread;
            bool held_up = machine->now.atomic_owner != NO_THREAD && machine->now.atomic_owner != i;
            if (!held_up && failing_iteration_blocks(machine, thread) && !interpret_fails_again(machine, thread)) {
                return OUTCOME_BLOCKED; /* only this iteration is stuck, a new one would not be */
            }
        } else if (!first && (thread_frame(thread)->pc->op == OP_SYNC || bus_taken(machine, thread))) {
            first = thread;
        }
    }
    if (machine->now.atomic_owner != NO_THREAD) {
        machine_fail_section(machine, machine->now.atomic_owner);
        return OUTCOME_ERROR;
    }
    if (staying && !machine->now.exited) {
        return OUTCOME_BLOCKED;
    }
    if (unfinished == 0 || machine->now.exited) {
        if ((machine->options.checks & CHECK_FOR_LEAKS) && !machine->now.exited) {
            uint32_t errors = machine->now.errors;
            machine_stop(machine, OUTCOME_COMPLETE);
            memory_find_leaks(machine);
            return machine->now.errors > errors ? OUTCOME_ERROR : OUTCOME_COMPLETE;
        }
        return OUTCOME_COMPLETE;
    }
    if (first) {
        report_deadlock(machine, first, unfinished);
        return OUTCOME_ERROR;
    }
    if (awaiting && (machine->options.checks & CHECK_FOR_LIVENESS)) {
        machine_fail(machine, awaiting, thread_user_pos(machine, awaiting), ERROR_LIVENESS,
                     "a thread waits in a loop that no other thread will end");
        return OUTCOME_ERROR;
    }
    return awaiting ? OUTCOME_BLOCKED : OUTCOME_COMPLETE;
}

enum outcome machine_outcome(struct machine *machine) {
    const struct transition *transitions;
    if (machine->now.outcome != OUTCOME_RUNNING) {
        return machine->now.outcome;
    }
    if (machine_enabled(machine, &transitions) > 0) {
        return OUTCOME_RUNNING;
    }
    return machine->now.outcome != OUTCOME_RUNNING ? machine->now.outcome : stuck_outcome(machine);
}

bool machine_exited(const struct machine *machine) {
    return machine->now.exited;
}

int machine_exit_code(const struct machine *machine) {
    return machine->now.exit_code;
}

unsigned machine_met(const struct machine *machine) {
    unsigned met = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        const struct thread *thread = machine->threads[i];
        if (thread->now.status != THREAD_RUNNING || !thread->now.stopped) {
            continue;
        }
        if (thread->now.stopped == STOP_CUT) {
            const struct instruction *at = thread_frame(thread)->pc;
            unsigned refused = thread_is_deepest(machine, thread) ? MET_DEPTH : MET_CLASH;
            bool loop = at->op != OP_SYNC && at->sub != CUT_FRONTIER;
            met |= at->op == OP_SYNC ? refused : loop ? MET_CUT : 0;
            met |= loop && at->sub != CUT_ENDLESS ? MET_EXIT : 0;
            if (loop && machine->options.assumed) {
                assumptions_note_cut(machine->options.assumed, machine->program, thread_user_pos(machine, thread));
            }
        }
        met |= thread->now.stopped == STOP_ASSUME ? MET_DROPPED : 0;
    }
    return met & MET_DROPPED ? met : met | MET_ENDED;
}

struct machine_counts machine_counts(const struct machine *machine) {
    return machine->counts;
}
