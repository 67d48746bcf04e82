/* The subcommands, one file each, and what they share. */
#ifndef PICKET_CLI_COMMANDS_H
#define PICKET_CLI_COMMANDS_H

#include "cli/options.h"
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

/* Reads the files into a program and runs the passes every command wants.  False with diagnostics; `exit_code` is then
 * EXIT_BAD_INPUT or EXIT_DEFECT. */
bool input_read(const struct vector *files, const struct vector *clang_args, uint32_t unroll, struct program *program,
                struct diagnostics *diagnostics, int *exit_code);

/* The same without any pass. */
bool input_read_only(const struct vector *files, const struct vector *clang_args, struct program *program,
                     struct diagnostics *diagnostics, int *exit_code);

/* The passes alone; unroll 0 is no bound. */
void input_prepare(struct program *program, uint32_t unroll);

struct machine_options options_for_machine(const struct options *options);

#endif
