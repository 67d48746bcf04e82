/* The codes of operations on synchronisation objects and threads (ir/sync.h), as the printer reads them. */
#ifndef PICKET_SEQ_PRINT_CODES_H
#define PICKET_SEQ_PRINT_CODES_H

#include "ir/sync.h"

/* The meaning of a register of a code. */
struct code_value {
    enum {
        VALUE_NUMBER,   /* a number */
        VALUE_IN_A,     /* an address in the object at operand a */
        VALUE_IN_B,     /* likewise b */
        VALUE_IN_RECORD /* an address in the record of a thread */
    } base;
    uint32_t offset;
    uint32_t record; /* the register that RECORD has written, or SYNC_OWN */
};

void code_values(const struct sync_code *code, struct code_value values[SYNC_MAX_REGISTERS]);

#endif
