/* The steps of a violation's execution, in the order in which a person is to see them: which stores are late, which
 * loads read outdated values.
 *
 * A store (or end of an object) is *late* if the next step is not its drain; the last step of all is not late.  A load
 * is *outdated* if a store of another thread to the same bytes waits in a buffer, with another value.
 *
 * Where the execution allows it, a drain in the middle of a thread's run on one source line comes before that run: the
 * execution in this order was run on the machine and ends in the same error. */
#ifndef PICKET_EXPLAIN_MOMENTS_H
#define PICKET_EXPLAIN_MOMENTS_H

#include "engine/witness.h"

struct moment {
    struct witness_step choice;
    struct step step; /* without its effect */
    bool late;        /* a store whose drain is not the next step */
    bool with_store;  /* a drain that comes right after its store */
    bool outdated;    /* it read bytes for which a store waits: */
    uint64_t missed_value[2];
    uint32_t missed_pos;
    uint32_t missed_thread;
};

struct moments {
    const struct witness *witness;
    const struct program *program;
    struct vector list; /* of struct moment */
};

/* False if the witness does not replay.  To be deleted in any case. */
bool moments_init(struct moments *moments, const struct witness *witness, const struct program *program);
void moments_delete(struct moments *moments);

/* Appends where the thread stood, and by which calls, when it was last at this position: uint32_t, innermost first. */
void moments_call_stack(const struct moments *moments, uint32_t thread, uint32_t pos, struct vector *stack);

static inline struct moment *moment_at(const struct moments *moments, size_t index) {
    return vector_at(&moments->list, index);
}

static inline const struct step *step_at(const struct moments *moments, size_t index) {
    return &moment_at(moments, index)->step;
}

static inline bool is_access(const struct step *step) {
    return step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_RMW || step->kind == STEP_CAS;
}

/* Are both positions on one line of the source? */
static inline bool same_line(const struct program *program, uint32_t one, uint32_t other) {
    const struct position *a = &program->positions[one];
    const struct position *b = &program->positions[other];
    return a->line == b->line && a->file == b->file;
}

#endif
