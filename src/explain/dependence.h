/* What the steps of an execution, and its error, depend on: which reads have made the values that they use, and which
 * have decided a branch before them.
 *
 * Values are followed through the registers of each thread, calls and returns, and from a write to the reads that see
 * it.  They are not followed through private memory, and a branch counts for all that its thread does later; so
 * dependences by value are some of those that there are, and dependences by branches more than there are. */
#ifndef PICKET_EXPLAIN_DEPENDENCE_H
#define PICKET_EXPLAIN_DEPENDENCE_H

#include "explain/moments.h"

/* Sets of moments are rows of `words` words, a bit for each moment. */
struct dependence {
    const struct moments *moments;
    size_t words;
    uint64_t *values;   /* by moment, a row: the reads that its operands depend on */
    uint64_t *branches; /* likewise: the reads that branches of its thread before it depend on */
    uint64_t *error;    /* a row: the reads that the error itself depends on, by value or else by the last branch */
    uint64_t *slice;    /* a row: likewise, and what the values that these have read depend on in turn */
};

/* False if the execution is too long.  To be deleted in any case. */
bool dependence_init(struct dependence *dependence, const struct moments *moments, uint32_t failing_thread);
void dependence_delete(struct dependence *dependence);

static inline bool row_has(const uint64_t *row, size_t moment) {
    return row[moment / 64] >> moment % 64 & 1;
}

/* Do the values of moment `later` depend on what `read` has read; is there a branch between that does? */
static inline bool depends_by_value(const struct dependence *dependence, size_t later, size_t read) {
    return row_has(dependence->values + later * dependence->words, read);
}
static inline bool depends_by_branch(const struct dependence *dependence, size_t later, size_t read) {
    return row_has(dependence->branches + later * dependence->words, read);
}

/* The last write before this moment to a byte that it reads; `count` of moments if there is none. */
size_t moment_source(const struct moments *moments, size_t read);

#endif
