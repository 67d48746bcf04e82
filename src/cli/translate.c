/* `picket translate`: the program as C, for other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "cli/session.h"
#include "emit/emit.h"
#include "ir/passes.h"
#include "seq/print/sequential.h"
#include "util/exit_code.h"
#include "util/memory.h"
#include "util/write_file.h"

#define DEFAULT_ROUNDS 3
#define DEFAULT_UNROLL 2
#define DEFAULT_CLOCK 3
#define DEFAULT_QUEUE 3

/* --- A program without threads ------------------------------------------------------------------------------------ */

/* The abstractions of each model, the default first. */
static const enum abstraction abstractions[MODEL_COUNT][2] = {
    [MODEL_SC] = {ABSTRACTION_SC, ABSTRACTION_SC},
    [MODEL_TSO] = {ABSTRACTION_ETSO, ABSTRACTION_TSO},
    [MODEL_PSO] = {ABSTRACTION_EPSO, ABSTRACTION_PSO},
};

static struct sequential_options sequential_options(const struct options *options) {
    bool rounds = options->restriction.kind == RESTRICTION_ROUNDS;
    bool given = options->abstraction != ABSTRACTION_COUNT;
    return (struct sequential_options){
        .abstraction = given ? options->abstraction : abstractions[options->model][0],
        .rounds = rounds ? options->restriction.bound : DEFAULT_ROUNDS,
        .unroll = options->unroll ? options->unroll : DEFAULT_UNROLL,
        .clock = options->clock ? options->clock : DEFAULT_CLOCK,
        .queue = options->queue ? options->queue : DEFAULT_QUEUE,
        .dialect = options->dialect,
    };
}

/* Is there an option that goes with --sequential? */
static bool has_sequential_options(const struct options *options) {
    return options->abstraction != ABSTRACTION_COUNT || options->clock || options->queue || options->unroll ||
           options->model_given;
}

/* What is wrong with the options, or NULL. */
static const char *sequential_misuse(const struct options *options) {
    if (options->restriction.kind == RESTRICTION_ROUNDS && options->restriction.bound > BOUND_MOST) {
        return "at most 200 rounds are translated";
    }
    if (!options->sequential) {
        return has_sequential_options(options)
                   ? "--model, --abstraction, --unroll, --clock and --queue go with --sequential"
                   : NULL;
    }
    struct sequential_options sequential = sequential_options(options);
    bool timed = sequential.abstraction == ABSTRACTION_ETSO || sequential.abstraction == ABSTRACTION_EPSO;
    bool queued = timed || sequential.abstraction == ABSTRACTION_TSO || sequential.abstraction == ABSTRACTION_PSO;
    if (options->restriction.kind == RESTRICTION_AGE || options->bounded.copies) {
        return "--age and --copies do not go with --sequential";
    }
    if (options->dialect == DIALECT_PICKET) {
        return "--sequential prints the dialects svcomp and cbmc";
    }
    if (sequential.abstraction != abstractions[options->model][0] &&
        sequential.abstraction != abstractions[options->model][1]) {
        return "this abstraction does not belong to the memory model";
    }
    if (options->clock && !timed) {
        return "--clock goes with the abstractions etso and epso";
    }
    if (options->queue && !queued) {
        return "--queue does not go with the abstraction sc";
    }
    return timed && sequential.queue < 2 ? "with etso and epso, --queue is at least 2: one node is what memory holds"
                                         : NULL;
}

/* --- Output ------------------------------------------------------------------------------------------------------- */

/* Nothing is written, and no file made, if the program cannot be printed. */
static bool print_text(const struct options *options, const struct program *program, const char *file, FILE *out,
                       struct diagnostics *diagnostics) {
    if (options->sequential) {
        struct sequential_options sequential = sequential_options(options);
        return sequential_print(program, &sequential, file, out, diagnostics);
    }
    emit_program(program, options->dialect, file, out);
    return true;
}

static int print_program(const struct options *options, const struct program *program,
                         struct diagnostics *diagnostics) {
    const char *path = options->output;
    bool to_file = path && strcmp(path, "-") != 0;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = memory_stream(&text, &size);
    bool printed = print_text(options, program, to_file ? path : "translated.c", memory, diagnostics);
    fclose(memory);
    if (!printed) {
        free(text);
        return EXIT_BAD_INPUT;
    }
    const char *problem = to_file ? write_file(path, text, size) : NULL;
    if (problem) {
        diagnostics_add(diagnostics, path, 0, 0, "cannot write: %s", problem);
    } else if (!to_file) {
        fwrite(text, 1, size, stdout); /* main sees to it that it was written */
    }
    free(text);
    return problem ? EXIT_BAD_INPUT : EXIT_HOLDS;
}

/* Replaces the program by its translation to SC. */
static bool translate_bounded(const struct options *options, struct program *program, struct diagnostics *diagnostics) {
    struct bound_options bound = {
        .kind = options->restriction.kind == RESTRICTION_ROUNDS ? BOUND_ROUNDS : BOUND_AGE,
        .bound = options->restriction.bound,
        .copies = options->bounded.copies,
        .portable = true,
    };
    struct program translated;
    pass_awaits(program);
    if (!bound_translate(program, &bound, &translated, diagnostics)) {
        return false;
    }
    program_delete(program);
    *program = translated;
    return true;
}

static int translate(const struct options *options, struct program *program, struct diagnostics *diagnostics) {
    if (program->header->flags & PROGRAM_HIDES_ADDRESSES) {
        diagnostics_add(diagnostics, *(char **)vector_at(&options->files, 0), 0, 0,
                        "not supported: addresses as numbers of a litmus test cannot be printed as C");
        return EXIT_BAD_INPUT;
    }
    pass_simplify(program);
    pass_narrow(program);
    if (!options->sequential) {
        if (options->restriction.kind != RESTRICTION_NONE && !translate_bounded(options, program, diagnostics)) {
            return EXIT_BAD_INPUT;
        }
        pass_compact(program);
    }
    return print_program(options, program, diagnostics);
}

int command_translate(const struct options *options) {
    struct session session;
    const char *misuse = sequential_misuse(options);
    if (misuse) {
        return command_refuse(options, "%s (picket translate --help)", misuse);
    }
    if (session_read(&session, options, &(struct reading){.raw = true})) {
        session.code = translate(options, &session.program, &session.diagnostics);
    }
    return session_end(&session);
}
