/* Candidates for facts: what a program like this one may rely on. */
#ifndef PICKET_PROVE_CANDIDATES_H
#define PICKET_PROVE_CANDIDATES_H

#include "prove/inferred.h"

/* Fills in places, facts and pairs. */
void candidates_find(struct inferred *inferred);

#endif
