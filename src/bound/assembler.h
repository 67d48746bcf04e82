/* Writes code of the translated program: each emit function emits one instruction and returns the register that it
 * writes. */
#ifndef PICKET_BOUND_ASSEMBLER_H
#define PICKET_BOUND_ASSEMBLER_H

#include "ir/builder.h"

#define LABEL_USES 16

struct assembler {
    struct builder *builder;
    uint32_t registers; /* number in use */
    uint32_t pos;
};

/* A label in the function, the target of jumps; it may be used before its position is set. */
struct label {
    uint32_t target;
    bool is_put;
    unsigned uses_count;
    struct {
        uint32_t index;
        bool second; /* of a BR: the field c */
    } uses[LABEL_USES];
};

uint32_t emit_constant(struct assembler *out, uint64_t value);
uint32_t emit_register(struct assembler *out);
uint32_t emit_binary(struct assembler *out, enum op op, uint32_t a, uint32_t b); /* 64 bits */
uint32_t emit_compare(struct assembler *out, enum predicate predicate, uint32_t a, uint32_t b);
uint32_t emit_select(struct assembler *out, uint32_t condition, uint32_t yes, uint32_t no);
void emit_move(struct assembler *out, uint32_t to, uint32_t from);
uint32_t emit_self(struct assembler *out);
uint32_t emit_load(struct assembler *out, uint32_t address, unsigned size);
void emit_store(struct assembler *out, uint32_t address, uint32_t value, unsigned size);
uint32_t emit_nondet(struct assembler *out, unsigned width, uint32_t low, uint32_t high);
void emit_assume(struct assembler *out, uint32_t condition);
void emit_error(struct assembler *out, enum error_kind kind, const char *message);
void emit_plain(struct assembler *out, enum op op); /* an operation without operands */
void emit_return(struct assembler *out, const uint32_t *values, unsigned count);
/* Returns the first register of the results, NO_REGISTER if there are none. */
uint32_t emit_call(struct assembler *out, uint32_t function, const uint32_t *arguments, unsigned count);

void label_put(struct assembler *out, struct label *label);
void emit_jump(struct assembler *out, struct label *label);
void emit_branch(struct assembler *out, uint32_t condition, struct label *yes, struct label *no);
/* Jumps if the condition holds (or does not), else continues. */
void emit_jump_if(struct assembler *out, uint32_t condition, struct label *label);
void emit_jump_unless(struct assembler *out, uint32_t condition, struct label *label);

#endif
