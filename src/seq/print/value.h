/* What is known of a register: its number, or nothing.  Addresses are numbers too. */
#ifndef PICKET_SEQ_PRINT_VALUE_H
#define PICKET_SEQ_PRINT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/instruction.h"

struct value {
    bool known;
    uint64_t number;
};

static inline struct value value_known(uint64_t number) {
    return (struct value){.known = true, .number = number};
}

/* What holds of both. */
static inline struct value value_merge(struct value one, struct value other) {
    return one.known && other.known && one.number == other.number ? one : (struct value){0};
}

/* The result of an operation of one register on numbers; nothing if it is not known, or would be an error. */
struct value value_compute(const struct instruction *instruction, struct value a, struct value b, struct value c);

#endif
