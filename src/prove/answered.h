/* Questions that were answered with no, in a form that does not depend on names.  Attempts at a proof differ in little:
 * in an addition that may overflow, in a load that is abstracted.  So most of what one of them asks, an earlier one has
 * asked, of its own solver and about variables of other names. */
#ifndef PICKET_PROVE_ANSWERED_H
#define PICKET_PROVE_ANSWERED_H

#include <stdbool.h>

#include "util/vector.h"

struct answered;
struct solver;

struct answered *answered_new(void);
void answered_free(struct answered *answered);

/* The conditions (of Z3_ast) with the bounds of their variables; two questions with the same text differ in nothing but
 * the names of variables.  `text` (of uint32_t) is initialised here. */
void answered_text(const struct solver *solver, const struct vector *conditions, struct vector *text);

/* Can the conditions of this text not hold together? */
bool answered_has(const struct answered *answered, const struct vector *text);
void answered_add(struct answered *answered, const struct vector *text);

#endif
