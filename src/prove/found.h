/* Abstractions that the proof finds: what they allow, which of them only add waiting, and the search for them.
 *
 * An abstraction is idle if on every path from an added value the thread returns to the head of an enclosing loop with
 * the same live values, and neither there nor on a path from that head to the access writes, or does anything that can
 * fail.  Such an iteration can be left out of an execution under SC, so the program without the abstraction has the
 * same states. */
#ifndef PICKET_PROVE_FOUND_H
#define PICKET_PROVE_FOUND_H

#include "prove/movers.h"

/* May the access return `value` where memory holds `content`?  A read-modify-write leaves memory alone then.  `state`
 * is the one before the access. */
Z3_ast found_condition(struct instance *thread, const struct state *state, const struct found *found,
                       struct term content, struct term value);

/* May the access then return anything else?  Otherwise the abstraction is of no use. */
bool found_adds(struct instance *thread, const struct found *found);

/* Is the abstraction idle (idle.c)?  The system has it. */
bool found_is_idle(struct questions *questions, const struct abstraction *abstraction, uint32_t class);

/* The loop around the access of which the instruction is the head, if nothing happens from there to the access; or
 * NULL. */
const struct loop *found_quiet_loop(const struct instance *thread, uint32_t access, uint32_t index);

/* In words, after "may return": "0 as well", ...; to be freed. */
char *found_text(const struct found *found);

/* The same as the condition of picket_reads, of a variable and a place; the caller frees it; NULL: C cannot express
 * it. */
char *found_expression(const struct found *found, const char *variable, const char *place);

#endif
