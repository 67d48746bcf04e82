/* Terms: 64-bit words as vectors of literals, and what the program can make of them.
 *
 * A value is a term and the set of values that it can have at its position.  Terms are interned: equal vectors have
 * equal numbers, and a constant is a term like any other.  A register of the program is one value. */
#ifndef PICKET_SEQ_TERM_H
#define PICKET_SEQ_TERM_H

#include "seq/gates.h"
#include "seq/set.h"

typedef uint32_t term_id;

struct value {
    term_id term;
    set_id set;
};

struct term_data {
    uint32_t first; /* where its literals are; the bits beyond `count` are 0 */
    uint8_t count;
    bool constant;
    uint64_t value; /* of a constant */
};

struct terms {
    struct gates *gates;
    struct sets *sets;
    struct vector data;     /* of struct term_data; 0 is the constant 0 */
    struct vector literals; /* of literal */
    uint32_t *table;
    size_t table_size;
};

void terms_init(struct terms *terms, struct gates *gates, struct sets *sets);
void terms_delete(struct terms *terms);

term_id term_of_bits(struct terms *terms, const literal *bits, unsigned count);
term_id term_constant(struct terms *terms, uint64_t value);
bool term_is_constant(const struct terms *terms, term_id of, uint64_t *value);
/* Fills all of `bits`. */
void term_bits(const struct terms *terms, term_id of, literal *bits, unsigned count);
uint64_t term_model(struct terms *terms, term_id of); /* its value in the solver's model */

literal term_equals(struct terms *terms, term_id of, uint64_t value);
literal term_equal(struct terms *terms, term_id one, term_id other);
literal term_any(struct terms *terms, term_id of);
term_id term_mux(struct terms *terms, literal condition, term_id one, term_id other);
/* A fresh term that can have the values of the set: one literal for each column of bits that differs. */
term_id term_fresh(struct terms *terms, set_id set);
/* Bits low .. low + count of a term. */
term_id term_part(struct terms *terms, term_id of, unsigned low, unsigned count);

struct value value_constant(struct terms *terms, uint64_t value);
struct value value_mux(struct terms *terms, literal condition, struct value one, struct value other);
bool value_is_constant(const struct terms *terms, struct value value, uint64_t *constant);

/* Computes the instruction (of class LOCAL, arithmetic); an operand is a pair if the instruction takes one.  `fails`
 * becomes the literal for a division that fails.  Returns NULL, or the reason for which that is impossible. */
const char *term_operate(struct terms *terms, const struct instruction *instruction, const struct value operands[3][2],
                         struct value out[3], literal *fails);

/* Computes the new value of a read-modify-write of `size` bytes.  Returns NULL, or the reason for which that is
 * impossible. */
const char *term_rmw(struct terms *terms, enum rmw_kind kind, unsigned size, const struct value old[2],
                     const struct value operand[2], struct value out[2]);

#endif
