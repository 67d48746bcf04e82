/* A thread of a class, executed symbolically: what it knows of its registers at each of its instructions.
 *
 * What a thread has read, stored and tested since the head of its innermost loop is known, as terms; what changes in a
 * loop is a new variable at the loop's head, within the bounds of the data-flow analysis.  A load gives a new variable,
 * since others may have written; but a cell that only this thread writes (an owned cell) is followed like a register.
 *
 * So a state has one condition, under which control reaches the instruction, and one term for each register and owned
 * cell.  Two threads of one class have variables of their own. */
#ifndef PICKET_PROVE_INSTANCE_H
#define PICKET_PROVE_INSTANCE_H

#include "prove/solver.h"
#include "prove/system.h"

struct owned {
    uint64_t address;
    uint32_t size;
    uint32_t object;
    struct value value; /* what it can hold */
};

struct state {
    Z3_ast guard;       /* control comes here */
    struct term *terms; /* registers, then owned cells */
};

/* May an addition overflow, according to the thread's terms? */
enum addition { ADDITION_OPEN, ADDITION_FITS, ADDITION_MAY_OVERFLOW };

struct instance {
    struct system *system;
    struct solver *solver;
    uint32_t number; /* of the class */
    struct class *class;
    const struct instruction *code;
    uint32_t registers;
    struct vector owned;          /* of struct owned */
    struct term self;             /* the thread's number */
    struct state *in;             /* by block; terms NULL: control does not come there */
    struct hash_table *variables; /* what it is for: its index in `made` */
    struct vector made;           /* of struct term */
    struct instance *always;      /* a thread of main, whose code has the invariants */
    struct snapshot **snapshots;  /* by instruction: memory as a load has found it; NULL: not needed yet */
    enum addition *additions;     /* by instruction */
    uint32_t *ordered;            /* blocks in reverse post-order */
};

/* `always`: a thread of main, or NULL if this is to be the one. */
void instance_init(struct instance *thread, struct system *system, struct solver *solver, uint32_t number,
                   struct instance *always);
void instance_delete(struct instance *thread);

static inline size_t instance_terms(const struct instance *thread) {
    return thread->registers + thread->owned.count;
}

/* Can control reach the instruction, according to the terms alone? */
bool instance_reaches(const struct instance *thread, uint32_t index);

/* The state before an instruction that control can reach; the caller frees the terms. */
struct state instance_state(struct instance *thread, uint32_t index);
struct state instance_copy(const struct instance *thread, const struct state *from);
void instance_forget(struct state *state);

/* Adds a state that is reached under another condition; only what is live at the instruction counts. */
void instance_merge(struct instance *thread, struct state *into, const struct state *other, uint32_t index);

/* The thread is at the head of a loop: what the loop changes can be anything within its bounds. */
void instance_enter_loop(struct instance *thread, struct state *state, uint32_t block);

/* A new variable within what the analysis knows of it; a number if there is only one. */
struct term term_bounded(const struct system *system, struct solver *solver, const struct value *value, unsigned bits,
                         const char *name);

/* A variable for one purpose: always the same one in this thread. */
enum purpose { PURPOSE_RESULT, PURPOSE_HEAD, PURPOSE_ENTRY, PURPOSE_THREAD_LOCAL };
struct term instance_variable(struct instance *thread, enum purpose purpose, uint32_t index, uint32_t which,
                              const struct value *value, unsigned bits);

/* The owned cell at an address, or UINT32_MAX. */
uint32_t instance_owned(const struct instance *thread, uint64_t address, unsigned size);

/* --- Execution (execute.c) ---------------------------------------------------------------------------------------- */

struct world;

struct term execute_operand(const struct instance *thread, const struct state *state, uint32_t operand);

/* Executes an instruction that is no jump.  Without a world, memory is not known, and loads give variables; with one,
 * accesses read and write it. */
void execute(struct instance *thread, struct state *state, struct world *world, uint32_t index);

/* The condition of an abstraction, if the access returns what is in memory (`value`). */
Z3_ast execute_abstraction(struct instance *thread, struct state *state, struct world *world,
                           const struct abstraction *abstraction, struct term *value);

/* The same if it returns any value: what is in memory, and that value. */
Z3_ast execute_allowed(struct instance *thread, struct state *state, struct world *world,
                       const struct abstraction *abstraction, struct term *content, struct term *value);

/* The states with which control leaves an instruction for others: calls `visit` for every feasible target. */
void execute_jumps(struct instance *thread, const struct state *state, uint32_t index,
                   void (*visit)(void *data, uint32_t target, const struct state *state), void *data);

#endif
