/* From the files on the command line to a program that is ready to run. */
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/reports.h"
#include "front/front.h"
#include "ir/flatten.h"
#include "ir/passes.h"
#include "report/report.h"
#include "util/exit_code.h"

static void simplify(struct program *program) {
    pass_weak(program);
    pass_simplify(program);
    pass_narrow(program);
    pass_awaits(program);
}

void input_bound(struct program *program, uint32_t unroll) {
    if (unroll > 0) {
        pass_unroll(program, unroll);
    }
    pass_compact(program);
}

void input_prepare(struct program *program, uint32_t unroll) {
    simplify(program);
    input_bound(program, unroll);
}

static bool read_files(const struct vector *files, const struct vector *clang_args, struct program *program,
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
        .must_stop = limits_stop_reader,
        .defect = &defect,
    };
    if (front_read(&input, program, diagnostics)) {
        return true;
    }
    *exit_code = defect ? EXIT_DEFECT : EXIT_BAD_INPUT;
    if (diagnostics_empty(diagnostics)) {
        diagnostics_add(diagnostics, NULL, 0, 0, "%s", limits_unread_reason());
        *exit_code = EXIT_UNDECIDED;
    }
    return false;
}

bool input_read_only(const struct vector *files, const struct vector *clang_args, struct program *program,
                     struct diagnostics *diagnostics, int *exit_code) {
    if (!read_files(files, clang_args, program, diagnostics, exit_code)) {
        return false;
    }
    pass_notes_drop(program);
    return true;
}

bool input_read(const struct vector *files, const struct vector *clang_args, enum note_mode mode,
                struct program *program, struct diagnostics *diagnostics, int *exit_code) {
    if (!read_files(files, clang_args, program, diagnostics, exit_code)) {
        return false;
    }
    if (mode != NOTES_DROPPED && !notes_check(program, diagnostics)) {
        program_delete(program);
        *exit_code = EXIT_BAD_INPUT;
        return false;
    }
    if (mode == NOTES_CHECKED) {
        pass_notes_apply(program, true, false);
    } else {
        pass_notes_drop(program);
    }
    simplify(program);
    return true;
}

bool input_read_forms(const struct vector *files, const struct vector *clang_args, struct program_forms *forms,
                      struct diagnostics *diagnostics, int *exit_code) {
    *forms = (struct program_forms){0};
    if (!read_files(files, clang_args, &forms->noted, diagnostics, exit_code)) {
        return false;
    }
    if (!notes_check(&forms->noted, diagnostics)) {
        program_delete(&forms->noted);
        *exit_code = EXIT_BAD_INPUT;
        return false;
    }
    program_copy(&forms->noted, &forms->plain);
    program_copy(&forms->noted, &forms->checked);
    pass_notes_drop(&forms->plain);
    pass_notes_apply(&forms->checked, true, false);
    input_prepare(&forms->plain, 0);
    input_prepare(&forms->checked, 0);
    pass_simplify(&forms->noted);
    pass_narrow(&forms->noted);
    pass_compact(&forms->noted);
    return true;
}

void program_forms_delete(struct program_forms *forms) {
    program_delete(&forms->noted);
    program_delete(&forms->plain);
    program_delete(&forms->checked);
}

int input_unread(const struct options *options, const char *engine, double front_s,
                 const struct diagnostics *diagnostics, int code) {
    struct report report = {.engine = engine, .model = options->model, .front_s = front_s};
    if (code == EXIT_UNDECIDED) {
        struct diagnostics limit;
        diagnostics_init(&limit);
        diagnostics_add(&limit, NULL, 0, 0, "%s", limits_unread_reason());
        reports_write_errors(options, &report, &limit);
        diagnostics_delete(&limit);
        report_unread(&report, limits_unread_reason(), options->format == FORMAT_JSON, stdout);
        return code;
    }
    diagnostics_print(diagnostics, stderr);
    if (options->format == FORMAT_JSON) {
        report_error_json(&report, diagnostics, stdout);
    }
    reports_write_errors(options, &report, diagnostics);
    return code;
}
