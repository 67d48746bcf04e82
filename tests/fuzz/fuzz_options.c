/* The command line.  The input's lines are the command and its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 64

static const char *const commands[] = {"check",  "run",       "replay", "show", "litmus",
                                       "robust", "translate", "fence",  "prove"};

/* What is wrong with the options would fill the terminal, and hide what the fuzzer says: its messages go to the same
 * stream, but by its own copy of it (-close_fd_mask). */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    return freopen("/dev/null", "w", stdout) ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    char *arguments[MOST + 1] = {NULL};
    int count = 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *rest = text, *line; count < MOST && (line = strsep(&rest, "\n"));) {
        arguments[count++] = line;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(arguments[0], commands[i]) == 0) {
            struct options options;
            options_init(&options);
            if (options_parse(&options, 1u << i, count - 1, arguments + 1) && options.help) {
                options_print_help(1u << i);
            }
            options_delete(&options);
        }
    }
    free(text);
    return 0;
}
