/* Footprints: which memory an instruction touches, and which memory a thread may still touch from a place in its code
 * on.  They are coarse: 61 groups of words, by the word's place in the row of globals, and one group for what threads
 * know of each other's ends.  What shares no group does not disturb each other. */
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
    struct footprint *whole;  /* by function: all that it, what it calls and the threads it creates may touch */
};

/* `exits`: the end of the process touches everything, for those who look at final states. */
void footprints_init(struct footprints *footprints, const struct machine *machine, bool exits);
void footprints_delete(struct footprints *footprints);

/* The groups of the words of an access. */
uint64_t footprint_bits(int64_t row_offset, size_t size);

/* What a loaded thread may touch from where it stands on. */
struct footprint footprint_future(const struct footprints *footprints, const struct machine *machine, uint32_t thread);

static inline void footprint_add(struct footprint *to, struct footprint from) {
    to->reads |= from.reads;
    to->writes |= from.writes;
}

static inline bool footprints_conflict(struct footprint one, struct footprint other) {
    return (one.writes & (other.reads | other.writes)) || (one.reads & other.writes);
}

#endif
