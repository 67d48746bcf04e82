/* The symbolic execution of one thread, as its parts share it: flow (symbolic.c), accesses (step.c), operations on
 * locks and threads (operation.c), loops (loops.c). */
#ifndef PICKET_SEQ_RUN_H
#define PICKET_SEQ_RUN_H

#include "ir/liveness.h"
#include "seq/memory.h"

/* What is known of a literal: it is the outcome of comparing a value with a constant. */
struct comparison {
    term_id result;
    term_id of;
    uint64_t with;
    uint8_t predicate;
    uint8_t width;
};

struct loop_chain {
    uint32_t depth;
    uint32_t loops[MOST_LOOPS]; /* outermost first */
};

#define MOST_COUNTERS 4u
struct loop_counters {
    uint32_t count;
    uint32_t registers[MOST_COUNTERS];
};

struct run {
    struct symbolic *execution;
    uint32_t thread;
    uint32_t pos; /* in the source: where the path is that is executed */
    const struct function *function;
    const struct instruction *code;
    uint32_t registers;     /* of the function */
    uint32_t all_registers; /* with those for the addresses of thread-local variables, which come last */
    bool *endless;          /* by loop: it has no exit */
    struct loop_counters *counters;
    struct loop_chain *chains; /* by block: the loops around it */
    struct vector left;        /* of uint64_t: iterations in which a path has left its loop */
    const struct flow *flow;
    const struct liveness *liveness;
    struct vector pending;     /* of struct state * */
    struct vector comparisons; /* of struct comparison */
};

static inline struct seq_thread *run_thread(const struct run *run) {
    return symbolic_thread(run->execution, run->thread);
}

struct value run_operand(const struct run *run, const struct state *state, uint32_t operand);

/* Whatever symbolic execution cannot do. */
void run_refuse(struct run *run, const struct instruction *instruction, const char *why);

/* The path depends on the outside. */
void run_assume(struct run *run, enum assumption assumption);

/* An error if the condition holds; otherwise the path continues.  `by_step`: the next step record is the one that
 * fails; otherwise the thread fails after its last one. */
void run_fail(struct run *run, struct state *state, literal condition);

/* The path continues only if the condition holds. */
static inline void state_require(struct symbolic *execution, struct state *state, literal condition) {
    state->guard = gates_and(&execution->gates, state->guard, condition);
}

/* Remembers that a value was compared with a constant; and, on a path where the outcome is known, takes the values that
 * have another one from the sets of all registers that hold the value. */
void narrow_note(struct run *run, struct state *state, const struct instruction *code, struct value result);
void narrow_path(struct run *run, struct state *state, term_id condition, bool holds);

/* A new event at the path's end, and the step record that executes it. */
uint32_t run_event(struct run *run, const struct state *state, const struct instruction *instruction,
                   enum event_kind kind);
void run_step(struct run *run, const struct instruction *instruction, literal guard, uint32_t event,
              enum choice_kind choice, term_id value);

/* Accesses: LOAD, STORE, RMW, CAS; FREE; the end of locals. */
void step_access(struct run *run, struct state *state, const struct instruction *instruction);
void step_free(struct run *run, struct state *state, const struct instruction *instruction);
void step_restore(struct run *run, struct state *state, const struct instruction *instruction);
void step_malloc(struct run *run, struct state *state, const struct instruction *instruction);
void step_alloca(struct run *run, struct state *state, const struct instruction *instruction);
void step_nondet(struct run *run, struct state *state, const struct instruction *instruction);

/* Loops: what is known of them before a thread is executed. */
void loops_init(struct run *run);
void loops_delete(struct run *run);
/* A path at `position` leaves the loops around it with these depths, for a block. */
void loops_leave(struct run *run, const struct path_position *position, uint32_t first, uint32_t end, uint32_t to);
/* At the start of a block: if that begins a further iteration, counts it.  False if the bound is reached: the path is
 * cut there. */
bool loops_iterate(struct run *run, struct state *state);

/* LIB: what the machine does itself for the C library. */
void library_execute(struct run *run, struct state *state, const struct instruction *instruction);

/* The number that the next thread created here will have. */
struct value operation_child(struct run *run, const struct state *state);

/* SYNC. */
void operation_execute(struct run *run, struct state *state, const struct instruction *instruction);
/* The thread stops, at its goal if HALT has one. */
void operation_stay(struct run *run, struct state *state, const struct instruction *instruction);
/* All threads are executed: enough of them at their goals is an error. */
void operation_goals(struct symbolic *execution);
/* The end of the thread, with what it returns. */
void operation_end(struct run *run, struct state *state, const struct instruction *instruction, struct value result);

/* Executes a whole thread.  False if a limit stopped it or it is refused. */
bool run_execute(struct symbolic *execution, uint32_t index, const struct flow *flow, const struct liveness *liveness);

#endif
