/* Why an execution without late stores ends in its error: the first patterns that fit, of those that people know.
 *
 * A pattern is a fact about the execution, found on its steps and on what depends on what (explain/dependence.h); that
 * it is the reason of the error is likely, not proved.  Where no pattern fits there is none. */
#ifndef PICKET_EXPLAIN_CAUSE_H
#define PICKET_EXPLAIN_CAUSE_H

#include "explain/moments.h"

/* X(NAME, text): in the order in which they are tried. */
#define CAUSES(X)                                                                                                      \
    /* made, ended, used */                                                                                            \
    X(USE_AFTER_FREE, "use after free")                                                                                \
    /* each waits for what the next one holds */                                                                       \
    X(LOCK_CYCLE, "cycle of locks")                                                                                    \
    /* signalled, waited: no thread was waiting yet */                                                                 \
    X(LOST_SIGNAL, "signal before its wait")                                                                           \
    /* signalled, waited and was woken, waited and sleeps still */                                                     \
    X(TOO_FEW_WOKEN, "too few woken")                                                                                  \
    /* read, set: the value is the initial one, and another thread would have set it later */                          \
    X(NOT_SET_UP, "value read before it was set up")                                                                   \
    /* read, written by another thread, written: from the value that was read */                                       \
    X(LOST_UPDATE, "lost update")                                                                                      \
    /* read by one and by the other thread, written by one and by the other: both branch on the same value */          \
    X(CHECK_THEN_ACT, "check then act")                                                                                \
    /* read, written by another thread, read: the branch on the first value no longer holds for the second one */      \
    X(CHECK_THEN_USE, "check then act")

enum cause_kind {
#define X(name, text) CAUSE_##name,
    CAUSES(X)
#undef X
        CAUSE_COUNT
};
extern const char *const cause_names[CAUSE_COUNT];

struct deed {
    uint32_t thread; /* slot */
    uint32_t pos;
    uint64_t value[2]; /* read or written */
    char name[64];     /* of a thread that is in another execution than the one shown, which may lack it; or empty */
};

#define MOST_DEEDS 8

struct cause {
    enum cause_kind kind;
    uint64_t address; /* what it is about; of a cycle of locks 0 */
    uint32_t size;
    size_t count;
    struct deed deeds[MOST_DEEDS];
};

/* Fills `causes` (of struct cause), which the caller has initialised, with at most two. */
void causes_find(const struct moments *moments, struct vector *causes);

#endif
