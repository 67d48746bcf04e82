/* The extension of a program by a sequence of instructions (R ⊕ σ in Bouajjani, Calin, Derevenetc, Meyer: Lazy TSO
 * Reachability, Section 3): the extended program does under SC what the old one does under TSO if the stores of the
 * sequence are delayed up to its last load.
 *
 * The extension adds a copy of the thread's code along the sequence σ = store, ..., load.  Stores in the copy put
 * address and value into registers instead of memory.  Loads in the copy search these registers first, newest store
 * first, as the machine searches the buffer (an entry that covers the load serves it; one that covers a part of it ends
 * the path, since the load would have to wait).  After the last load the thread makes the stores, in order, and returns
 * to its old code.
 *
 * Two forms:
 *
 *   EXTENSION_EXACT    the first store is removed.  The thread can leave the copy: where a branch leaves the sequence,
 *                      the thread makes the stores and continues at the branch's target in its old code; and after the
 *                      first store, and after every load but the last, it may make the first store, with a fence, and
 *                      then the others, and continue in its old code.  The new program has exactly the old program's
 *                      TSO behaviour.
 *   EXTENSION_BESIDE   the store stays; the copy is an additional path, which ends where a branch leaves the sequence.
 *
 * Instructions keep their indices in their function: a jump to the appended code replaces the store.
 *
 * For each instruction, the extension records what it means in an execution of the original program under TSO. */
#ifndef PICKET_REACH_EXTEND_H
#define PICKET_REACH_EXTEND_H

#include "ir/program.h"
#include "util/vector.h"

enum extension_form { EXTENSION_EXACT, EXTENSION_BESIDE };

/* What executing an instruction of the extended program means in the original. */
enum meaning {
    MEANING_SAME,  /* if it is a visible step: the thread's next step, and if that is a store, its drain */
    MEANING_NONE,  /* nothing */
    MEANING_STEP,  /* the thread's next step; a store stays in the buffer */
    MEANING_DRAIN, /* the oldest entry of the thread's buffer drains */
};

struct extended {
    struct program program;
    struct vector meanings; /* of uint8_t, by instruction (index into the program's code) */
    struct vector origins; /* of uint32_t, by instruction: 1 + the corresponding instruction of the original; 0: none */
    uint64_t sequences;    /* number of sequences by which it was extended */
};

/* Takes over a flat program. */
void extended_init(struct extended *extended, struct program *program);
void extended_delete(struct extended *extended);

/* Extends the program by a sequence of indices into its code, all in one function.  Returns NULL, or why this sequence
 * is not supported (the program is then unchanged). */
const char *extended_add(struct extended *extended, const struct vector *sequence, enum extension_form form);

/* Appends the corresponding instructions of the original to `origin` (of uint32_t). */
void extended_origin(const struct extended *extended, const struct vector *sequence, struct vector *origin);

#endif
