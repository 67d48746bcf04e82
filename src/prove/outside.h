/* What a proof assumes of the outside (ir/assumption.h): what main meets up to its first thread, on the machine, and
 * what an instruction that some thread reaches may meet.  The latter may be more than an execution meets. */
#ifndef PICKET_PROVE_OUTSIDE_H
#define PICKET_PROVE_OUTSIDE_H

#include "prove/system.h"

/* Records in `system->outside`, whose positions are those of the flat program. */
void outside_note(struct system *system);

#endif
