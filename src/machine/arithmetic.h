/* Local operations as functions of their operands: bits, overflow, wide integers and floating point, which the
 * interpreter calls; and the plain ones, for passes that compute with constants. */
#ifndef PICKET_MACHINE_ARITHMETIC_H
#define PICKET_MACHINE_ARITHMETIC_H

#include "ir/instruction.h"

/* Computes `out` (as many registers as the operation writes) from the operands a, b, c, each a pair whose upper half
 * is 0 if it is one register.  Returns false on a division by zero or one that overflows. */
bool arithmetic_run(const struct instruction *instruction, const uint64_t a[2], const uint64_t b[2],
                    const uint64_t c[2], uint64_t out[3]);

/* Any operation from MOV to SELECT with operands of at most 64 bits and one result.  (The interpreter does the plain
 * ones itself.)  Returns false on a division by zero or one that overflows. */
bool arithmetic_result(const struct instruction *instruction, uint64_t a, uint64_t b, uint64_t c, uint64_t *result);

static inline uint64_t truncated(uint64_t value, unsigned width) {
    return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static inline int64_t sign_extended(uint64_t value, unsigned width) {
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

/* A shift count as x86 takes it: modulo the next power of two, at least 32. */
static inline unsigned shift_count(uint64_t count, unsigned width) {
    return (unsigned)(count & (width <= 32 ? 31 : 63));
}

bool compare(enum predicate predicate, uint64_t a, uint64_t b, unsigned width);

/* The new value: old RMW b, for an access of `size` bytes. */
void rmw_apply(enum rmw_kind kind, unsigned size, const uint64_t old[2], const uint64_t b[2], uint64_t out[2]);

#endif
