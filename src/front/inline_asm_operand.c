/* Operands of x86 instructions in AT&T syntax: parsing, reading and writing them.
 *
 *     $$5  $$-1          a number                         %eax  %r8b          a register
 *     $0  ${1:k}         an operand of the statement      8($1)  (%rax,$2,4)  memory */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/inline_asm_state.h"

/* The names of the eight old registers by width; r8 to r15 are regular. */
static const char *const register_names[8][4] = {
    [X86_AX] = {"al", "ax", "eax", "rax"},  [X86_CX] = {"cl", "cx", "ecx", "rcx"},
    [X86_DX] = {"dl", "dx", "edx", "rdx"},  [X86_BX] = {"bl", "bx", "ebx", "rbx"},
    [X86_SP] = {"spl", "sp", "esp", "rsp"}, [X86_BP] = {"bpl", "bp", "ebp", "rbp"},
    [X86_SI] = {"sil", "si", "esi", "rsi"}, [X86_DI] = {"dil", "di", "edi", "rdi"},
};
static const char *const high_names[4] = {[X86_AX] = "ah", [X86_CX] = "ch", [X86_DX] = "dh", [X86_BX] = "bh"};

static bool same(const char *name, size_t length, const char *other) {
    return strlen(other) == length && strncmp(name, other, length) == 0;
}

static int new_register_named(const char *name, size_t length, uint32_t *width) {
    if (length < 2 || length > 4 || name[0] != 'r' || !isdigit((unsigned char)name[1])) {
        return -1;
    }
    char *end;
    char copy[5] = "";
    memcpy(copy, name, length);
    long number = strtol(copy + 1, &end, 10);
    *width = *end == 0 ? 64 : *end == 'd' ? 32 : *end == 'w' ? 16 : *end == 'b' ? 8 : 0;
    return number >= 8 && number <= 15 && *width != 0 && (*end == 0 || end[1] == 0) ? (int)number : -1;
}

int asm_register_named(const char *name, size_t length, uint32_t *width, bool *high) {
    *high = false;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 4; j++) {
            if (same(name, length, register_names[i][j])) {
                *width = 8U << j;
                return i;
            }
        }
        if (i < 4 && same(name, length, high_names[i])) {
            *width = 8;
            *high = true;
            return i;
        }
    }
    return new_register_named(name, length, width);
}

/* A reference to an operand of the statement: $3 or ${3:k}. */
struct reference {
    const struct asm_operand *operand;
    char modifier; /* 0 if none */
};

/* Returns the text after the reference, or NULL if there is none. */
static const char *reference_parse(struct asm_state *state, const char *text, struct reference *reference) {
    if (text[0] != '$' || (!isdigit((unsigned char)text[1]) && text[1] != '{')) {
        return NULL;
    }
    bool braces = text[1] == '{';
    char *end;
    unsigned long number = strtoul(text + (braces ? 2 : 1), &end, 10);
    reference->modifier = 0;
    if (braces) {
        if (end[0] == ':' && end[1] && end[2] == '}') {
            reference->modifier = end[1];
            end += 2;
        }
        if (*end != '}') {
            return NULL;
        }
        end++;
    }
    if (number >= state->operands_count) {
        asm_refuse(state, "no such operand");
        return NULL;
    }
    reference->operand = &state->operands[number];
    return end;
}

static bool number_parse(const char *text, int64_t *number, const char **end) {
    char *stop;
    const char *digits = text + (*text == '-' || *text == '+' || *text == '~');
    if (!isdigit((unsigned char)*digits)) {
        return false;
    }
    *number = (int64_t)strtoull(digits, &stop, 0);
    if (*text == '-') {
        *number = (int64_t)(0 - (uint64_t)*number);
    } else if (*text == '~') {
        *number = ~*number;
    }
    *end = stop;
    return true;
}

static uint32_t modifier_width(char modifier) {
    switch (modifier) {
    case 'b':
    case 'h':
        return 8;
    case 'w':
        return 16;
    case 'k':
        return 32;
    case 'q':
        return 64;
    default:
        return 0;
    }
}

static bool operand_constant(const struct asm_state *state, const struct asm_operand *operand, int64_t *number) {
    uint64_t value;
    if (operand->kind != ASM_OPERAND_CELL || operand->cell < X86_REGISTERS ||
        !asm_is_constant(state, state->cells[operand->cell].operand, &value) || !state->cells[operand->cell].set) {
        return false;
    }
    unsigned unused = operand->width == 0 || operand->width > 64 ? 0 : 64 - operand->width;
    *number = (int64_t)(value << unused) >> unused;
    return true;
}

static void location_of_memory(struct asm_location *location, uint32_t address, uint32_t width) {
    *location = (struct asm_location){.kind = ASM_LOCATION_MEMORY, .address = address, .width = width};
}

/* An operand of the statement as an operand of the instruction. */
static bool location_of_reference(struct asm_state *state, const struct reference *reference,
                                  struct asm_location *location) {
    const struct asm_operand *operand = reference->operand;
    if (operand->kind == ASM_OPERAND_MEMORY) {
        location_of_memory(location, operand->address, operand->width);
        return true;
    }
    if (operand->kind == ASM_OPERAND_FLAG) {
        *location = (struct asm_location){.kind = ASM_LOCATION_VALUE, .width = 8};
        return true;
    }
    if (reference->modifier == 'a') {
        location_of_memory(location, asm_cell_read(state, operand->cell, 64), 0);
        return true;
    }
    uint32_t width = modifier_width(reference->modifier);
    if (reference->modifier != 0 && width == 0 && !strchr("cPn", reference->modifier)) {
        asm_refuse(state, "unknown operand modifier");
        return false;
    }
    *location = (struct asm_location){.kind = ASM_LOCATION_CELL,
                                      .cell = operand->cell,
                                      .width = width != 0 ? width : operand->width,
                                      .named = width != 0,
                                      .high = reference->modifier == 'h'};
    return true;
}

static const char *register_parse(struct asm_state *state, const char *text, struct asm_location *location) {
    size_t length = 0;
    while (isalnum((unsigned char)text[1 + length])) {
        length++;
    }
    uint32_t width;
    bool high;
    int number = asm_register_named(text + 1, length, &width, &high);
    if (number < 0) {
        asm_refuse(state, text[1 + length] == ':' ? "segment registers" : "unknown register");
        return NULL;
    }
    *location = (struct asm_location){
        .kind = ASM_LOCATION_CELL, .cell = (uint32_t)number, .width = width, .named = true, .high = high};
    return text + 1 + length;
}

static const char *skip_space(const char *text) {
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* A base or index register of an address; returns the text after it. */
static const char *address_part_parse(struct asm_state *state, const char *text, uint32_t *value, bool *stack) {
    struct asm_location location;
    struct reference reference;
    const char *end = *text == '%' ? register_parse(state, text, &location) : NULL;
    if (*text == '$') {
        end = reference_parse(state, text, &reference);
        if (end && !location_of_reference(state, &reference, &location)) {
            return NULL;
        }
    }
    if (!end || location.kind != ASM_LOCATION_CELL) {
        asm_refuse(state, "unknown form of address");
        return NULL;
    }
    *stack = location.cell == X86_SP || location.cell == X86_BP;
    *value = asm_cell_read(state, location.cell, 64);
    return skip_space(end);
}

static uint32_t add_number(struct asm_state *state, uint32_t address, int64_t number) {
    return number == 0 ? address : asm_emit(state, OP_ADD, 64, 0, address, asm_constant(state, (uint64_t)number), 0);
}

/* The text in parentheses: base, index, scale. */
static bool address_parse(struct asm_state *state, const char *text, int64_t displacement,
                          struct asm_location *location) {
    uint32_t address = asm_constant(state, 0);
    uint32_t index = 0;
    int64_t scale = 1;
    bool stack = false;
    bool has_base = false;
    text = skip_space(text + 1);
    if (*text != ',') {
        text = address_part_parse(state, text, &address, &stack);
        has_base = true;
    }
    if (text && *text == ',') {
        bool ignored;
        text = address_part_parse(state, skip_space(text + 1), &index, &ignored);
        if (text && *text == ',' && !number_parse(skip_space(text + 1), &scale, &text)) {
            text = NULL;
        }
        if (text) {
            if (scale != 1) {
                index = asm_emit(state, OP_MUL, 64, 0, index, asm_constant(state, (uint64_t)scale), 0);
            }
            address = has_base ? asm_emit(state, OP_ADD, 64, 0, address, index, 0) : index;
        }
    }
    if (!text || strcmp(skip_space(text), ")") != 0) {
        asm_refuse(state, "unknown form of address");
        return false;
    }
    location_of_memory(location, stack ? address : add_number(state, address, displacement), 0);
    if (stack) {
        location->kind = ASM_LOCATION_STACK;
    }
    return true;
}

/* "8($1)", "8+$0", "8$0", "(%rax)", "${1:c}($2)". */
static bool memory_parse(struct asm_state *state, const char *text, struct asm_location *location) {
    int64_t displacement = 0;
    struct reference reference;
    const char *rest = text;
    const char *rest_text = reference_parse(state, text, &reference);
    if (rest_text) {
        if (*rest_text != '(' || !operand_constant(state, reference.operand, &displacement)) {
            asm_refuse(state, "unknown form of operand");
            return false;
        }
        rest = rest_text;
    } else {
        number_parse(text, &displacement, &rest);
    }
    rest = skip_space(rest);
    if (*rest == '(') {
        return address_parse(state, rest, displacement, location);
    }
    if (*rest == '+') {
        rest = skip_space(rest + 1);
    }
    const char *end = rest > text ? reference_parse(state, rest, &reference) : NULL;
    if (!end || *end || reference.operand->kind != ASM_OPERAND_MEMORY) {
        asm_refuse(state, "unknown form of operand");
        return false;
    }
    location_of_memory(location, add_number(state, reference.operand->address, displacement), 0);
    return true;
}

bool asm_location_parse(struct asm_state *state, const char *text, struct asm_location *location) {
    if (text[0] == '$' && text[1] == '$') {
        const char *end;
        *location = (struct asm_location){.kind = ASM_LOCATION_VALUE};
        struct reference reference;
        const char *rest_text = reference_parse(state, text + 2, &reference);
        bool good = rest_text ? *rest_text == 0 && operand_constant(state, reference.operand, &location->number)
                              : number_parse(text + 2, &location->number, &end) && *end == 0;
        if (!good) {
            asm_refuse(state, "unknown form of number");
        }
        return good;
    }
    if (text[0] == '%') {
        const char *end = register_parse(state, text, location);
        if (end && *end) {
            asm_refuse(state, "unknown form of operand");
        }
        return end && *end == 0;
    }
    struct reference reference;
    const char *end = reference_parse(state, text, &reference);
    if (end && *end == 0) {
        return location_of_reference(state, &reference, location);
    }
    return !state->failed && memory_parse(state, text, location);
}

static bool location_uses_stack_pointer(const struct asm_location *location) {
    return location->kind == ASM_LOCATION_STACK ||
           (location->kind == ASM_LOCATION_CELL && (location->cell == X86_SP || location->cell == X86_BP));
}

uint32_t asm_location_read(struct asm_state *state, const struct asm_location *location, uint32_t width) {
    if (location_uses_stack_pointer(location)) {
        asm_refuse(state, "the stack pointer");
    }
    if (location->kind == ASM_LOCATION_VALUE) {
        return asm_constant(state, (uint64_t)location->number & (UINT64_MAX >> (64 - width)));
    }
    if (location->kind == ASM_LOCATION_CELL) {
        if (!location->high) {
            return asm_cell_read(state, location->cell, width);
        }
        uint32_t both = asm_cell_read(state, location->cell, 16);
        return asm_emit(state, OP_LSHR, 16, 0, both, asm_constant(state, 8), 0);
    }
    uint32_t value = asm_emit(state, OP_LOAD, width / 8, ORDER_PLAIN, location->address, 0, 0);
    builder_at(state->builder, builder_here(state->builder) - 1)->flags = INSTRUCTION_VOLATILE;
    return value;
}

static void write_high_byte(struct asm_state *state, uint32_t cell, uint32_t value) {
    uint32_t low = asm_cell_read(state, cell, 8);
    uint32_t shifted = asm_emit(state, OP_SHL, 16, 0, value, asm_constant(state, 8), 0);
    asm_cell_write(state, cell, 16, asm_emit(state, OP_OR, 16, 0, shifted, low, 0));
}

void asm_location_write(struct asm_state *state, const struct asm_location *location, uint32_t width, uint32_t value) {
    if (location_uses_stack_pointer(location)) {
        asm_refuse(state, "the stack pointer");
    }
    if (location->kind == ASM_LOCATION_VALUE) {
        asm_refuse(state, "a number cannot be written to");
    } else if (location->kind == ASM_LOCATION_MEMORY) {
        asm_emit_effect(state, OP_STORE, width / 8, ORDER_PLAIN, location->address, value);
        builder_at(state->builder, builder_here(state->builder) - 1)->flags = INSTRUCTION_VOLATILE;
    } else if (location->high) {
        write_high_byte(state, location->cell, value);
    } else {
        asm_cell_write(state, location->cell, width, value);
    }
}
