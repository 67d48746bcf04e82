/* `picket`: finds the command and calls it. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/suggestion.h"
#include "engine/limits.h"
#include "picket_version.h"
#include "report/report.h"
#include "util/escape.h"
#include "util/exit_code.h"
#include "util/memory.h"

#define HAS_REPORT (COMMAND_CHECK | COMMAND_ROBUST | COMMAND_FENCE | COMMAND_PROVE)

static const struct command {
    const char *name;
    const char *arguments;
    const char *what;
    unsigned bit;
    int (*run)(const struct options *options);
} commands[] = {
    {"check", "FILE... [-- CLANG-ARGS]", "is an error reachable?", COMMAND_CHECK, command_check},
    {"robust", "FILE... [-- CLANG-ARGS]", "does the store buffer add any behaviour at all?", COMMAND_ROBUST,
     command_robust},
    {"fence", "FILE... [-- CLANG-ARGS]", "the smallest set of fences that repairs it, as a patch", COMMAND_FENCE,
     command_fence},
    {"prove", "FILE... [-- CLANG-ARGS]", "that the store buffer adds no state, for any number of threads",
     COMMAND_PROVE, command_prove},
    {"run", "FILE... [-- CLANG-ARGS]", "run one schedule, as if it were the program", COMMAND_RUN, command_run},
    {"replay", "WITNESS", "run a saved witness step by step", COMMAND_REPLAY, command_replay},
    {"litmus", "FILE.litmus...", "all final states of litmus tests, in herd's form", COMMAND_LITMUS, command_litmus},
    {"translate", "FILE... [-- CLANG-ARGS]", "print the program as C for other tools", COMMAND_TRANSLATE,
     command_translate},
    {"show", "FILE... [-- CLANG-ARGS]", "print the program as Picket sees it", COMMAND_SHOW, command_show},
};

static void print_usage(FILE *out) {
    fputs("usage: picket COMMAND [OPTIONS] FILE...\n\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(out, "  picket %-9s %-25s %s\n", commands[i].name, commands[i].arguments, commands[i].what);
    }
    fputs("\nFILE is a C file, LLVM bitcode (.bc, .ll), a litmus test (.litmus), thread automata (.aut) or a "
          "program\nsaved by `picket show --save`.\n"
          "`picket COMMAND --help` lists the options of a command.\n\n"
          "Exit codes: 0 the property holds, 1 violation, 2 bad input, 3 undecided, 4 a defect in Picket.\n",
          out);
}

/* What is printed if the input is not read by the time it should be: made now, as a handler of signals cannot. */
static char *unread_text(const struct options *options, unsigned bit) {
    char *text = NULL;
    size_t size = 0;
    if (bit & HAS_REPORT) {
        FILE *memory = memory_stream(&text, &size);
        struct report report = {.engine = options->engine_name, .model = options->model};
        report_unread(&report, "a limit was reached while the input was being read", options->format == FORMAT_JSON,
                      memory);
        fclose(memory);
    }
    return text;
}

/* Output, names and texts of the user's program must not control a terminal.  Text for other programs (code, patches,
 * output of `run`) is escaped only on a terminal. */
static void protect_terminal(const struct options *options, unsigned bit) {
    bool copies = bit & (COMMAND_RUN | COMMAND_SHOW | COMMAND_TRANSLATE | COMMAND_FENCE);
    FILE *out =
        options->format == FORMAT_TEXT && (!copies || isatty(STDOUT_FILENO)) ? escape_stream(STDOUT_FILENO) : NULL;
    FILE *err = bit != COMMAND_RUN || isatty(STDERR_FILENO) ? escape_stream(STDERR_FILENO) : NULL;
    if (out) {
        stdout = out;
    }
    if (err) {
        setvbuf(err, NULL, _IOLBF, BUFSIZ);
        stderr = err;
    }
}

static int run_command(const struct command *command, const struct options *options) {
    protect_terminal(options, command->bit);
    char *unread = unread_text(options, command->bit);
    bool simple = command->bit & (COMMAND_REPLAY | COMMAND_SHOW | COMMAND_TRANSLATE);
    limits_watch(simple ? WATCH_SIMPLE : WATCH_READING, options->timeout, options->memory_mb, unread);
    int code = command->run(options);
    free(unread);
    return code;
}

/* A full disk or a closed pipe is noticed here, whatever the command has printed. */
static int finish_output(int code) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "picket: cannot write to standard output: %s\n", strerror(errno));
        return EXIT_BAD_INPUT;
    }
    return code;
}

int main(int count, char **arguments) {
    limits_watch(WATCH_SIMPLE, 0, 0, NULL);
    signal(SIGPIPE, SIG_IGN);
    json_set_alloc_funcs(memory_allocate, free); /* a report is complete, or not printed at all */
    if (count < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0 || strcmp(arguments[1], "help") == 0) {
        print_usage(stdout);
        return finish_output(EXIT_HOLDS);
    }
    if (strcmp(arguments[1], "--version") == 0) {
        puts("picket " PICKET_VERSION);
        return finish_output(EXIT_HOLDS);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *command = &commands[i];
        if (strcmp(arguments[1], command->name) != 0) {
            continue;
        }
        struct options options;
        options_init(&options);
        options.command = command->name;
        int code = EXIT_BAD_INPUT;
        if (options_parse(&options, command->bit, count - 2, arguments + 2)) {
            if (options.help) {
                printf("usage: picket %s [OPTIONS] %s\n\n  %s\n\n", command->name, command->arguments, command->what);
                options_print_help(command->bit);
                code = EXIT_HOLDS;
            } else {
                code = run_command(command, &options);
            }
        }
        options_delete(&options);
        return finish_output(code);
    }
    struct suggestion meant;
    suggestion_init(&meant, arguments[1], strlen(arguments[1]));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        suggestion_try(&meant, commands[i].name);
    }
    fprintf(stderr,
            meant.nearest ? "picket: unknown command '%s': is '%s' meant?\n\n" : "picket: unknown command '%s'\n\n",
            arguments[1], meant.nearest);
    print_usage(stderr);
    return EXIT_BAD_INPUT;
}
