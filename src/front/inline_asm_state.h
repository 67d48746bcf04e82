/* What the parts of the inline assembler share: the state of one statement while it is lowered.
 *
 * Every register that the statement mentions is a cell: x86's own sixteen, and one more for each operand that is not
 * bound to one of those.  A cell holds an instruction operand (register or constant) of which only the lowest `bits`
 * bits may be set; an x86 instruction that writes a register gives the cell a new operand, so nothing is ever
 * overwritten and flags can be computed late, and only if something asks for them. */
#ifndef PICKET_FRONT_INLINE_ASM_STATE_H
#define PICKET_FRONT_INLINE_ASM_STATE_H

#include "front/inline_asm.h"

enum x86_register {
    X86_AX,
    X86_CX,
    X86_DX,
    X86_BX,
    X86_SP,
    X86_BP,
    X86_SI,
    X86_DI,
    X86_REGISTERS = 16, /* r8 to r15 follow */
};

#define ASM_MAX_OPERANDS 48
#define ASM_MAX_PUSHED 16

struct asm_cell {
    uint32_t operand;
    uint32_t bits;
    bool set;
};

/* An operand of the template: $0, $1, ... */
enum asm_operand_kind { ASM_OPERAND_CELL, ASM_OPERAND_MEMORY, ASM_OPERAND_FLAG };

struct asm_operand {
    enum asm_operand_kind kind;
    uint32_t cell;
    uint32_t width;   /* bits, 0 if unknown */
    uint32_t address; /* of memory */
    int condition;    /* of a flag output: index of the condition */
    bool output;      /* direct: the value goes to outputs[output_index] */
    uint32_t output_index;
};

/* An operand of an x86 instruction. */
enum asm_place_kind { ASM_PLACE_VALUE, ASM_PLACE_CELL, ASM_PLACE_MEMORY, ASM_PLACE_STACK };

struct asm_place {
    enum asm_place_kind kind;
    uint32_t width; /* bits, as far as the operand itself tells; 0 if not */
    bool named;     /* the width is that of a named part of a register: %eax, ${0:k} */
    uint32_t cell;
    bool high;        /* bits 8 to 15 of the cell */
    int64_t number;   /* of a value */
    uint32_t address; /* of memory */
};

/* Where the flags come from.  Results that are not known yet are computed from a and b when they are asked for. */
enum asm_flags_kind {
    FLAGS_UNKNOWN,
    FLAGS_ADD,    /* of a + b */
    FLAGS_SUB,    /* of a - b */
    FLAGS_LOGIC,  /* of result a; carry and overflow are 0 */
    FLAGS_RESULT, /* zero and sign of result a; nothing else is known */
    FLAGS_ZERO,   /* zero is a; nothing else is known */
    FLAGS_BIT,    /* carry is bit b of a; nothing else is known */
};

struct asm_flags {
    enum asm_flags_kind kind;
    uint32_t width;
    uint32_t a;
    uint32_t b;
    bool carry_unknown; /* inc and dec leave it as it was */
};

struct asm_state {
    struct builder *builder;
    uint32_t *next_register;
    const struct asm_statement *statement;
    struct asm_cell cells[X86_REGISTERS + ASM_MAX_OPERANDS];
    struct asm_operand operands[ASM_MAX_OPERANDS];
    uint32_t operands_count;
    struct asm_flags flags;
    uint32_t pushed[ASM_MAX_PUSHED];
    uint32_t pushed_count;
    bool lock; /* prefixes that wait for their instruction */
    bool repeat;
    uint32_t default_width; /* bits of operands that do not tell; 0: that is an error */
    const char *what;       /* "inline assembler", for messages */
    const char *current;    /* text of the instruction at hand, likewise */
    char *message;
    size_t size;
    bool failed;
};

/* Says why the instruction at hand is not understood; the first reason stays. */
void asm_refuse(struct asm_state *state, const char *reason);

/* The text without the space around it. */
char *asm_trim(char *text);

/* Emits an instruction that writes a new register, which is returned. */
uint32_t asm_emit(struct asm_state *state, enum op op, uint32_t width, uint32_t sub, uint32_t a, uint32_t b,
                  uint32_t c);
/* Emits one that writes none. */
void asm_emit_effect(struct asm_state *state, enum op op, uint32_t width, uint32_t sub, uint32_t a, uint32_t b);
uint32_t asm_constant(struct asm_state *state, uint64_t value);
/* The value of an operand if it is a constant. */
bool asm_is_constant(const struct asm_state *state, uint32_t operand, uint64_t *value);

/* The lowest `width` bits of a cell; 0 if nothing has been put there. */
uint32_t asm_cell_read(struct asm_state *state, uint32_t cell, uint32_t width);
/* As x86: 32 bits clear the rest of the cell, 8 and 16 leave it. */
void asm_cell_write(struct asm_state *state, uint32_t cell, uint32_t width, uint32_t value);

uint32_t asm_place_read(struct asm_state *state, const struct asm_place *place, uint32_t width);
void asm_place_write(struct asm_state *state, const struct asm_place *place, uint32_t width, uint32_t value);

/* Parses one operand of an instruction from text that has no space around it. */
bool asm_place_parse(struct asm_state *state, const char *text, struct asm_place *place);
/* The cell of an x86 register by the name it has in a constraint or clobber ("ax", "rbx", "ecx"), or -1. */
int asm_register_named(const char *name, size_t length, uint32_t *width, bool *high);

/* Index of a condition ("z", "nae", ...), or -1; and its value now, 0 or 1. */
int asm_condition_named(const char *name);
uint32_t asm_condition_value(struct asm_state *state, int condition);
uint32_t asm_carry_value(struct asm_state *state);

/* Looks the instruction up in the table and emits what it does.  `operands` is changed. */
void asm_instruction_lower(struct asm_state *state, const char *mnemonic, char *operands);

#endif
