/* From the files on the command line to a program that is ready to run. */
#include "cli/commands.h"
#include "cli/paths.h"
#include "front/front.h"
#include "ir/passes.h"
#include "util/exit_code.h"

void input_prepare(struct program *program, uint32_t unroll) {
    pass_simplify(program);
    pass_narrow(program);
    pass_awaits(program);
    if (unroll > 0) {
        pass_unroll(program, unroll);
    }
    pass_compact(program);
}

bool input_read_only(const struct vector *files, const struct vector *clang_args, struct program *program,
                     struct diagnostics *diagnostics, int *exit_code) {
    struct paths paths;
    bool defect = false;
    *exit_code = EXIT_BAD_INPUT;
    bool found = paths_find(&paths);
    struct front_input input = {
        .files = files->data,
        .files_count = files->count,
        .clang_args = clang_args->data,
        .clang_args_count = clang_args->count,
        .front_program = found ? paths.front_program : NULL,
        .library_dir = paths.library_dir,
        .include_dir = paths.include_dir,
        .defect = &defect,
    };
    if (!front_read(&input, program, diagnostics)) {
        *exit_code = defect ? EXIT_DEFECT : EXIT_BAD_INPUT;
        return false;
    }
    return true;
}

bool input_read(const struct vector *files, const struct vector *clang_args, uint32_t unroll, struct program *program,
                struct diagnostics *diagnostics, int *exit_code) {
    if (!input_read_only(files, clang_args, program, diagnostics, exit_code)) {
        return false;
    }
    input_prepare(program, unroll);
    return true;
}
