/* Arithmetic on vectors of literals, least significant bit first.  What each operation means is the machine's
 * arithmetic; tests/seq/test_circuit.c compares the two. */
#ifndef PICKET_SEQ_CIRCUIT_H
#define PICKET_SEQ_CIRCUIT_H

#include "ir/instruction.h"
#include "seq/gates.h"

#define CIRCUIT_BITS 128

/* out = the operation on operands of `width` bits, which may not overlap with out.  `op` is one of ADD to ASHR. */
void circuit_binary(struct gates *gates, enum op op, unsigned width, const literal *a, const literal *b, literal *out);

literal circuit_compare(struct gates *gates, enum predicate predicate, unsigned width, const literal *a,
                        const literal *b);
literal circuit_equal(struct gates *gates, unsigned width, const literal *a, const literal *b);
literal circuit_any(struct gates *gates, unsigned width, const literal *a); /* is it not 0? */
void circuit_mux(struct gates *gates, unsigned width, literal condition, const literal *a, const literal *b,
                 literal *out);
void circuit_bits(struct gates *gates, enum bits_kind kind, unsigned width, const literal *a, literal *out);
/* The result, and whether it overflows. */
literal circuit_overflow(struct gates *gates, enum overflow_kind kind, unsigned width, const literal *a,
                         const literal *b, literal *out);
/* (a:b) shifted left or right by c modulo the width: the upper or lower half. */
void circuit_funnel(struct gates *gates, bool left, unsigned width, const literal *a, const literal *b,
                    const literal *c, literal *out);

#endif
