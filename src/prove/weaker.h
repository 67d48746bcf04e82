/* Facts that others imply: they are left out of formulas while one of these is left. */
#ifndef PICKET_PROVE_WEAKER_H
#define PICKET_PROVE_WEAKER_H

#include "prove/inferred.h"

/* Finds for each fact the stronger ones of its point. */
void weaker_find(struct inferred *inferred);

/* Is a fact left that implies this one? */
bool fact_is_implied(const struct inferred *inferred, const struct fact *fact);

#endif
