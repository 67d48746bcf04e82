/* A Program as text for people, as `picket show` prints it. */
#ifndef PICKET_IR_PRINT_H
#define PICKET_IR_PRINT_H

#include <stdio.h>

#include "ir/program.h"

void program_print(const struct program *program, FILE *out);

/* One instruction, without position or line end. */
void instruction_print(const struct program *program, const struct instruction *instruction, FILE *out);

#endif
