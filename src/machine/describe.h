/* Objects in words: names of addresses and values of variables, from the types a Program carries. */
#ifndef PICKET_MACHINE_DESCRIBE_H
#define PICKET_MACHINE_DESCRIBE_H

#include "machine/machine.h"

/* "flag[1]", "q.head", "heap object of 24 bytes from f.c:12 at offset 8": the name of an address. */
void machine_describe(const struct machine *machine, uint64_t address, unsigned size, char *text, size_t text_size);

/* A value as the variable's type shows it: signed numbers with their sign, addresses as names. */
void machine_describe_value(const struct machine *machine, uint64_t address, unsigned size, const uint64_t value[2],
                            char *text, size_t text_size);

/* The values of all variable globals, as one line "x=1; flag={0, 1};".  The caller frees it. */
char *machine_shared_text(const struct machine *machine);

#endif
