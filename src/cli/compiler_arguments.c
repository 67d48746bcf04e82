/* One table of the compiler's arguments that Picket knows. */
#include "cli/compiler_arguments.h"

#include <stddef.h>
#include <string.h>

enum { TAKES_VALUE = 1, HARMLESS = 2 };

/* HARMLESS: it makes the compiler read files and define macros, at most.  The first prefix that fits counts. */
static const struct {
    const char *prefix;
    unsigned flags;
} known[] = {
    {"-I", TAKES_VALUE | HARMLESS},
    {"-D", TAKES_VALUE | HARMLESS},
    {"-U", TAKES_VALUE | HARMLESS},
    {"-isystem", TAKES_VALUE | HARMLESS},
    {"-include", TAKES_VALUE | HARMLESS},
    {"-std=", HARMLESS},
    {"-f", 0},
    {"-m", 0},
    {"-Wp,", 0}, /* these hand arguments to other programs */
    {"-Wa,", 0},
    {"-Wl,", 0},
    {"-W", HARMLESS},
    {"-w", HARMLESS},
};

/* What Picket itself adds, for --lang. */
static const char *const languages[] = {"-xc", "-xaut", "-xlitmus"};

static int find(const char *argument, bool *takes_next) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].prefix);
        if (strncmp(argument, known[i].prefix, length) == 0) {
            *takes_next = (known[i].flags & TAKES_VALUE) && argument[length] == '\0';
            return (int)i;
        }
    }
    return -1;
}

bool is_compiler_argument(const char *argument, bool *takes_next) {
    return find(argument, takes_next) >= 0;
}

static bool is_harmless(const char *argument, bool *takes_next) {
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        if (strcmp(argument, languages[i]) == 0) {
            return true;
        }
    }
    int index = find(argument, takes_next);
    return index >= 0 && (known[index].flags & HARMLESS);
}

const char *compiler_argument_refused(const struct vector *arguments) {
    for (size_t i = 0; i < arguments->count; i++) {
        const char *argument = *(char **)vector_at(arguments, i);
        bool takes_next = false;
        if (!is_harmless(argument, &takes_next)) {
            return argument;
        }
        if (takes_next && ++i == arguments->count) {
            return argument;
        }
        /* The compiler replaces @FILE by the contents of the file, at any position. */
        const char *value = *(char **)vector_at(arguments, i);
        if (value[0] == '@') {
            return value;
        }
    }
    return NULL;
}
