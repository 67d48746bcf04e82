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
    set_id set;      /* of values that it has been seen to have */
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
    uint32_t global; /* of a global */
    const uint8_t *initial;
    uint64_t initial_size;
    struct vector cells; /* of struct cell, ascending; together all that is accessed */
    struct cell life;    /* the hidden one */
};

struct objects {
    struct vector objects; /* of struct shared_object *, ascending by base */
    bool changed;          /* since it was last set to false: something was seen that was not known before */
};

void objects_init(struct objects *objects);
void objects_delete(struct objects *objects);

/* The object at or before the address, if the address is in it or not far behind it, as the machine has it. */
struct shared_object *object_near(const struct objects *objects, uint64_t address);
/* The object that begins there; a new one if there is none. */
struct shared_object *object_at_base(struct objects *objects, uint64_t base, uint64_t size, enum object_kind kind);

/* The cell that begins at the offset and has this size; NULL if there is none, then there will be one next time. */
struct cell *object_cell(struct objects *objects, struct shared_object *object, uint64_t offset, uint32_t size);
/* The cells of an access, at most as many as bytes; false if they are not known yet. */
bool object_cells(struct objects *objects, struct shared_object *object, uint64_t offset, uint32_t size,
                  struct cell **cells, unsigned *count);

/* Adds values to those that the cell can have. */
void cell_add(struct objects *objects, struct sets *sets, struct cell *cell, set_id values);

#endif
