/* Abstractions that would help a proof, as changes of the source. */
#ifndef PICKET_CLI_PROVE_PATCH_H
#define PICKET_CLI_PROVE_PATCH_H

#include "prove/prove.h"

/* Prints what would help, in words, and as a patch where a line assigns what is read to a variable. */
void patch_print(const struct proof *proof);

#endif
