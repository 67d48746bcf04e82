/* The objects that an address may be in, for every access of an unrolled program.
 *
 * A target is an object and an offset in it, or any offset.  A register, and what an object holds, has a set of
 * targets: the addresses that it may be, apart from numbers that are no address.  What registers hold is followed along
 * the code, which has no cycles; what an object holds is a set for each offset, and one for stores at any offset. These
 * sets grow until nothing changes. */
#ifndef PICKET_SEQ_PRINT_POINTS_H
#define PICKET_SEQ_PRINT_POINTS_H

#include "seq/print/unroll.h"
#include "seq/print/value.h"

#define ANY_OFFSET INT64_MIN

struct target {
    uint32_t global;
    int64_t offset;
};

/* A set is a number; 0 is empty. */
struct target_set {
    uint32_t first; /* in `targets` */
    uint32_t count;
};

/* What is known of an operand. */
struct fact {
    struct value value;
    uint32_t set;
};

struct points {
    const struct unrolled *unrolled;
    struct vector targets; /* of struct target */
    struct vector sets;    /* of struct target_set */
    struct fact *a;        /* by instruction of the program: its operand a */
    struct fact *b;
};

void points_init(struct points *points, const struct unrolled *unrolled);
void points_delete(struct points *points);

static inline const struct target_set *points_set(const struct points *points, uint32_t set) {
    return vector_at(&points->sets, set);
}

static inline const struct target *points_target(const struct points *points, const struct target_set *set,
                                                 uint32_t index) {
    return vector_at(&points->targets, set->first + index);
}

/* The object that contains the address or is right beside it; NO_REGISTER if none. */
uint32_t points_global(const struct program *program, uint64_t address);

#endif
