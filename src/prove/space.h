/* Objects as the proof sees them, and what their bytes can hold.
 *
 * A global, and an object that main has made before its first thread, is one object at a known address.  An instruction
 * that makes objects later (`malloc`, a local that others may know) is one object for all that it makes in one class of
 * threads; so is a thread-local variable in one class.
 *
 * Cells are the ranges that accesses have in common: a cell is known by its offset and size.  In an object with a
 * stride (an array that is accessed with an index) the offsets count modulo the stride, so a cell stands for the same
 * part of every element.  A cell's value is the union of what is there first and of all that is ever stored: it holds
 * in every state of memory under every memory model. */
#ifndef PICKET_PROVE_SPACE_H
#define PICKET_PROVE_SPACE_H

#include "ir/program.h"
#include "machine/machine.h"
#include "prove/value.h"
#include "util/vector.h"

#define MANY_CLASSES 63u /* classes from this number on share a bit */

struct cell {
    uint64_t offset;
    uint32_t size;
    bool mixed;       /* another cell has some of its bytes, and one of the two is written */
    bool written;     /* by some instruction */
    bool bytes;       /* it is accessed byte by byte in formulas */
    uint64_t writers; /* a bit for each class */
    uint32_t changes;
    struct value value;
};

enum object_kind { OBJECT_FIXED, OBJECT_SITE, OBJECT_THREAD_LOCAL };

struct object {
    enum object_kind kind;
    bool private;         /* only the thread that has it accesses it: no step of the others is concerned */
    bool smeared;         /* accesses do not fit its stride: nothing is known of what it holds */
    bool local;           /* fixed: a local of main, which others may know */
    bool ends;            /* some instruction may end it while threads run */
    uint64_t base;        /* fixed: its address */
    uint64_t size;        /* UINT64_MAX: not known */
    uint64_t stride;      /* 0: accesses have known offsets */
    uint32_t class;       /* site, thread-local */
    uint32_t instruction; /* site: index in its class's function */
    uint32_t global;      /* thread-local */
    struct vector cells;  /* of struct cell */
};

struct space {
    const struct program *program;
    const struct machine *machine; /* main just before its first thread */
    struct vector objects;         /* of struct object; the first stands for none */
    const uint64_t *thresholds;    /* for widening */
    size_t thresholds_count;
    bool changed; /* something new was seen */
    bool restart; /* a stride has changed: all that is known of cells is to be found again */
};

void space_init(struct space *space, const struct program *program, const struct machine *machine);
void space_delete(struct space *space);

/* Forgets cells and their values; objects and strides stay. */
void space_forget(struct space *space);

static inline struct object *object_of(const struct space *space, uint32_t index) {
    return vector_at(&space->objects, index);
}

/* A number as a value: an address, if it is in an object at a known address or just after it. */
struct value space_number(struct space *space, uint64_t number);
uint32_t space_site(struct space *space, uint32_t class, uint32_t instruction, uint64_t size, bool private);
uint32_t space_thread_local(struct space *space, uint32_t class, uint32_t global);

/* Is every address that the value can be in an object?  (Null does not count: to access it is an error.) */
bool space_known(const struct value *address);
/* Are all those objects private? */
bool space_private(const struct space *space, const struct value *address);

/* What an access of at most 8 bytes reads. */
struct value space_read(struct space *space, const struct value *address, unsigned size);
/* What it writes is added. */
void space_write(struct space *space, const struct value *address, unsigned size, const struct value *value,
                 uint32_t class);

/* Calls `visit` for every cell of an access; makes no cells. */
void space_cells(const struct space *space, const struct value *address, unsigned size,
                 void (*visit)(void *data, uint32_t object, struct cell *cell), void *data);

/* Can the two accesses, of these sizes, have a byte in common?  Private objects are left out.  A size of 0 is the whole
 * object. */
bool space_overlap(const struct space *space, const struct value *one, unsigned one_size, const struct value *other,
                   unsigned other_size);
/* The same with private objects: for accesses of one thread. */
bool space_may_meet(const struct space *space, const struct value *one, unsigned one_size, const struct value *other,
                    unsigned other_size);
/* Have they one in common whenever both are taken? */
bool space_certainly_overlap(const struct space *space, const struct value *one, unsigned one_size,
                             const struct value *other, unsigned other_size);

#endif
