/* An execution that shows what the store buffer adds, and whether its trace has a cycle. */
#ifndef PICKET_ROBUST_EXECUTION_H
#define PICKET_ROBUST_EXECUTION_H

#include "engine/witness.h"
#include "explore/chronological.h"

/* An execution, and the options of a machine on which it runs. */
struct execution {
    struct vector path; /* of struct transition */
    struct machine_options machine;
    bool implies_reads;  /* its cycle may have failed reads of waiting loops, which are no steps of it */
    bool fails_sections; /* an atomic section that is blocked fails and ends; otherwise it stays blocked */
};

/* Runs the execution: is its trace cyclic?  If so, calls `found`, if not NULL, with the cycle (of struct
 * cycle_event). */
bool execution_is_cyclic(const struct program *program, const struct execution *execution,
                         void (*found)(void *data, struct chronological *trace, const struct vector *cycle),
                         void *data);

/* A machine on which the execution was run, or NULL if it cannot be run; `taken`, if not NULL, is called after every
 * transition. */
struct machine *execution_run(const struct program *program, const struct execution *execution,
                              void (*taken)(void *data, struct machine *machine, struct transition transition),
                              void *data);

/* Takes one of its transitions on a machine on which the ones before were taken. */
void execution_take(const struct execution *execution, struct machine *machine, struct transition transition);

/* An execution from steps of a witness, to be run on a machine of its options: execution_step takes a step and appends
 * it; false if it is not enabled.  execution_end drains what is left in buffers, since the trace has it, too. */
void execution_init(struct execution *execution, const struct witness *witness);
bool execution_append(struct execution *execution, struct machine *machine, const struct witness_step *step);
void execution_drain(struct execution *execution, struct machine *machine);

void execution_delete(struct execution *execution);

/* Initialises `to` as a copy of transitions. */
void path_copy(const struct vector *from, struct vector *to);

#endif
