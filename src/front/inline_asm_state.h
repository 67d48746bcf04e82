/* What the parts of the inline assembler share: the state of one statement while it is lowered.
 *
 * Every register that the statement names is a cell: x86's own sixteen, and one more for each operand that is not bound
 * to one of those.  A cell holds an instruction operand (register or constant) of which only the lowest `bits` bits may
 * be set; an x86 instruction that writes a register gives the cell a new operand, so nothing is ever overwritten and
 * flags can be computed late, and only if they are needed. */
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
enum asm_location_kind { ASM_LOCATION_VALUE, ASM_LOCATION_CELL, ASM_LOCATION_MEMORY, ASM_LOCATION_STACK };

struct asm_location {
    enum asm_location_kind kind;
    uint32_t width; /* bits, if the operand itself determines them; else 0 */
    bool named;     /* the width is that of a named part of a register: %eax, ${0:k} */
    uint32_t cell;
    bool high;        /* bits 8 to 15 of the cell */
    int64_t number;   /* of a value */
    uint32_t address; /* of memory */
};

/* The origin of the flags.  Results that are not known yet are computed from a and b on demand. */
enum asm_flags_kind {
    FLAGS_UNKNOWN,
    FLAGS_ADD,    /* of a + b */
    FLAGS_SUB,    /* of a - b */
    FLAGS_LOGIC,  /* of result a; carry and overflow are 0 */
    FLAGS_RESULT, /* zero and sign of result a; the others are unknown */
    FLAGS_ZERO,   /* zero is a; the others are unknown */
    FLAGS_BIT,    /* carry is bit b of a; the others are unknown */
};

struct asm_flags {
    enum asm_flags_kind kind;
    uint32_t width;
    uint32_t a;
    uint32_t b;
    bool carry_unknown; /* inc and dec leave it unchanged */
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
    bool lock; /* prefixes of the next instruction */
    bool repeat;
    uint32_t default_width; /* bits of operands without a width of their own; 0: that is an error */
    const char *what;       /* "inline assembler", for messages */
    const char *current;    /* text of the present instruction, for messages */
    char *message;
    size_t size;
    bool failed;
};

/* Sets the reason why the present instruction is not supported; the first reason stays. */
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

/* The lowest `width` bits of a cell; 0 if it was never written. */
uint32_t asm_cell_read(struct asm_state *state, uint32_t cell, uint32_t width);
/* As x86: 32 bits clear the rest of the cell, 8 and 16 leave it. */
void asm_cell_write(struct asm_state *state, uint32_t cell, uint32_t width, uint32_t value);

uint32_t asm_location_read(struct asm_state *state, const struct asm_location *location, uint32_t width);
void asm_location_write(struct asm_state *state, const struct asm_location *location, uint32_t width, uint32_t value);

/* Parses one operand of an instruction from text that has no space around it. */
bool asm_location_parse(struct asm_state *state, const char *text, struct asm_location *location);
/* The cell of an x86 register by the name it has in a constraint or clobber ("ax", "rbx", "ecx"), or -1. */
int asm_register_named(const char *name, size_t length, uint32_t *width, bool *high);

/* Index of a condition ("z", "nae", ...), or -1; and its value now, 0 or 1. */
int asm_condition_named(const char *name);
uint32_t asm_condition_value(struct asm_state *state, int condition);
uint32_t asm_carry_value(struct asm_state *state);

/* Looks the instruction up in the table and emits its code.  `operands` is changed. */
void asm_instruction_lower(struct asm_state *state, const char *mnemonic, char *operands);

#endif
