/* A witness as a table: one column per thread, one row per step, with store buffers as they fill and drain. */
#ifndef PICKET_REPORT_COLUMNS_H
#define PICKET_REPORT_COLUMNS_H

#include <stdio.h>

#include "engine/witness.h"

/* Runs the witness step by step and prints it; ends with the state at the error, or
 * with the final state that is one.  False if it does not replay. */
bool columns_print(const struct witness *witness, const struct program *program, FILE *out);

#endif
