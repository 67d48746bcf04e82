/* The subcommands, one file each, and what they share. */
#ifndef PICKET_CLI_COMMANDS_H
#define PICKET_CLI_COMMANDS_H

#include "cli/options.h"
#include "ir/notes.h"
#include "ir/program.h"
#include "util/diagnostics.h"

int command_check(const struct options *options);
int command_robust(const struct options *options);
int command_prove(const struct options *options);
int command_fence(const struct options *options);
int command_run(const struct options *options);
int command_replay(const struct options *options);
int command_litmus(const struct options *options);
int command_show(const struct options *options);
int command_translate(const struct options *options);

/* Reports why the command is not executed, in JSON too on request.  Returns EXIT_BAD_INPUT. */
__attribute__((format(printf, 2, 3))) int command_refuse(const struct options *options, const char *format, ...);

/* Reads the files into a program and runs the passes of every command except the last (input_bound).  `mode` determines
 * the treatment of annotations; those that are not dropped are checked first.  False with diagnostics; `exit_code` is
 * then EXIT_BAD_INPUT, EXIT_DEFECT, or EXIT_UNDECIDED if a limit was reached. */
bool input_read(const struct vector *files, const struct vector *clang_args, enum note_mode mode,
                struct program *program, struct diagnostics *diagnostics, int *exit_code);

/* A program as `prove` needs it, read once. */
struct program_forms {
    struct program noted;   /* with its annotations */
    struct program plain;   /* without them */
    struct program checked; /* with claims and invariants as assertions */
};
bool input_read_forms(const struct vector *files, const struct vector *clang_args, struct program_forms *forms,
                      struct diagnostics *diagnostics, int *exit_code);
void program_forms_delete(struct program_forms *forms);

/* The same without any pass, and without annotations. */
bool input_read_only(const struct vector *files, const struct vector *clang_args, struct program *program,
                     struct diagnostics *diagnostics, int *exit_code);

/* Reports, in the requested form, that the input could not be read.  Returns the exit code. */
int input_unread(const struct options *options, const char *engine, double front_s,
                 const struct diagnostics *diagnostics, int code);

/* The passes alone; unroll 0 is no bound. */
void input_prepare(struct program *program, uint32_t unroll);

/* The last of them, on a program to which the others were applied. */
void input_bound(struct program *program, uint32_t unroll);

struct machine_options options_for_machine(const struct options *options);

#endif
