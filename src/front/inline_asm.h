/* x86 inline assembler, lowered to instructions.
 *
 * A statement is parsed into assembler instructions and operands, each of which is looked up in one table; anything
 * that is not in the table is refused with its text. */
#ifndef PICKET_FRONT_INLINE_ASM_H
#define PICKET_FRONT_INLINE_ASM_H

#include "ir/builder.h"

/* An input value of the statement, in LLVM's order: inputs, tied inputs and the addresses of indirect (memory) outputs
 * and inputs. */
struct asm_input {
    uint32_t operand; /* as in an instruction: register or constant */
    uint32_t width;   /* bits of the value; of an indirect operand: of the memory at the address, 0 if unknown */
    bool indirect;    /* `operand` holds the address of memory ("*m") */
};

/* A register that the statement sets, in LLVM's order of direct outputs. */
struct asm_output {
    uint32_t dst;
    uint32_t width;
};

struct asm_statement {
    const char *text;        /* LLVM's template: operands are $0, ${1:b}, $$ is a dollar sign, (a|b) alternatives */
    const char *constraints; /* LLVM's constraint string: "=q,=*m,q,0,~{memory}" */
    bool intel;              /* Intel operand order; otherwise AT&T */
    const struct asm_input *inputs;
    uint32_t inputs_count;
    const struct asm_output *outputs;
    uint32_t outputs_count;
    uint32_t pos; /* of every instruction emitted */
};

/* Emits the statement's instructions; *next_register is the first free register of the function and increases with
 * those that are used.  Returns false with a message that quotes the assembler text if it is not supported. */
bool inline_asm_lower(struct builder *builder, uint32_t *next_register, const struct asm_statement *statement,
                      char *message, size_t size);

#endif
