/* Living objects: does an access hit one? */
#ifndef PICKET_PROVE_LIVING_H
#define PICKET_PROVE_LIVING_H

#include "prove/instance.h"

/* The condition under which an access at this address is to an object that is alive and allows the access; false if
 * that is unknown. */
Z3_ast living_hit(const struct instance *thread, struct term address, const struct access *access);

#endif
