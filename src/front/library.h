/* Library functions without a body that Picket knows: one table from names to instructions.
 *
 * Two kinds of names are in the table: intrinsics of Picket's own C library (`__picket_mutex_lock`, ..., declared in
 * lib/intrinsics.h, each one instruction), and the C functions that map directly to instructions (`abort`,
 * `sqrt`, `__VERIFIER_assume`, ...).  Everything else that C and POSIX offer is written in C in lib/, on top of the
 * intrinsics. */
#ifndef PICKET_FRONT_LIBRARY_H
#define PICKET_FRONT_LIBRARY_H

#include "ir/builder.h"

struct library_call {
    const char *name;
    const uint32_t *arguments; /* operands, one per 64-bit scalar; a pair for wide ones */
    uint32_t arguments_count;
    const char *const *texts; /* for each argument: the constant C string it points at, or NULL */
    uint32_t dst;             /* first result register, NO_REGISTER if the result is void */
    uint32_t results;         /* number of registers of the result */
    uint32_t width;           /* bits of the (first) result */
    uint32_t pos;
};

/* Is it a function of Picket's C library that stands for one operation in several steps (FUNCTION_WHOLE)? */
bool library_is_whole(const char *name);

/* Is the function in the table? */
bool library_knows(const char *name);

/* May the function keep the pointer in this argument beyond the call, or pass it to another thread? */
bool library_captures(const char *name, unsigned argument);

/* Emits the instructions of a call of a known function; returns false with a message for a bad call. */
bool library_lower(struct builder *builder, uint32_t *next_register, const struct library_call *call, char *message,
                   size_t size);

#endif
