/* Annotations (picket_claim, picket_invariant, picket_reads, picket_may_fail of <picket.h>) in a Program.
 *
 * A NOTE branches to the code of its condition, which ends in a NOTED, and to the rest of the function: the thread
 * itself always takes the latter.  `prove` reads annotations; for every other command one of these passes removes them,
 * before any other pass, so that the program is the one without annotations. */
#ifndef PICKET_IR_NOTES_H
#define PICKET_IR_NOTES_H

#include "ir/flow.h"
#include "util/diagnostics.h"

enum note_mode {
    NOTES_DROPPED, /* the program without them */
    NOTES_CHECKED, /* each claim is an atomic section that asserts it, each invariant a thread that does so once */
};

bool program_has_notes(const struct program *program);

/* May the code of every annotation be executed at any time?  It must not store, call or wait, and the code of an
 * invariant must not use local variables.  Adds to `diagnostics` and returns false if not. */
bool notes_check(const struct program *program, struct diagnostics *diagnostics);

/* The NOTED at the end of the code of the annotation that begins with instruction `note`. */
uint32_t note_end(const struct program *program, uint32_t function, uint32_t note);

/* The access whose result (`result`: which of its registers) an abstraction is about: in the same block, with only
 * local computation in between.  UINT32_MAX: there is none. */
uint32_t note_access(const struct flow *flow, uint32_t note, uint32_t *result);

/* Removes annotations without moving any other instruction. */
void pass_notes_drop(struct program *program);

/* Makes claims and invariants assertions (if `claims`) and abstractions atomic sections with a nondeterministic value
 * (if `abstractions`), and drops the others.  notes_check must hold. */
void pass_notes_apply(struct program *program, bool claims, bool abstractions);

#endif
