/* `picket replay`: shows a saved witness in columns, on the program it was found in and no other. */
#include <stdio.h>

#include "cli/commands.h"
#include "report/columns.h"
#include "util/exit_code.h"

static int replay(const struct witness *witness, const char *path, struct diagnostics *diagnostics) {
    struct program program;
    int code;
    if (!input_read(&witness->files, &witness->clang_args, witness->unroll, &program, diagnostics, &code)) {
        return code;
    }
    code = EXIT_VIOLATION;
    if (program_hash(&program) != witness->program_hash) {
        diagnostics_add(diagnostics, path, 0, 0, "the program has changed since this witness was saved");
        code = EXIT_BAD_INPUT;
    } else {
        printf("%s:%u: %s (in %s, under %s)\n\n", witness->file, witness->line, error_names[witness->kind],
               witness->thread, model_names[witness->model]);
        if (!columns_print(witness, &program, stdout)) {
            diagnostics_add(diagnostics, path, 0, 0, "the witness does not replay: it is damaged");
            code = EXIT_BAD_INPUT;
        }
    }
    program_delete(&program);
    return code;
}

int command_replay(const struct options *options) {
    struct witness witness;
    struct diagnostics diagnostics;
    const char *path = *(char **)vector_at(&options->files, 0);
    witness_init(&witness);
    diagnostics_init(&diagnostics);
    int code = EXIT_BAD_INPUT;
    if (options->files.count > 1) {
        fputs("picket replay: one witness at a time\n", stderr);
    } else if (witness_load(&witness, path, &diagnostics)) {
        code = replay(&witness, path, &diagnostics);
    }
    diagnostics_print(&diagnostics, stderr);
    diagnostics_delete(&diagnostics);
    witness_delete(&witness);
    return code;
}
