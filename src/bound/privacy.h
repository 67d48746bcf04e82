/* Which accesses can only be to memory private to their thread, from the program alone.
 *
 * Picket's machine recognises private memory by its address.  A program that is printed for other tools cannot: every
 * access must be known to be private or not.  A register is private if each of its values is computed from the address
 * of a private local or thread-local variable.  A local is given up, and no longer private, if its address may also
 * reach memory, or a function that is also called with other addresses, where it could not be followed. */
#ifndef PICKET_BOUND_PRIVACY_H
#define PICKET_BOUND_PRIVACY_H

#include "ir/program.h"

struct privacy {
    const struct program *program;
    size_t *first;      /* by function: its first register in the arrays below */
    size_t *first_back; /* by function: its first result */
    uint8_t *values;    /* by register: possible origins of its value */
    uint8_t *results;   /* by result of a function: likewise */
    bool *lost;         /* by register: a private address in it is lost, since its uses cannot be followed */
    bool *lost_results; /* by result of a function */
    bool *given_up;     /* by instruction: an ALLOCA that is no longer private */
    bool *shared;       /* by global: a thread-local that is no longer private */
    bool *anywhere;     /* by function: it may be called with any arguments */
    bool changed;
};

void privacy_init(struct privacy *privacy, const struct program *program);
void privacy_delete(struct privacy *privacy);

/* Is the operand always a private address? */
bool privacy_holds(const struct privacy *privacy, uint32_t function, uint32_t operand);

#endif
