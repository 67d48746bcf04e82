/* Rewrites a function: instructions may be changed or dropped, or others inserted before them; branch targets are
 * adjusted.
 *
 * A branch to an instruction leads to the ones inserted before it, unless the target is marked with REWRITE_PAST, which
 * means the instruction itself.  New instructions use the same registers and pools as the old ones. */
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
    uint32_t *operands; /* a copy of the program's pool, to be changed in place */
    struct instruction
        *code;          /* a copy of the function's code, to be changed in place; op OP_COUNT drops an instruction */
    uint32_t registers; /* may be changed */
    uint32_t *rename;   /* by register: its new number; NULL if all keep theirs; freed with the rewrite */
    struct vector insertions; /* of struct insertion, in any order of `before` */
};

/* A target in an inserted or changed instruction: the old instruction itself, not those inserted before it. */
#define REWRITE_PAST 0x80000000u
/* A target in an inserted instruction: the n-th inserted instruction, in the order of insertion. */
#define REWRITE_INSERTED 0x40000000u

/* Inserts an instruction before an old one, after those inserted there earlier.  Returns its number. */
uint32_t rewrite_insert(struct rewrite *rewrite, uint32_t before, struct instruction instruction);

/* Makes every branch of instruction `index` that leads to `from` lead to `to`. */
void rewrite_retarget(struct rewrite *rewrite, uint32_t index, uint32_t from, uint32_t to);

/* Replaces a program by one in which `change` has rewritten every function. */
void program_rewrite(struct program *program, void (*change)(struct rewrite *rewrite, void *data), void *data);

#endif
