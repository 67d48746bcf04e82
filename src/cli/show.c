/* `picket show`: the program as Picket sees it, or saved for later. */
#include <stdio.h>

#include "cli/commands.h"
#include "ir/print.h"
#include "util/exit_code.h"

int command_show(const struct options *options) {
    struct program program;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    int code;
    if (input_read(&options->files, &options->clang_args, (uint32_t)options->unroll, &program, &diagnostics, &code)) {
        code = EXIT_HOLDS;
        if (options->save) {
            const char *problem = program_save(&program, options->save);
            if (problem) {
                diagnostics_add(&diagnostics, options->save, 0, 0, "cannot save: %s", problem);
                code = EXIT_BAD_INPUT;
            }
        } else {
            program_print(&program, stdout);
        }
        program_delete(&program);
    }
    diagnostics_print(&diagnostics, stderr);
    diagnostics_delete(&diagnostics);
    return code;
}
