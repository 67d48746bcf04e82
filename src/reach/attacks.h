/* Attacks: pairs of a store and a load of one thread in the program text, such that the store may be delayed past the
 * load.
 *
 * Pairs that cannot succeed are left out: every path from the store to the load waits for the empty buffer; or the load
 * reads bytes of the store, so that the buffer serves it or makes it wait; or no other thread accesses the bytes
 * stored; or no other thread writes the bytes loaded. */
#ifndef PICKET_REACH_ATTACKS_H
#define PICKET_REACH_ATTACKS_H

#include <stdbool.h>

#include "engine/limits.h"
#include "ir/program.h"
#include "util/vector.h"

struct attacks {
    const struct program *program;
    uint32_t *owner;  /* by function: the thread that executes it, see attacks.c */
    uint32_t *rows;   /* by instruction: 1 + index into `loads` for a store that can be delayed, else 0 */
    uint64_t *loads;  /* for each such store a set of instructions: the loads */
    size_t row_words; /* of each set */
    uint32_t rows_count;
    size_t rows_capacity;
    uint64_t *load_ahead; /* set of instructions: from these on a load may come before the buffer is empty */
    struct vector accesses;
    uint64_t count;     /* pairs of a store and a load in one function, in any order */
    uint64_t discarded; /* number of these that are left out */
};

/* False if a limit was reached before all attacks were found. */
bool attacks_init(struct attacks *attacks, const struct program *program, struct limits *limits);
void attacks_delete(struct attacks *attacks);

/* Instructions are indices into the program's code. */
static inline bool attacks_begin(const struct attacks *attacks, uint32_t store) {
    return attacks->rows[store] != 0;
}

static inline bool attacks_pair(const struct attacks *attacks, uint32_t store, uint32_t load) {
    const uint64_t *row = attacks->loads + (attacks->rows[store] - 1) * attacks->row_words;
    return row[load / 64] >> load % 64 & 1;
}

static inline bool attacks_continue(const struct attacks *attacks, uint32_t instruction) {
    return attacks->load_ahead[instruction / 64] >> instruction % 64 & 1;
}

#endif
