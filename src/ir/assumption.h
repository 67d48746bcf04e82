/* Assumptions of verdicts about the world outside the program: their table, and those that an execution has made.
 *
 * An execution makes an assumption when it depends on the outside and Picket decides for the outside: memory is
 * available, no signal arrives.  The machine, or an engine that executes programs itself, records it then; an ASSUMED
 * instruction, from a front end or from Picket's C library (`__picket_assumes_NAME`), marks it in the program.
 * Recorded assumptions are never removed: a proof depends on them, whatever executions follow. */
#ifndef PICKET_IR_ASSUMPTION_H
#define PICKET_IR_ASSUMPTION_H

#include <stdatomic.h>
#include <stdint.h>

#include "ir/program.h"

/* X(NAME, name, text, option): the name in JSON and of the library's intrinsic, the text of the assumption, and the
 * option that lifts it (NULL: there is none). */
/* clang-format off */
#define ASSUMPTIONS(X)                                                                                                 \
    X(REUSE, "reuse", "no address reuse", NULL)                                                                        \
    X(LAYOUT, "layout", "one layout of addresses", NULL)                                                               \
    X(UNINITIALISED, "uninitialised", "uninitialised memory is 0", "--check uninit")                    \
    X(MALLOC, "malloc", "malloc does not fail", "--malloc-fail")                                                       \
    X(SPURIOUS, "spurious", "condition variables do not wake without a signal", "--spurious")                          \
    X(WEAK, "weak", "weak compare-and-swaps do not fail spuriously", "--weak-fail")                                    \
    X(CLOCK, "clock", "the clock advances by a millisecond or an hour when it is read, which empties the store buffer", NULL)       \
    X(ENVIRONMENT, "environment", "the environment has no variables", NULL)                                            \
    X(ARGUMENTS, "arguments", "the program has no arguments", NULL)                                                    \
    X(INPUT, "input", "standard input is empty", NULL)                                                                 \
    X(SIGNALS, "signals", "no signal arrives", NULL)                                                                     \
    X(SYSTEM, "system", "process 1000 of user 1000 on 4 processors", NULL)
/* clang-format on */

enum assumption {
#define X(name, ...) ASSUMPTION_##name,
    ASSUMPTIONS(X)
#undef X
        ASSUMPTION_COUNT
};

struct assumption_info {
    const char *name;
    const char *text;
    const char *option;
};
extern const struct assumption_info assumption_table[ASSUMPTION_COUNT];

#define LOOPS_NOTED 8

/* The assumptions made; several threads may record in one.  Besides, for the same verdict, the loops that a bound has
 * cut. */
struct assumptions {
    _Atomic uint32_t first[ASSUMPTION_COUNT]; /* the first position, by file and line, + 1; 0: not made */
    _Atomic uint32_t failed;                  /* likewise, where an assumption of the program itself has failed */
    _Atomic uint32_t cut[LOOPS_NOTED];        /* positions + 1 of loops that were cut; 0: no more */
    _Atomic uint32_t cut_others;              /* further loops were cut */
    uint32_t lifted;                          /* bits: an option lifts them, so they are not recorded */
};

/* Records the assumption at this position of the program.  assumptions_note_failed: an assumption of the program itself
 * has failed there. */
void assumptions_note(struct assumptions *assumptions, const struct program *program, enum assumption assumption,
                      uint32_t position);
/* Would that be recorded, as the first position? */
bool assumptions_would_change(const struct assumptions *assumptions, const struct program *program,
                              enum assumption assumption, uint32_t position);
void assumptions_note_cut(struct assumptions *assumptions, const struct program *program, uint32_t position);
void assumptions_note_failed(struct assumptions *assumptions, const struct program *program, uint32_t position);

#endif
