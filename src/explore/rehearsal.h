/* Rehearsals.  What an atomic section touches and has to choose may depend on what it reads; when a race of it is
 * turned around it finds something else in memory.  What it will do then is tried out on a machine of its own.
 *
 * Picks form a tree.  As long as a pick is made of as many alternatives as in the execution, the others are those of
 * other executions, whose races are turned around too; from the first one on that is not, all are tried here. */
#ifndef PICKET_EXPLORE_REHEARSAL_H
#define PICKET_EXPLORE_REHEARSAL_H

#include "explore/race.h"

struct rehearsal {
    bool needed; /* may a section of the program touch one thing or another? */
    struct machine_options options;
    struct machine *machine; /* NULL: nothing was rehearsed so far */
    struct chronological trace;
    machine_mark start;
    size_t settled; /* so many of the picks that the section makes are those of the execution */
};

/* The rehearsal's machine is to be like the execution's, which has these options. */
void rehearsal_init(struct rehearsal *rehearsal, const struct program *program, const struct machine_options *options);
void rehearsal_delete(struct rehearsal *rehearsal);

/* If the last element of a sequence is an atomic section, sets what it chooses and touches after the other elements;
 * false if there is nothing to be tried. */
bool rehearsal_first(struct rehearsal *rehearsal, struct sequence *sequence);
/* Likewise the next alternative, of a sequence that was made anew; false if there is none. */
bool rehearsal_next(struct rehearsal *rehearsal, struct sequence *sequence);

#endif
