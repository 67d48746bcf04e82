/* Live registers: those that may be read before they are written again.
 *
 * Passes need the registers live at the start of a block, as a list: a function may have a hundred thousand registers,
 * of which few are live at the same time.  They go through the block from its end with a `live_set`. Engines need the
 * registers live before any instruction, as a set of bits: there registers share numbers (pass_compact). */
#ifndef PICKET_IR_LIVENESS_H
#define PICKET_IR_LIVENESS_H

#include "ir/flow.h"
#include "ir/program.h"

/* --- Of blocks ---------------------------------------------------------------------------------------------------- */

struct block_liveness {
    uint32_t *registers; /* block b has registers[first[b]] .. registers[first[b + 1] - 1], ascending */
    size_t *first;
};

void block_liveness_init(struct block_liveness *blocks, const struct flow *flow);
void block_liveness_delete(struct block_liveness *blocks);

/* A set of registers that can be listed, emptied and changed in time that does not depend on the number of registers.
 * Invariant: at[members[i]] is i, for every i below count. */
struct live_set {
    uint32_t *members;
    uint32_t *at; /* by register */
    uint32_t count;
};

void live_set_init(struct live_set *set, uint32_t registers);
void live_set_delete(struct live_set *set);
bool live_set_has(const struct live_set *set, uint32_t reg);

/* Sets it to the registers that are live at the end of a block. */
void live_set_after(struct live_set *set, const struct flow *flow, const struct block_liveness *blocks, uint32_t block);

/* Replaces the registers live after an instruction by those live before it. */
void live_set_before(struct live_set *set, const struct program *program, const struct instruction *instruction);

/* --- Of instructions ---------------------------------------------------------------------------------------------- */

struct liveness {
    const struct program *program;
    uint64_t *words; /* for each function: count + 1 sets of liveness_words(function) words */
    size_t *first;   /* by function: index of its sets */
};

void liveness_init(struct liveness *liveness, const struct program *program);
void liveness_delete(struct liveness *liveness);

/* The registers live before instruction `index` of a function: bit r of the set is register r. */
const uint64_t *liveness_before(const struct liveness *liveness, uint32_t function, uint32_t index);

static inline size_t liveness_words(const struct program *program, uint32_t function) {
    return (program->functions[function].registers + 63) / 64;
}

#endif
