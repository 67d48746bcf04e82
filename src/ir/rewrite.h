/* Rewrites a function: instructions may be changed, dropped, or have others put before them; branch targets follow.
 *
 * A branch to an instruction leads to what was put before it, unless the target is marked with rewrite_past, which
 * means the instruction itself.  New instructions go into the same registers and pools as the old ones. */
#ifndef PICKET_IR_REWRITE_H
#define PICKET_IR_REWRITE_H

#include "ir/builder.h"

struct insertion {
    uint32_t before; /* instruction of the old function; its count means the end */
    struct instruction instruction;
};

struct rewrite {
    const struct program *program;
    struct builder *builder; /* for new constants */
    uint32_t function;
    uint32_t *operands;       /* a copy of the program's pool, to be changed in place */
    struct instruction *code; /* a copy of the function's, to be changed in place; op OP_COUNT drops one */
    uint32_t registers;       /* may be changed */
    uint32_t *rename;         /* new number of each register, or NULL if they keep theirs; freed with the rewrite */
    struct vector insertions; /* of struct insertion, in the order of `before` or not */
};

/* A target in an inserted or changed instruction: the old instruction itself, past what is put before it. */
#define REWRITE_PAST 0x80000000u
/* A target in an inserted instruction: the n-th inserted instruction, counted as they were added. */
#define REWRITE_INSERTED 0x40000000u

/* Puts an instruction before an old one, behind those put there earlier.  Returns its number. */
uint32_t rewrite_insert(struct rewrite *rewrite, uint32_t before, struct instruction instruction);

/* Makes every branch of instruction `index` that leads to `from` lead to `to`. */
void rewrite_retarget(struct rewrite *rewrite, uint32_t index, uint32_t from, uint32_t to);

/* Replaces a program by one in which `change` has rewritten every function. */
void program_rewrite(struct program *program, void (*change)(struct rewrite *rewrite, void *data), void *data);

#endif
