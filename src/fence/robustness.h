/* Is a program robust, and if not, in which executions does the store buffer show?
 *
 * Two engines can tell.  `explore` tests the trace of every execution for a cycle; it ends if all executions do.  The
 * oracle searches states for a witness, TSO only; it ends if there are finitely many.  They take turns, each time for
 * twice as long, and the first to answer is believed.  For a program with loops the oracle begins.  Failed reads of
 * waiting loops are events, but `explore` does not walk them: programs that wait are the oracle's, and what `explore`
 * says of them under PSO, where there is nobody else to ask, holds with that exception. */
#ifndef PICKET_FENCE_ROBUSTNESS_H
#define PICKET_FENCE_ROBUSTNESS_H

#include "engine/engine.h"
#include "explore/chronological.h"

enum robustness_way { ROBUSTNESS_TURNS, ROBUSTNESS_EXPLORE, ROBUSTNESS_ORACLE };

/* An execution, and the options of a machine on which it runs. */
struct execution {
    struct vector path; /* of struct transition */
    struct machine_options machine;
    bool implies_reads; /* its cycle may have failed reads of waiting loops, which are no steps of it */
};

struct robustness {
    struct vector executions; /* of struct execution: each has a trace with a cycle */
    const char *engine;       /* that answered */
};

/* Loops of the user's that are more than waiting. */
enum looping { LOOPS_NONE, LOOPS_SOME, LOOPS_ENDLESS };
enum looping program_find_loops(const struct program *program);

void robustness_init(struct robustness *robustness);
void robustness_delete(struct robustness *robustness);

/* Fills in the verdict: safe is robust, a violation has executions, one or, with `several`, as many as come at no
 * great cost, and executions in which every read is a step wherever that can be had.  The task's jobs are the
 * oracle's. */
void robustness_decide(const struct task *task, enum robustness_way way, bool several, struct robustness *robustness,
                       struct verdict *verdict);

/* Runs the execution: is its trace cyclic?  If so `found`, if not NULL, is called with the cycle (of struct
 * cycle_event). */
bool execution_is_cyclic(const struct program *program, const struct execution *execution,
                         void (*found)(void *data, struct chronological *trace, const struct vector *cycle),
                         void *data);

/* A machine on which the execution was run, or NULL if it cannot be run; `taken`, if not NULL, is called behind every
 * transition. */
struct machine *execution_run(const struct program *program, const struct execution *execution,
                              void (*taken)(void *data, struct machine *machine, struct transition transition),
                              void *data);

void execution_delete(struct execution *execution);

#endif
