/* Rehearsals.  The accesses and choices of an atomic section may depend on what it reads, and in a reversed race it
 * reads other values.  A rehearsal executes the section on a machine of its own to find them.
 *
 * Picks form a tree.  As long as a pick has the same number of choices as in the execution, the other choices are in
 * other executions, whose races are reversed too; from the first pick with another number on, the rehearsal tries
 * all. */
#ifndef PICKET_EXPLORE_REHEARSAL_H
#define PICKET_EXPLORE_REHEARSAL_H

#include "explore/race.h"

struct rehearsal {
    bool needed; /* may the accesses of a section of the program differ? */
    struct machine_options options;
    struct machine *machine; /* NULL: nothing has been rehearsed yet */
    struct chronological trace;
    machine_mark start;
    size_t settled; /* number of first picks that have as many choices as in the execution */
};

/* The rehearsal's machine has the options of the execution's. */
void rehearsal_init(struct rehearsal *rehearsal, const struct program *program, const struct machine_options *options);
void rehearsal_delete(struct rehearsal *rehearsal);

/* If the last element of a sequence is an atomic section, sets its choice and its accesses after the other elements;
 * false if there is nothing to try. */
bool rehearsal_first(struct rehearsal *rehearsal, struct sequence *sequence);
/* The same with the next choice, for a sequence that was made anew; false if there is none. */
bool rehearsal_next(struct rehearsal *rehearsal, struct sequence *sequence);

#endif
