/* What is known to hold where: invariants in every state, claims wherever a thread is at their location.
 *
 * Every use of a fact assumes it; obligations.h proves them all, by induction over the steps of an execution under SC:
 * if they hold in all states so far, they hold after the next step.
 *
 * A claim also holds between its location and the next step of its thread, since local code changes no memory.  Claims
 * that follow each other without a step between them hold together where the first of them is. */
#ifndef PICKET_PROVE_FACTS_H
#define PICKET_PROVE_FACTS_H

#include "prove/path.h"

/* What holds in memory as it is in `world` while the thread is before an instruction, invariants included. */
Z3_ast facts_at(struct instance *thread, struct world *world, uint32_t index);

/* The same with what was inferred (inferred.h), for a thread in this state.  `parts` as for inferred_at. */
Z3_ast facts_known(struct instance *thread, const struct state *state, struct world *world, uint32_t index,
                   struct hash_table *parts);

/* What is known of two different threads at two points. */
Z3_ast facts_between(struct instance *one, uint32_t point, struct instance *other, uint32_t other_point);

/* The invariants alone. */
Z3_ast facts_always(struct instance *thread, struct world *world);

/* The claims that must hold when the thread reaches this instruction in this state. */
Z3_ast facts_arriving(struct instance *thread, const struct state *state, struct world *world, uint32_t index);

/* Is there a claim at the instruction? */
static inline bool facts_claim(const struct instance *thread, uint32_t index) {
    return thread->code[index].op == OP_NOTE && thread->code[index].sub == NOTE_CLAIM &&
           instruction_reached(thread->class, index);
}

/* Is there one at the instruction, or after it without a step or branch between? */
bool facts_claimed(const struct instance *thread, uint32_t index);

/* Is it a point: before a step, at a claim, or at a loop's head? */
bool facts_is_point(const struct instance *thread, uint32_t index);

/* The only instruction from which control reaches this one, by local code that is executed once; UINT32_MAX: there is
 * none, or it is a step. */
uint32_t facts_before(const struct instance *thread, uint32_t index);

#endif
