/* The commands run on one accepted program: `show`, `translate` in its forms, and the machine under each model.
 *
 * Each input runs one of the printers, chosen by the seed, and all of the machine. */
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "cli/commands.h"
#include "emit/emit.h"
#include "engine/random_source.h"
#include "ir/check.h"
#include "ir/notes.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "machine/machine.h"
#include "seq/print/sequential.h"

#define STEPS 200         /* of an execution */
#define LOCAL_LIMIT 20000 /* of instructions between two steps */
#define MOST_BYTES (UINT64_C(1) << 24)
#define MOST_COPIES 400 /* instructions of a program that is unrolled or translated */

/* A printer's output goes nowhere, but its bytes are made. */
static FILE *nowhere(void) {
    static FILE *out;
    if (!out) {
        out = fopen("/dev/null", "w");
    }
    if (!out) {
        abort();
    }
    return out;
}

static struct program copy_of(const struct program *program) {
    struct program copy;
    void *block = malloc(program->header->size);
    if (!block) {
        abort();
    }
    memcpy(block, program->header, program->header->size);
    if (program_adopt(&copy, block, program->header->size)) {
        abort();
    }
    return copy;
}

static void translate(const struct program *original, uint64_t form) {
    struct program program = copy_of(original);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    pass_simplify(&program);
    pass_narrow(&program);
    if (form < DIALECT_COUNT) {
        pass_compact(&program);
        emit_program(&program, (enum dialect)form, "fuzz.c", nowhere());
    } else if (form < DIALECT_COUNT + ABSTRACTION_COUNT) {
        struct sequential_options options = {.abstraction = (enum abstraction)(form - DIALECT_COUNT),
                                             .rounds = 2,
                                             .unroll = 1,
                                             .clock = 2,
                                             .queue = 2,
                                             .dialect = DIALECT_SVCOMP};
        sequential_print(&program, &options, "fuzz.c", nowhere(), &diagnostics);
    } else {
        struct bound_options options = {
            .kind = form % 2 ? BOUND_ROUNDS : BOUND_AGE, .bound = 2, .copies = 4, .portable = true};
        struct program translated;
        pass_awaits(&program);
        if (bound_translate(&program, &options, &translated, &diagnostics)) {
            pass_compact(&translated);
            emit_program(&translated, DIALECT_PICKET, "fuzz.c", nowhere());
            program_delete(&translated);
        }
    }
    diagnostics_delete(&diagnostics);
    program_delete(&program);
}

static void take_steps(struct machine *machine, struct random_source *random) {
    uint8_t *state = NULL;
    size_t capacity = 0;
    machine_mark mark = machine_set_mark(machine);
    for (int i = 0; i < STEPS; i++) {
        const struct transition *enabled;
        size_t count = machine_enabled(machine, &enabled);
        if (count == 0 || machine_outcome(machine) != OUTCOME_RUNNING) {
            break;
        }
        struct transition transition = enabled[random_below(random, count)];
        if (transition.kind == TRANSITION_STEP) {
            transition.choice = random_below(random, machine_choices(machine, transition.thread));
        }
        struct step step;
        machine_next(machine, transition, &step);
        machine_take(machine, transition);
        if (i % 64 == 63) {
            machine_hash(machine);
            machine_serialise(machine, &state, &capacity);
        }
        if (i == STEPS / 4) {
            machine_undo(machine, mark);
        }
    }
    machine_outcome(machine);
    machine_undo(machine, mark);
    free(state);
}

static void run(const struct program *program, enum memory_model model, uint64_t seed) {
    struct random_source random = random_source_from(seed);
    struct machine_options options = {
        .model = model,
        .awaits = (enum await_mode)(seed % AWAIT_COUNT),
        .checks = seed >> 4 & 31,
        .spurious = seed >> 9 & 1,
        .malloc_fail = seed >> 10 & 1,
        .local_limit = LOCAL_LIMIT,
    };
    struct machine *machine = machine_new(program, &options);
    take_steps(machine, &random);
    machine_free(machine);
}

/* As commands do it: annotations are dropped, or become part of the program. */
static void settle_notes(struct program *program, bool apply) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    if (apply && notes_check(program, &diagnostics)) {
        pass_notes_apply(program, true, false);
    } else {
        pass_notes_drop(program);
    }
    diagnostics_delete(&diagnostics);
}

void exercise_program(struct program *program, uint64_t seed) {
    settle_notes(program, seed >> 14 & 1);
    uint64_t bytes = 0;
    for (size_t g = 0; g < program->globals_count; g++) {
        bytes += program->globals[g].size;
    }
    /* Printing and clearing that much takes long, and shows nothing that less does not. */
    bool small = bytes <= MOST_BYTES && program->code_count <= MOST_COPIES;
    if (small && !(program->header->flags & PROGRAM_HIDES_ADDRESSES)) {
        translate(program, seed % (DIALECT_COUNT + ABSTRACTION_COUNT + 2));
    }
    if (seed % 4 == 0) {
        program_print(program, nowhere());
    }
    input_prepare(program, seed >> 11 & 1 ? 2 : 0);
    if (bytes <= MOST_BYTES) {
        run(program, (enum memory_model)(seed >> 12) % MODEL_COUNT, seed);
    }
    program_delete(program);
}
