/* Candidates for facts that are known to be false, in a form that does not depend on the system: what is no fact of a
 * program is no fact of one that has more executions, because a load of it is abstracted, or because additions may
 * overflow.  So a proof begins with what another one has left.
 *
 * All these proofs run the same executions of the program without abstractions; so candidates that are true in them are
 * known, too. */
#ifndef PICKET_PROVE_REFUTED_H
#define PICKET_PROVE_REFUTED_H

#include "prove/inferred.h"

struct refuted *refuted_new(void);
void refuted_free(struct refuted *refuted);

/* Adds what is known of a program with fewer executions. */
void refuted_add(struct refuted *refuted, const struct refuted *less);

/* Drops those candidates that are in the set.  Is there one left that executions might refute? */
bool refuted_apply(const struct refuted *refuted, struct inferred *inferred);

/* Adds those that are dropped, unless that was because of a limit.  The others are true in executions. */
void refuted_learn(struct refuted *refuted, const struct inferred *inferred);

#endif
