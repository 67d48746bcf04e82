/* The search for abstractions with which all pairs move. */
#ifndef PICKET_PROVE_TRIAL_H
#define PICKET_PROVE_TRIAL_H

#include "prove/prove.h"
#include "prove/refuted.h"
#include "prove/system.h"

/* Fills `found` (of struct found) with as many as are needed; false if there are none that suffice.  `without` (the
 * same): these are not tried.  `refuted`: what is no fact of the program; with what it found it adds what is none of
 * the abstracted program.  `answered`: what need not be asked again.  Adds the number of questions to `queries`. */
bool trial_search(const struct task *task, const struct prove_options *options, const struct vector *without,
                  struct refuted *refuted, struct answered *answered, struct vector *found, uint64_t *queries);

#endif
