/* Command lines: a program has no arguments here, so there are no options and the locale is "C". */
#define _GNU_SOURCE
#include <getopt.h>
#include <locale.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "intrinsics.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

int getopt(int count, char *const *arguments, const char *options) {
    (void)count;
    (void)arguments;
    (void)options;
    return -1;
}

int getopt_long(int count, char *const *arguments, const char *options, const struct option *long_options, int *index) {
    (void)long_options;
    (void)index;
    return getopt(count, arguments, options);
}

/* There is the C locale only. */
char *setlocale(int category, const char *name) {
    (void)category;
    if (name && *name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0) {
        return NULL;
    }
    return "C";
}

/* Nothing was used so far. */
int getrusage(__rusage_who_t who, struct rusage *usage) {
    __picket_assumes_system();
    (void)who;
    __picket_memset(usage, 0, sizeof *usage);
    return 0;
}
