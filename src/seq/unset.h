/* Reads of memory, and of locals, that nobody has written: the assumption `uninitialised`.
 *
 * While the program is executed symbolically, each such read is noted with the literal for its happening
 * (`struct content`, words.h).  When nothing else is left to be shown, the solver finds those that happen in some
 * execution. */
#ifndef PICKET_SEQ_UNSET_H
#define PICKET_SEQ_UNSET_H

#include "seq/run.h"

void unset_init(struct symbolic *execution);

/* The path reads what nobody has written if the literal, which implies its guard, holds. */
void unset_note(struct run *run, literal holds);

/* The literals of the notes whose position comes before those that the assumption has already; a vector of literal. */
void unset_literals(const struct symbolic *execution, struct vector *literals);

/* Records the assumption for the notes that hold in the model; or for all of them. */
void unset_record_model(struct symbolic *execution);
void unset_record_all(struct symbolic *execution);

#endif
