/* What `picket fence` has found, for its report. */
#ifndef PICKET_CLI_FENCE_H
#define PICKET_CLI_FENCE_H

#include "cli/options.h"
#include "fence/synthesis.h"

/* The user's files and the copies of them that were searched. */
struct fence_sources {
    struct vector sources;   /* of struct source */
    struct vector places;    /* of struct place */
    struct vector written;   /* of struct written: the copies, with a fence at every place */
    struct vector paths;     /* of char *: where the copies are */
    struct vector arguments; /* of char *: for clang, with the directories that the copies were taken from */
    struct vector owned;     /* of char *: texts of these */
    char *directory;
};

struct fence_result {
    const struct options *options;
    const struct fence_sources *sources;
    const struct synthesis *synthesis;
    char *patch; /* "" if there is none */
    double front_s;
    double time_s;
};

/* Which of the files a copy is, by the name that a position has for it: debug information leaves out directories that
 * the path shares with the current one.  -1: none. */
int64_t fence_source_of(const struct fence_sources *sources, const char *file);

void fence_print_text(const struct fence_result *result);
void fence_print_json(const struct fence_result *result);

#endif
