/* `picket`: finds the command and hands over. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "engine/limits.h"
#include "picket_paths.h"
#include "util/exit_code.h"

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

int main(int count, char **arguments) {
    if (count < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0 || strcmp(arguments[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_HOLDS;
    }
    if (strcmp(arguments[1], "--version") == 0) {
        puts("picket " PICKET_VERSION);
        return EXIT_HOLDS;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *command = &commands[i];
        if (strcmp(arguments[1], command->name) != 0) {
            continue;
        }
        struct options options;
        options_init(&options);
        int code = EXIT_BAD_INPUT;
        if (options_parse(&options, command->name, command->bit, count - 2, arguments + 2)) {
            if (options.help) {
                printf("usage: picket %s [OPTIONS] %s\n\n  %s\n\n", command->name, command->arguments, command->what);
                options_print_help(command->bit);
                code = EXIT_HOLDS;
            } else {
                if (command->bit != COMMAND_RUN) {
                    limits_watch();
                }
                code = command->run(&options);
            }
        }
        options_delete(&options);
        return code;
    }
    fprintf(stderr, "picket: unknown command '%s'\n\n", arguments[1]);
    print_usage(stderr);
    return EXIT_BAD_INPUT;
}
