/* Footprints: the memory that an instruction accesses, and the memory that a thread may still access from an
 * instruction on. They are coarse: 61 groups of words, by position in the row of globals, and one group for what
 * threads know of each other's ends.  Two footprints without a common group are independent. */
#ifndef PICKET_REACH_FOOTPRINT_H
#define PICKET_REACH_FOOTPRINT_H

#include "machine/parts.h"

#define FOOTPRINT_WORDS 61u
#define FOOTPRINT_THREADS (UINT64_C(1) << 62)
#define FOOTPRINT_ALL UINT64_MAX

struct footprint {
    uint64_t reads;
    uint64_t writes;
};

struct footprints {
    const struct program *program;
    struct footprint *future; /* by instruction of the program: this one and all that may follow in its function */
    struct footprint *whole;  /* by function: what it, its callees and the threads they create may access */
};

/* With `exits` the end of the process accesses everything: for searches that read final states. */
void footprints_init(struct footprints *footprints, const struct machine *machine, bool exits);
void footprints_delete(struct footprints *footprints);

/* The groups of the words of an access. */
uint64_t footprint_bits(int64_t row_offset, size_t size);

/* What a loaded thread may access from its next instruction on. */
struct footprint footprint_future(const struct footprints *footprints, const struct machine *machine, uint32_t thread);

static inline void footprint_add(struct footprint *to, struct footprint from) {
    to->reads |= from.reads;
    to->writes |= from.writes;
}

static inline bool footprints_conflict(struct footprint one, struct footprint other) {
    return (one.writes & (other.reads | other.writes)) || (one.reads & other.writes);
}

#endif
