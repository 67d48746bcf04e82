/* The command line: one table of options, from which parsing, range checks and --help follow. */
#ifndef PICKET_CLI_OPTIONS_H
#define PICKET_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/emit.h"
#include "engine/engine.h"
#include "fence/question.h"
#include "seq/print/sequential.h"
#include "util/vector.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

struct options {
    enum memory_model model;
    const struct engine *engine; /* NULL: the oracle */
    const char *engine_name;     /* as it was given */
    uint64_t unroll;             /* 0: no bound */
    uint64_t runs;
    uint64_t seed;
    uint64_t steps;
    enum scheduler scheduler;
    enum collect collect;
    enum dpor dpor;
    struct restriction restriction;
    uint64_t copies;
    uint64_t clock; /* 0: not given */
    uint64_t queue; /* likewise */
    uint64_t jobs;
    double timeout;
    uint64_t memory_mb;
    enum format format;
    const char *witness;
    const char *save;
    const char *output; /* NULL: standard output */
    enum dialect dialect;
    enum abstraction abstraction; /* ABSTRACTION_COUNT: the model's */
    bool automatic;               /* the engine was not chosen by name */
    bool model_given;
    bool sequential;
    bool shortest;
    bool check_leaks;
    bool check_uninit;
    bool check_stale;
    bool check_liveness;
    bool check_races;
    bool spurious;
    uint64_t thread_depth; /* 0: THREAD_DEPTH */
    bool malloc_fail;
    enum fence_goal goal; /* of fences */
    bool weigh_loops;     /* a fence in a loop costs more */
    bool quiet;
    bool progress;
    bool explain;    /* prove: why each store is atomic */
    const char *smt; /* prove: a directory, or NULL */
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

/* Parses what follows the command's name.  On bad usage prints a message and returns false. */
bool options_parse(struct options *options, const char *command, unsigned command_bit, int count, char **arguments);

/* The engine for a task: the one that was chosen, or the strongest that does not refuse it. */
const struct engine *options_engine(const struct options *options, const struct task *task);

/* Prints the options of a command. */
void options_print_help(unsigned command_bit);

#endif
