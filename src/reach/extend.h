/* The extension of a program by a sequence of instructions (in the paper R ⊕ σ: Bouajjani, Calin, Derevenetc, Meyer:
 * Lazy TSO Reachability, Section 3): the extended program does under SC what the old one does under TSO if the stores
 * of the sequence are delayed up to its last load.
 *
 * Along the sequence σ = store, ..., load a copy of the thread's code is laid.  Its stores put address and value into
 * registers of their own instead of memory; its loads look there first, newest store first, as the machine looks into
 * the buffer (an entry that covers the load serves it, one that covers it in part lets the path end: the load would
 * have to wait).  Behind the load the stores are made, in order, and the thread is back in its old code.
 *
 * Two forms:
 *
 *   EXTENSION_EXACT    the first store is removed.  So that nothing is lost, the copy can be left: where a branch goes
 *                      another way the stores are made and the thread goes on in its old code there; and behind the
 *                      first store and behind every load but the last the first store may be made, with a fence, then
 *                      the others, and the thread goes on in its old code.  The new program has exactly the old one's
 *                      TSO behaviour.
 *   EXTENSION_BESIDE   the store stays, the copy is a further possibility that ends where a branch goes another way.
 *
 * Instructions keep their indices in their function: the store's place holds a jump to what is appended at the end.
 *
 * Beside the program stands what an execution of it means in terms of the original program under TSO. */
#ifndef PICKET_REACH_EXTEND_H
#define PICKET_REACH_EXTEND_H

#include "ir/program.h"
#include "util/vector.h"

enum extension_form { EXTENSION_EXACT, EXTENSION_BESIDE };

/* What passing an instruction of the extended program is in the original. */
enum meaning {
    MEANING_SAME,  /* if it is a visible step: the thread's next step, and if that is a store, its drain */
    MEANING_NONE,  /* nothing: bookkeeping */
    MEANING_STEP,  /* the thread's next step; a store stays in the buffer */
    MEANING_DRAIN, /* the oldest entry of the thread's buffer drains */
};

struct extended {
    struct program program;
    struct vector meanings; /* of uint8_t, by instruction (index into the program's code) */
    struct vector origins; /* of uint32_t, by instruction: 1 + the instruction of the original it stands for; 0: none */
    uint64_t sequences;    /* by how many it was extended */
};

/* Takes over a flat program. */
void extended_init(struct extended *extended, struct program *program);
void extended_delete(struct extended *extended);

/* Extends the program by a sequence of indices into its code, all of one function.  Returns NULL, or why this sequence
 * cannot be treated (the program is then as it was). */
const char *extended_add(struct extended *extended, const struct vector *sequence, enum extension_form form);

/* The sequence in terms of the original: of uint32_t, appended to `origin`. */
void extended_origin(const struct extended *extended, const struct vector *sequence, struct vector *origin);

#endif
