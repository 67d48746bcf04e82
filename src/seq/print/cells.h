/* Objects of the printed program: which are shared, and what their locations are.
 *
 * An object is shared if several threads access it and one of them writes it, or if it is a lock or similar object, or
 * if some access may be to it or to a shared object.  All others are the thread's own, or never change: they are C
 * variables.
 *
 * A shared object is divided into locations so that each access is of exactly one. */
#ifndef PICKET_SEQ_PRINT_CELLS_H
#define PICKET_SEQ_PRINT_CELLS_H

#include "seq/print/points.h"

struct location {
    uint32_t global;
    uint32_t size;
    uint64_t offset;
    uint64_t initial;
};

struct object {
    uint64_t users; /* threads that access it, one bit each */
    bool written;
    bool is_sync;
    bool shared;
    uint8_t element;   /* if all accesses have this size, at multiples of it: that; else 0 */
    uint32_t location; /* shared: the first; locations are in ascending order of their offsets */
    uint32_t locations;
};

struct cells {
    const struct points *points;
    struct object *objects;  /* by global */
    struct vector locations; /* of struct location */
};

/* Finds which threads access which object, and how. */
void cells_init(struct cells *cells, const struct points *points);
/* Divides shared objects.  False if one is accessed in several sizes: `diagnostics` says which, and where. */
bool cells_divide(struct cells *cells, struct diagnostics *diagnostics);
void cells_delete(struct cells *cells);

/* The location of the bytes at an offset of a shared object, or NO_REGISTER. */
uint32_t cells_location(const struct cells *cells, uint32_t global, int64_t offset);

/* Is the operand of an access known to be in an object?  Then `target` is its position. */
bool cells_exact(const struct cells *cells, const struct fact *address, uint64_t offset, unsigned size,
                 struct target *target);

/* Calls `visit` for each object that an access of `size` bytes at an address may touch, with the offset or ANY_OFFSET.
 */
void cells_touched(const struct points *points, const struct fact *address, uint64_t offset, unsigned size,
                   void (*visit)(void *data, const struct target *target), void *data);

/* Does an access touch only objects that are C variables? */
bool cells_is_own(const struct cells *cells, const struct fact *address);

#endif
