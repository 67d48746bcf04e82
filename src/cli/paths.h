/* Where the verifier finds what belongs to it: the C front end, Picket's C library, and picket.h. */
#ifndef PICKET_CLI_PATHS_H
#define PICKET_CLI_PATHS_H

#include <limits.h>
#include <stdbool.h>

struct paths {
    char front_program[PATH_MAX]; /* picket-front-c */
    char library_dir[PATH_MAX];   /* the C library's bitcode files */
    char include_dir[PATH_MAX];   /* the directory of picket.h */
};

/* Fills in `paths`; false if there is neither a build tree around this program nor an installation. */
bool paths_find(struct paths *paths);

#endif
