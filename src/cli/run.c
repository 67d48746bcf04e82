/* `picket run`: one schedule, as if it were the program.
 *
 * Threads take turns of random length; buffers drain at random.  Output is copied as it comes; the exit code is the
 * program's, or 134 after an error. */
#include <stdio.h>

#include "cli/session.h"
#include "engine/random_source.h"
#include "util/exit_code.h"

#define EXIT_ERROR 134
#define MEAN_TURN 16

/* Copies the pieces of output from number *copied on. */
static void copy_output(size_t *copied, const struct machine *machine) {
    size_t count = machine_output_count(machine);
    for (; *copied < count; ++*copied) {
        struct output_piece piece = machine_output(machine, *copied);
        fwrite(piece.text, 1, piece.size, piece.file == 2 ? stderr : stdout);
    }
}

/* Stays with the thread that ran last, most of the time; drains come in between. */
static struct transition pick(struct machine *machine, const struct transition *enabled, size_t count,
                              uint32_t last_thread, struct random_source *source) {
    struct transition transition = enabled[random_below(source, count)];
    if (random_below(source, MEAN_TURN) != 0) {
        for (size_t i = 0; i < count; i++) {
            if (enabled[i].thread == last_thread && enabled[i].kind == TRANSITION_STEP) {
                transition = enabled[i];
                break;
            }
        }
    }
    if (transition.kind == TRANSITION_STEP) {
        transition.choice = random_below(source, machine_choices(machine, transition.thread));
    }
    return transition;
}

static int finish(struct machine *machine, enum outcome outcome) {
    const struct program *program = machine_program(machine);
    switch (outcome) {
    case OUTCOME_COMPLETE:
        return machine_exit_code(machine);
    case OUTCOME_ERROR: {
        const struct machine_error *error = machine_error(machine);
        const struct position *position = &program->positions[error->pos];
        const char *name = machine_thread_name(machine, error->thread);
        fprintf(stderr, "%s:%u: %s: %s (in %s%s)\n", program_string(program, position->file), position->line,
                error_names[error->kind], error->message, error->thread ? "thread " : "", name);
        return EXIT_ERROR;
    }
    case OUTCOME_BLOCKED:
        fputs("picket: every thread waits in a loop that no other thread will end\n", stderr);
        return EXIT_UNDECIDED;
    case OUTCOME_ASSUME:
        fputs("picket: this schedule fails an assumption\n", stderr);
        return EXIT_UNDECIDED;
    case OUTCOME_CUT:
        fputs("picket: in this schedule a loop iterates too often\n", stderr);
        return EXIT_UNDECIDED;
    default:
        fputs("picket: the run was stopped\n", stderr);
        return EXIT_UNDECIDED;
    }
}

int command_run(const struct options *options) {
    struct session session;
    if (!session_begin(&session, options, &(struct reading){.unroll = options->unroll})) {
        return session_end(&session);
    }
    session.limits.memory_mb = 0; /* it needs what the program needs */
    struct machine_options machine_options = options_for_machine(options);
    machine_options.no_undo = true;
    machine_options.local_limit = UINT64_MAX;
    struct machine *machine = machine_new(&session.program, &machine_options);
    struct random_source source = random_source_from(options->random.seed);
    size_t copied = 0;
    const struct transition *enabled;
    size_t count;
    uint32_t last_thread = 0;
    copy_output(&copied, machine);
    while ((count = machine_enabled(machine, &enabled)) > 0 && !limits_reached(&session.limits)) {
        struct transition transition = pick(machine, enabled, count, last_thread, &source);
        machine_take(machine, transition);
        last_thread = transition.thread;
        copy_output(&copied, machine);
    }
    fflush(stdout);
    session.code = finish(machine, machine_outcome(machine));
    machine_free(machine);
    return session_end(&session);
}
