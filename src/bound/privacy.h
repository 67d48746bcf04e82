/* Which accesses can only touch memory private to their thread, told from the program alone.
 *
 * Picket's machine tells private memory by its address.  A program that is printed for other tools cannot: there every
 * access must be known to be private or not.  So a register is private if every value it can get is computed from the
 * address of a private local or thread-local variable.  A local whose address may also get where that cannot be told
 * (into memory, into a function that is also called with other addresses) is given up: it is no longer private. */
#ifndef PICKET_BOUND_PRIVACY_H
#define PICKET_BOUND_PRIVACY_H

#include "ir/program.h"

struct privacy {
    const struct program *program;
    size_t *first;      /* by function: its first register in the arrays below */
    size_t *first_back; /* by function: its first result */
    uint8_t *values;    /* by register: where its value can come from */
    uint8_t *results;   /* the same by result of a function */
    bool *lost;         /* by register: a private address in it gets where it is not known */
    bool *lost_results; /* by result of a function */
    bool *given_up;     /* by instruction: an ALLOCA that is no longer private */
    bool *shared;       /* by global: a thread-local that is no longer private */
    bool *anywhere;     /* by function: it may be called with any arguments */
    bool changed;
};

void privacy_init(struct privacy *privacy, const struct program *program);
void privacy_delete(struct privacy *privacy);

/* Does the operand hold a private address, and never another? */
bool privacy_holds(const struct privacy *privacy, uint32_t function, uint32_t operand);

#endif
