/* What `picket fence` has found, for its report. */
#ifndef PICKET_CLI_FENCE_H
#define PICKET_CLI_FENCE_H

#include "cli/options.h"
#include "fence/synthesis.h"

/* A copy of a file of the user's; a header may have several. */
struct fence_copy {
    char *path;
    uint32_t source; /* index */
};

/* The user's files, with the headers that they include from their own directories, and the copies of them that are
 * searched.  Each file given is copied into a directory of its own, with its headers beside it. */
struct fence_sources {
    struct vector sources;   /* of struct source */
    struct vector places;    /* of struct place */
    struct vector written;   /* of struct written: by source, what is in the copies */
    struct vector copies;    /* of struct fence_copy */
    struct vector files;     /* of char *: the copies of the files given; not owned */
    struct vector arguments; /* of char *: for clang, with the directories that the copies were taken from; not owned */
    struct vector texts;     /* of char *: owned texts of all these */
    struct vector directories; /* of char *: made for the copies, outer ones first */
};

void fence_sources_init(struct fence_sources *sources);
void fence_sources_delete(struct fence_sources *sources); /* the copies too */

/* Reads the files and finds their places; false if one cannot be read, which was said. */
bool fence_sources_read(struct fence_sources *sources, const struct options *options);

/* Writes the copies with these fences, by place; see source_write. */
bool fence_sources_write(struct fence_sources *sources, const uint8_t *kinds, bool includes);
void fence_sources_forget(struct fence_sources *sources); /* what was written, but not the copies */

struct fence_result {
    const struct options *options;
    const struct fence_sources *sources;
    const struct synthesis *synthesis;
    char *patch; /* "" if there is none */
    double front_s;
    double time_s;
};

/* Of which source a file is a copy, by the name that a position has for it: debug information leaves out directories
 * that the path shares with the current one.  -1: none. */
int64_t fence_source_of(const struct fence_sources *sources, const char *file);

void fence_print_text(const struct fence_result *result);
void fence_print_json(const struct fence_result *result);

#endif
