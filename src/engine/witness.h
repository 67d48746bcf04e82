/* A witness: the list of choices that makes a program fail, and what it failed with.
 *
 * Threads are given by number, which depends on the creation tree alone, so a witness means the same in every process.
 * On disk it is a JSON object that names everything needed to run it again. */
#ifndef PICKET_ENGINE_WITNESS_H
#define PICKET_ENGINE_WITNESS_H

#include "machine/machine.h"
#include "util/diagnostics.h"
#include "util/vector.h"

#define WITNESS_VERSION 1

struct witness_step {
    uint32_t thread; /* number */
    uint32_t kind;   /* enum transition_kind */
    uint64_t choice;
};

struct witness {
    struct vector steps;      /* of struct witness_step */
    struct vector files;      /* of char * */
    struct vector clang_args; /* of char * */
    enum memory_model model;
    enum await_mode awaits;
    uint32_t unroll; /* the loop bound it was found with, 0: none */
    bool check_leaks;
    bool check_uninit;
    bool check_stale;
    bool check_liveness;
    bool check_races;
    bool spurious;
    uint32_t thread_depth; /* 0: THREAD_DEPTH */
    bool malloc_fail;
    uint64_t program_hash;
    enum error_kind kind;
    char *file;
    uint32_t line;
    char *thread; /* name */
};

void witness_init(struct witness *witness);
void witness_delete(struct witness *witness);

/* Appends the transition the machine is about to take. */
void witness_add(struct witness *witness, const struct machine *machine, struct transition transition);

/* The options of a machine on which the witness runs. */
struct machine_options witness_machine_options(const struct witness *witness);

/* Notes what the machine failed with. */
void witness_set_error(struct witness *witness, const struct machine *machine, const struct machine_error *error);

/* The transition that step `index` is on this machine; false if there is no such thread now. */
bool witness_transition(const struct witness *witness, size_t index, const struct machine *machine,
                        struct transition *transition);

/* Write and read the JSON form.  Reading adds to `diagnostics` and returns false if the file is no witness. */
bool witness_save(const struct witness *witness, const char *path);
bool witness_load(struct witness *witness, const char *path, struct diagnostics *diagnostics);

/* Runs the witness on a new machine.  True if every step was enabled and it ends in its error; if that is a final state
 * that the program does not have under SC, with empty buffers. */
bool witness_replays(const struct witness *witness, const struct program *program);

#endif
