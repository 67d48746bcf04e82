/* A witness: the list of choices that leads to an error, and the error.
 *
 * Threads are identified by number, which depends on the creation tree alone, so a witness means the same in every
 * process.  On disk it is a JSON object with everything needed to run it again. */
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
    uint32_t unroll; /* the bound on loops with which it was found, 0: none */
    uint32_t checks; /* bits of enum check_bit; with claims, the program is the one with its claims as assertions */
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

/* Sets the error of the witness to the machine's. */
void witness_set_error(struct witness *witness, const struct machine *machine, const struct machine_error *error);

/* The transition of a step on this machine; false if the thread does not exist there. */
bool witness_step_transition(const struct witness_step *step, const struct machine *machine,
                             struct transition *transition);
/* Likewise of step `index`; false also if the transition is not enabled. */
bool witness_transition(const struct witness *witness, size_t index, struct machine *machine,
                        struct transition *transition);
/* Takes step `index`; false if that is not possible. */
bool witness_take(const struct witness *witness, size_t index, struct machine *machine);

/* The choice with which the thread's next step wakes the thread with number `woken` - 1, found by trying. */
uint64_t waking_choice(struct machine *machine, uint32_t slot, uint64_t woken);

/* Write and read the JSON form.  Writing returns NULL, or an error message; reading adds to `diagnostics` and returns
 * false if the file is no witness. */
const char *witness_save(const struct witness *witness, const char *path);
bool witness_load(struct witness *witness, const char *path, struct diagnostics *diagnostics);

/* Runs the witness on a new machine.  True if every step was enabled and the last state has its error; if that is a
 * final state that the program does not have under SC, with empty buffers. */
bool witness_replays(const struct witness *witness, const struct program *program);

#endif
