/* Objects that threads share, and the cells into which their accesses divide them.
 *
 * An address is the machine's, so an object is known by where it begins.  Objects, the borders of their cells and the
 * values that cells can have are found by executing the program again and again until nothing new is seen
 * (symbolic.h), so they outlive one symbolic execution.
 *
 * A cell is a range of at most 8 bytes that every access has whole or not at all. */
#ifndef PICKET_SEQ_OBJECTS_H
#define PICKET_SEQ_OBJECTS_H

#include "ir/program.h"
#include "seq/term.h"

#define NO_CELL UINT32_MAX

struct cell {
    uint64_t offset;
    uint32_t size;
    set_id set;      /* of values that a load can find there, 0: the initial one */
    set_id next;     /* of values that it has been seen to have: `set` in the next execution */
    uint32_t grown;  /* the execution in which it last got a value */
    bool written;    /* by some event */
    bool end;        /* the hidden one: 1 once the object has ended */
    uint32_t number; /* in this execution, NO_CELL: not accessed yet */
};

enum object_kind { OBJECT_IS_GLOBAL, OBJECT_IS_HEAP, OBJECT_IS_LOCAL, OBJECT_IS_RECORD };

struct shared_object {
    uint64_t base;
    uint64_t size;      /* the largest, if it depends on the path */
    uint64_t least;     /* and the smallest */
    struct value bytes; /* its size on each path, if it depends on that */
    uint8_t kind;       /* enum object_kind */
    bool constant;
    bool ends;       /* some event ends it */
    bool zeroed;     /* its bytes are 0 from the beginning, by calloc */
    uint32_t global; /* of a global */
    const uint8_t *initial;
    uint64_t initial_size;
    struct vector cells; /* of struct cell, ascending; together all that is accessed */
    struct cell life;    /* the hidden one */
};

struct objects {
    struct vector objects; /* of struct shared_object *, ascending by base */
    uint32_t execution;    /* how many there have been */
    uint32_t changed;      /* the one in which an object, a border, or that a cell is written, was last found */
    uint32_t grown;        /* the one in which a cell last got a value */
};

void objects_init(struct objects *objects);
void objects_delete(struct objects *objects);

/* Something other than a value was found in this execution. */
static inline void objects_change(struct objects *objects) {
    objects->changed = objects->execution;
}

/* The object at or before the address, if the address is in it or not far after it, as the machine has it. */
struct shared_object *object_near(const struct objects *objects, uint64_t address);
/* The object that begins there; a new one if there is none. */
struct shared_object *object_at_base(struct objects *objects, uint64_t base, uint64_t size, enum object_kind kind);

/* The cell that begins at the offset, if there is one. */
struct cell *object_cell_at(const struct shared_object *object, uint64_t offset);
/* The cells of an access, at most one for each byte; false if they are not known yet. */
bool object_cells(struct objects *objects, struct sets *sets, struct shared_object *object, uint64_t offset,
                  uint32_t size, struct cell **cells, unsigned *count);

/* Are no addresses known among the values that it has been seen to have? */
bool cell_has_numbers(const struct sets *sets, const struct cell *cell);
/* Adds values to those that the cell can have.  Loads find numbers in the next execution only, so that counters grow
 * slowly; they find addresses at once. */
void cell_add(struct objects *objects, struct sets *sets, struct cell *cell, set_id values);

#endif
