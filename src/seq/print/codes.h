/* The codes of operations on synchronisation objects and threads (ir/sync.h), as the printer reads them. */
#ifndef PICKET_SEQ_PRINT_CODES_H
#define PICKET_SEQ_PRINT_CODES_H

#include "ir/sync.h"

/* What a register of a code is. */
struct code_place {
    enum {
        PLACE_NUMBER, /* a number */
        PLACE_A,      /* an address in the object at operand a */
        PLACE_B,      /* likewise b */
        PLACE_RECORD  /* an address in the record of a thread */
    } base;
    uint32_t offset;
    uint32_t record; /* the register that RECORD has written, or SYNC_OWN */
};

void code_places(const struct sync_code *code, struct code_place places[SYNC_MAX_REGISTERS]);

#endif
