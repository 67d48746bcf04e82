/* Rehearsals.  What an atomic section touches may depend on what it reads; when a race of it is turned around it finds
 * something else in memory.  What it will touch then is tried out on a machine of its own. */
#ifndef PICKET_EXPLORE_REHEARSAL_H
#define PICKET_EXPLORE_REHEARSAL_H

#include "explore/race.h"

struct rehearsal {
    bool needed; /* may a section of the program touch one thing or another? */
    struct machine_options options;
    struct machine *machine; /* NULL: nothing was rehearsed so far */
    struct chronological trace;
    machine_mark start;
};

/* The rehearsal's machine is to be like the execution's, which has these options. */
void rehearsal_init(struct rehearsal *rehearsal, const struct program *program, const struct machine_options *options);
void rehearsal_delete(struct rehearsal *rehearsal);

/* If the last element of a sequence is an atomic section, sets what it touches behind the other elements. */
void rehearsal_relabel(struct rehearsal *rehearsal, struct sequence *sequence);

#endif
