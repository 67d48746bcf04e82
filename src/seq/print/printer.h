/* What the parts of the printer of sequential programs share. */
#ifndef PICKET_SEQ_PRINT_PRINTER_H
#define PICKET_SEQ_PRINT_PRINTER_H

#include "emit/emitter.h"
#include "seq/print/cells.h"
#include "seq/print/sequential.h"
#include "seq/print/steps.h"

struct printer {
    const struct sequential_options *options;
    const struct unrolled *unrolled;
    const struct program *program; /* the unrolled one */
    struct points points;
    struct cells cells;
    struct emitter emitter;
    /* The thread being printed. */
    uint32_t thread;
    const struct steps *steps;
    struct body body;
};

static inline size_t code_index(const struct printer *printer, const struct instruction *code) {
    return (size_t)(code - printer->program->code);
}

/* Is the instruction in an atomic section?  Then memory is the thread's already. */
static inline bool in_section(const struct printer *printer) {
    return printer->steps->depth[printer->body.index] > 0;
}

/* names of what is printed: access.c */
void location_name_print(struct printer *printer, uint32_t location);
void own_objects_print(struct printer *printer);
void address_value_print(struct emitter *emitter, uint64_t address);

/* An access through operand `address`, of which `fact` is known, `offset` bytes further on. */
struct access {
    const struct fact *fact;
    uint32_t operand;
    uint32_t offset;
    unsigned size;
    bool locked; /* between memory_lock and memory_unlock */
};
void access_read_print(struct printer *printer, const struct access *access); /* an expression */
/* A statement up to the value, and after it. */
void access_write_begin(struct printer *printer, const struct access *access);
void access_write_end(struct printer *printer, const struct access *access);
/* LOAD, STORE, RMW, CAS, MALLOC, fences; false if the instruction is none. */
bool access_print(struct printer *printer, const struct instruction *code);

/* codes.c */
void records_print(struct printer *printer);
void sync_print(struct printer *printer, const struct instruction *code);
void thread_end_print(struct printer *printer, uint32_t value); /* an operand, or NO_REGISTER */

/* thread.c */
void thread_print(struct printer *printer, uint32_t thread, const struct liveness *liveness);

#endif
