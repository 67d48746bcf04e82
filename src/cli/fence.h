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

/* Reads the files and finds their places; false, after a message, if one cannot be read. */
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

/* What is written in the copies of the source of which a file is one, by the name that a position has for it: debug
 * information leaves out directories that the path shares with the current one.  NULL: it is no copy. */
const struct written *fence_written_in(const struct fence_sources *sources, const char *file);
/* The user's file for a copy of it, and its line; another file itself. */
const char *fence_original(const struct fence_sources *sources, const char *file, uint32_t *line);

/* Fences that help against an error. */
struct fence_help {
    char *patch;  /* the caller's; NULL: nothing was found */
    bool checked; /* no error is reachable with them; otherwise they stop the witness's execution, and no more is known
                   */
};

/* The smallest set with which no error is reachable, if it is found in that time; otherwise a fence that stops the
 * execution. */
struct fence_help fence_help(const struct options *options, const struct witness *witness, struct limits *limits,
                             double seconds);

void fence_print_text(const struct fence_result *result);
void fence_print_json(const struct fence_result *result);

#endif
