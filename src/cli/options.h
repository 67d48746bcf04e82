/* The command line: one table of options, from which parsing, range checks and --help follow. */
#ifndef PICKET_CLI_OPTIONS_H
#define PICKET_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/bounded.h"
#include "emit/emit.h"
#include "engine/random.h"
#include "explore/explore.h"
#include "fence/question.h"
#include "reach/reach.h"
#include "seq/print/sequential.h"
#include "seq/seq.h"
#include "util/vector.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_GITHUB };

enum color_use { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct options {
    const char *command; /* its name */
    enum memory_model model;
    const struct engine *engine; /* NULL: the oracle, or prove; with `automatic` the first one */
    const char *engine_name;     /* as it was given */
    uint32_t unroll;             /* 0: no bound */
    enum collect collect;
    struct restriction restriction;
    uint32_t jobs;         /* 0: not given */
    uint32_t recursion;    /* 0: the engine's default */
    uint32_t thread_depth; /* 0: THREAD_DEPTH */
    uint32_t clock;        /* 0: not given */
    uint32_t queue;        /* likewise */
    struct explore_options explore;
    struct random_options random;
    struct reach_options reach; /* and with `shortest`, the search for a shortest execution has no limit of its own */
    struct seq_options seq;
    struct bounded_options bounded;
    const struct engine_options *engines; /* all of these, as a task has them */
    double timeout;
    uint64_t memory_mb;
    enum format format;
    const char *json_file;  /* reports beside the one on standard output; NULL: none */
    const char *sarif_file; /* likewise */
    const char *witness;
    const char *save;
    const char *output; /* NULL: standard output */
    const char *emit;   /* prove: a file for the abstracted program, or NULL */
    const char *smt;    /* prove: a directory, or NULL */
    enum dialect dialect;
    enum abstraction abstraction; /* ABSTRACTION_COUNT: the model's */
    bool automatic;               /* the engine was not chosen by name */
    bool model_given;
    bool sequential;
    bool no_shrink;  /* a violation is shown as it was found ... */
    bool no_explain; /* ... and no fences are sought that would help */
    uint32_t checks; /* bits of enum check_bit */
    bool spurious;
    bool malloc_fail;
    enum fence_goal goal; /* of fences */
    bool weigh_loops;     /* a fence in a loop costs more */
    bool quiet;
    enum color_use color;
    bool full;                   /* executions are shown with every step and buffer */
    enum progress_form progress; /* PROGRESS_NONE: on a terminal only */
    bool verbose;
    bool strict;      /* a proof within bounds, or under an assumption, is none */
    bool cross_check; /* all engines finish, and must agree */
    bool no_timeout;  /* nor the one that there is by default */
    bool trust;       /* replay: passes all options of a witness to the compiler */
    bool explain;     /* prove: why each store is atomic */
    bool help;
    struct vector files;      /* of char *: not owned */
    struct vector clang_args; /* of char *: not owned */
};

void options_init(struct options *options);
void options_delete(struct options *options);

/* Commands that an option belongs to. */
enum command_bit {
    COMMAND_CHECK = 1,
    COMMAND_RUN = 2,
    COMMAND_REPLAY = 4,
    COMMAND_SHOW = 8,
    COMMAND_LITMUS = 16,
    COMMAND_ROBUST = 32,
    COMMAND_TRANSLATE = 64,
    COMMAND_FENCE = 128,
    COMMAND_PROVE = 256
};

/* Parses what follows the command's name.  On bad usage reports it and returns false. */
bool options_parse(struct options *options, unsigned command_bit, int count, char **arguments);

/* The standard output, if text there has colours; otherwise 0. */
int options_color_terminal(const struct options *options);

/* Prints the options of a command. */
void options_print_help(unsigned command_bit);

#endif
