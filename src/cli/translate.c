/* `picket translate`: the program as C, for other tools. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bound/bound.h"
#include "cli/commands.h"
#include "emit/emit.h"
#include "ir/passes.h"
#include "util/exit_code.h"

static int print_program(const struct options *options, const struct program *program,
                         struct diagnostics *diagnostics) {
    const char *path = options->output;
    bool to_file = path && strcmp(path, "-") != 0;
    FILE *out = to_file ? fopen(path, "w") : stdout;
    if (!out) {
        diagnostics_add(diagnostics, path, 0, 0, "cannot write: %s", strerror(errno));
        return EXIT_BAD_INPUT;
    }
    emit_program(program, options->dialect, to_file ? path : "translated.c", out);
    bool written = fflush(out) == 0 && !ferror(out);
    if (to_file) {
        written = fclose(out) == 0 && written;
    }
    if (!written) {
        diagnostics_add(diagnostics, to_file ? path : "", 0, 0, "cannot write: %s", strerror(errno));
        return EXIT_BAD_INPUT;
    }
    return EXIT_HOLDS;
}

/* Replaces the program by its translation to SC. */
static bool translate_bounded(const struct options *options, struct program *program, struct diagnostics *diagnostics) {
    struct bound_options bound = {
        .kind = options->restriction.kind == RESTRICTION_ROUNDS ? BOUND_ROUNDS : BOUND_AGE,
        .bound = options->restriction.bound,
        .copies = (uint32_t)options->copies,
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

int command_translate(const struct options *options) {
    struct program program;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    int code;
    if (input_read_only(&options->files, &options->clang_args, &program, &diagnostics, &code)) {
        if (program.header->flags & PROGRAM_HIDES_ADDRESSES) {
            diagnostics_add(&diagnostics, *(char **)vector_at(&options->files, 0), 0, 0,
                            "not supported: addresses as numbers of a litmus test cannot be printed as C");
            diagnostics_print(&diagnostics, stderr);
            diagnostics_delete(&diagnostics);
            program_delete(&program);
            return EXIT_BAD_INPUT;
        }
        pass_simplify(&program);
        pass_narrow(&program);
        code = EXIT_BAD_INPUT;
        if (options->restriction.kind == RESTRICTION_NONE || translate_bounded(options, &program, &diagnostics)) {
            pass_compact(&program);
            code = print_program(options, &program, &diagnostics);
        }
        program_delete(&program);
    }
    diagnostics_print(&diagnostics, stderr);
    diagnostics_delete(&diagnostics);
    return code;
}
