/* Which registers still matter: for every instruction, the registers that may be read before they are written again,
 * counted just before the instruction and just behind it. */
#ifndef PICKET_IR_LIVENESS_H
#define PICKET_IR_LIVENESS_H

#include "ir/program.h"

struct liveness {
    const struct program *program;
    uint64_t *words; /* for each function: count + 1 sets of words_per_set[function] words */
    size_t *first;   /* by function: where its sets begin */
};

void liveness_init(struct liveness *liveness, const struct program *program);
void liveness_delete(struct liveness *liveness);

/* The registers live before instruction `index` of a function: bit r of the set is register r. */
const uint64_t *liveness_before(const struct liveness *liveness, uint32_t function, uint32_t index);

static inline size_t liveness_words(const struct program *program, uint32_t function) {
    return (program->functions[function].registers + 63) / 64;
}

#endif
