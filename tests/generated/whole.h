/* Operations of the C library that take several steps: in generated programs they are functions, as they are in
 * Picket's own C library. */
#ifndef PICKET_TESTS_GENERATED_WHOLE_H
#define PICKET_TESTS_GENERATED_WHOLE_H

#include "ir/builder.h"
#include "ir/sync.h"

/* They stand where SYNC_* may.  WHOLE_RW_UNLOCK depends on what the thread holds, and WHOLE_DESTROY on
 * the sort of the object: they have no function. */
enum whole {
    WHOLE_COND_WAIT = SYNC_COUNT,
    WHOLE_COND_TIMEDWAIT,
    WHOLE_BARRIER_WAIT,
    WHOLE_FUNCTIONS,
    WHOLE_RW_UNLOCK,
    WHOLE_DESTROY
};

struct wholes {
    uint32_t functions[WHOLE_FUNCTIONS - SYNC_COUNT];
};

/* Declares the functions, after those that the program has so far. */
void wholes_declare(struct wholes *wholes, struct builder *builder);
void wholes_emit(const struct wholes *wholes, struct builder *builder);

/* The call of one, on the object at address `a` and, if it waits at a condition variable, the mutex at `b`. */
struct instruction whole_call(const struct wholes *wholes, struct builder *builder, unsigned whole, uint64_t a,
                              uint64_t b, uint32_t dst);

const char *sync_or_whole_name(unsigned sync);

#endif
