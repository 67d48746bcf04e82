/* One statement of inline assembler: its constraints, its text, its outputs.
 *
 * The constraint string lists outputs, then inputs, then clobbers; $N in the text is the Nth of the first two kinds.
 * Input values and addresses of memory are taken from the statement's inputs in the order of the constraints. */
#include "front/inline_asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/inline_asm_state.h"
#include "util/memory.h"

void asm_refuse(struct asm_state *state, const char *reason) {
    if (state->failed) {
        return;
    }
    state->failed = true;
    snprintf(state->message, state->size, "not supported: %s \"%s\"%s%s", state->what, state->current,
             *reason ? ": " : "", reason);
}

uint32_t asm_emit(struct asm_state *state, enum op op, uint32_t width, uint32_t sub, uint32_t a, uint32_t b,
                  uint32_t c) {
    uint32_t dst = (*state->next_register)++;
    builder_emit(state->builder, (struct instruction){.op = (uint8_t)op,
                                                      .width = (uint8_t)width,
                                                      .sub = (uint8_t)sub,
                                                      .dst = dst,
                                                      .a = a,
                                                      .b = b,
                                                      .c = c,
                                                      .pos = state->statement->pos});
    return dst;
}

void asm_emit_effect(struct asm_state *state, enum op op, uint32_t width, uint32_t sub, uint32_t a, uint32_t b) {
    builder_emit(state->builder, (struct instruction){.op = (uint8_t)op,
                                                      .width = (uint8_t)width,
                                                      .sub = (uint8_t)sub,
                                                      .dst = NO_REGISTER,
                                                      .a = a,
                                                      .b = b,
                                                      .pos = state->statement->pos});
}

uint32_t asm_constant(struct asm_state *state, uint64_t value) {
    return builder_constant(state->builder, value);
}

bool asm_is_constant(const struct asm_state *state, uint32_t operand, uint64_t *value) {
    if ((operand & OPERAND_CONSTANT) == 0) {
        return false;
    }
    *value = *(uint64_t *)vector_at(&state->builder->constants, operand & ~OPERAND_CONSTANT);
    return true;
}

uint32_t asm_cell_read(struct asm_state *state, uint32_t cell, uint32_t width) {
    const struct asm_cell *from = &state->cells[cell];
    if (!from->set) {
        return asm_constant(state, 0);
    }
    if (from->bits <= width) {
        return from->operand;
    }
    uint64_t value;
    if (asm_is_constant(state, from->operand, &value)) {
        return asm_constant(state, value & (UINT64_MAX >> (64 - width)));
    }
    return asm_emit(state, OP_TRUNC, width, 0, from->operand, 0, 0);
}

void asm_cell_write(struct asm_state *state, uint32_t cell, uint32_t width, uint32_t value) {
    struct asm_cell *to = &state->cells[cell];
    if (width < 32 && to->set && to->bits > width) {
        uint32_t rest = asm_emit(state, OP_AND, 64, 0, to->operand, asm_constant(state, UINT64_MAX << width), 0);
        value = asm_emit(state, OP_OR, 64, 0, rest, value, 0);
        width = to->bits;
    }
    *to = (struct asm_cell){value, width, true};
}

/* ---- Constraints ---- */

/* One item of the constraint string. */
struct constraint {
    const char *text; /* after the modifiers */
    size_t length;
    bool output;
    bool clobber;
    bool indirect;
    bool label;
};

static const char *constraint_next(const char *text, struct constraint *constraint) {
    *constraint = (struct constraint){0};
    for (; *text && strchr("=+&*%~!", *text); text++) {
        constraint->output |= *text == '=' || *text == '+';
        constraint->indirect |= *text == '*';
        constraint->clobber |= *text == '~';
        constraint->label |= *text == '!';
    }
    constraint->text = text;
    bool braces = false;
    while (*text && (*text != ',' || braces)) {
        braces = *text == '{' || (braces && *text != '}');
        text++;
    }
    constraint->length = (size_t)(text - constraint->text);
    return *text == ',' ? text + 1 : text;
}

static bool constraint_is_flag(const struct constraint *constraint) {
    return constraint->length > 5 && strncmp(constraint->text, "{@cc", 4) == 0;
}

static bool constraint_is_tied(const struct constraint *constraint, unsigned *to) {
    if (!isdigit((unsigned char)constraint->text[0])) {
        return false;
    }
    *to = (unsigned)strtoul(constraint->text, NULL, 10);
    return true;
}

/* The x86 register that the constraint requires, or -1 for any. */
static int constraint_register(const struct constraint *constraint) {
    if (constraint->text[0] == 'A') {
        return X86_AX;
    }
    if (constraint->text[0] != '{') {
        return -1;
    }
    uint32_t width;
    bool high;
    return asm_register_named(constraint->text + 1, constraint->length - 2, &width, &high);
}

static const struct asm_input *next_input(struct asm_state *state, uint32_t *used) {
    if (*used >= state->statement->inputs_count) {
        asm_refuse(state, "more operands than values");
        return NULL;
    }
    return &state->statement->inputs[(*used)++];
}

static void bind_flag_output(struct asm_state *state, struct asm_operand *operand,
                             const struct constraint *constraint) {
    char name[16] = "";
    snprintf(name, sizeof name, "%.*s", (int)(constraint->length - 5), constraint->text + 4);
    operand->kind = ASM_OPERAND_FLAG;
    operand->condition = asm_condition_named(name);
    if (operand->condition < 0) {
        asm_refuse(state, "unknown condition in a constraint");
    }
}

static void bind_cell(struct asm_state *state, struct asm_operand *operand, uint32_t index,
                      const struct constraint *constraint) {
    int fixed = constraint_register(constraint);
    operand->kind = ASM_OPERAND_CELL;
    operand->cell = fixed >= 0 ? (uint32_t)fixed : X86_REGISTERS + index;
    if (fixed < 0 && constraint->text[0] == '{') {
        asm_refuse(state, "unknown register in a constraint");
    }
    if (operand->width > 64) {
        asm_refuse(state, "operands wider than 64 bits");
    }
}

static void bind_output(struct asm_state *state, struct asm_operand *operand, uint32_t index,
                        const struct constraint *constraint, uint32_t *outputs) {
    if (*outputs >= state->statement->outputs_count) {
        asm_refuse(state, "more outputs than results");
        return;
    }
    operand->output = true;
    operand->output_index = *outputs;
    operand->width = state->statement->outputs[*outputs].width;
    (*outputs)++;
    if (constraint_is_flag(constraint)) {
        bind_flag_output(state, operand, constraint);
    } else {
        bind_cell(state, operand, index, constraint);
    }
}

static void bind_input(struct asm_state *state, struct asm_operand *operand, uint32_t index,
                       const struct constraint *constraint, const struct asm_input *input) {
    unsigned tied;
    operand->width = input->width;
    if (!constraint_is_tied(constraint, &tied)) {
        bind_cell(state, operand, index, constraint);
    } else if (tied >= index) {
        asm_refuse(state, "an operand tied to a later one");
        return;
    } else {
        *operand = state->operands[tied];
        operand->output = false;
        if (operand->kind != ASM_OPERAND_CELL) {
            return; /* "+g" in memory: the value is there already */
        }
    }
    state->cells[operand->cell] = (struct asm_cell){input->operand, input->width, true};
}

/* Binds all operands, with the input values in their cells. */
static void bind_operands(struct asm_state *state) {
    uint32_t inputs = 0;
    uint32_t outputs = 0;
    struct constraint constraint;
    for (const char *text = state->statement->constraints; *text && !state->failed;) {
        text = constraint_next(text, &constraint);
        if (constraint.clobber) {
            continue;
        }
        uint32_t index = state->operands_count++;
        if (constraint.label || index >= ASM_MAX_OPERANDS) {
            asm_refuse(state, constraint.label ? "asm goto" : "too many operands");
            return;
        }
        struct asm_operand *operand = &state->operands[index];
        const struct asm_input *input = NULL;
        if (!constraint.output || constraint.indirect) {
            input = next_input(state, &inputs);
            if (!input) {
                return;
            }
        }
        if (input && (constraint.indirect || input->indirect)) {
            *operand =
                (struct asm_operand){.kind = ASM_OPERAND_MEMORY, .width = input->width, .address = input->operand};
        } else if (constraint.output) {
            bind_output(state, operand, index, &constraint, &outputs);
        } else {
            bind_input(state, operand, index, &constraint, input);
        }
    }
}

static void write_outputs(struct asm_state *state) {
    state->current = "flag output";
    for (uint32_t i = 0; i < state->operands_count && !state->failed; i++) {
        const struct asm_operand *operand = &state->operands[i];
        if (!operand->output) {
            continue;
        }
        const struct asm_output *output = &state->statement->outputs[operand->output_index];
        uint32_t value = operand->kind == ASM_OPERAND_FLAG ? asm_condition_value(state, operand->condition)
                                                           : asm_cell_read(state, operand->cell, output->width);
        builder_emit(state->builder,
                     (struct instruction){
                         .op = OP_MOV, .width = 64, .dst = output->dst, .a = value, .pos = state->statement->pos});
    }
}

/* ---- Text ---- */

/* Of each $(AT&T$|Intel$) keeps the first part, and drops comments.  Only the first can be shorter than the second, so
 * the result fits where the text was. */
static void text_simplify(char *text) {
    char *to = text;
    bool dropping = false;
    for (const char *from = text; *from; from++) {
        if (from[0] == '$' && from[1] == '$') {
            if (!dropping) {
                *to++ = '$';
                *to++ = '$';
            }
            from++;
        } else if (from[0] == '$' && (from[1] == '(' || from[1] == ')')) {
            dropping = false;
            from++;
        } else if (from[0] == '$' && from[1] == '|') {
            dropping = true;
            from++;
        } else if (from[0] == '#' || (from[0] == '/' && from[1] == '/')) {
            while (from[1] && from[1] != '\n') {
                from++;
            }
        } else if (from[0] == '/' && from[1] == '*') {
            const char *end = strstr(from + 2, "*/");
            from = end ? end + 1 : from + strlen(from) - 1;
        } else if (!dropping) {
            *to++ = *from;
        }
    }
    *to = 0;
}

char *asm_trim(char *text) {
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        text[--length] = 0;
    }
    return text;
}

/* The first word of `text`, ended by a zero; returns what follows it. */
static char *split_word(char *text) {
    while (*text && !isspace((unsigned char)*text)) {
        text++;
    }
    if (*text) {
        *text++ = 0;
    }
    return asm_trim(text);
}

/* "671:" in front of an instruction; nothing can jump to it, so it says nothing. */
static char *skip_label(char *text) {
    char *end = text;
    while (isdigit((unsigned char)*end)) {
        end++;
    }
    return end > text && *end == ':' ? asm_trim(end + 1) : text;
}

static bool is_prefix(struct asm_state *state, const char *word) {
    if (strcmp(word, "lock") == 0) {
        state->lock = true;
        return true;
    }
    if (strcmp(word, "rep") == 0 || strcmp(word, "repz") == 0) {
        state->repeat = true;
        return true;
    }
    return false;
}

static void lower_line(struct asm_state *state, char *line) {
    char *word = line;
    char *rest = split_word(word);
    while (is_prefix(state, word)) {
        if (!*rest) {
            return;
        }
        word = rest;
        rest = split_word(word);
    }
    for (char *c = word; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    asm_instruction_lower(state, word, rest);
    state->lock = false;
    state->repeat = false;
}

/* The kernel notes its lock prefixes in a section of their own; what is written there is not executed. */
static bool enters_section(const char *line) {
    return strncmp(line, ".section", 8) == 0 || strncmp(line, ".pushsection", 12) == 0;
}

static bool leaves_section(const char *line) {
    return strncmp(line, ".previous", 9) == 0 || strncmp(line, ".popsection", 11) == 0;
}

static void lower_text(struct asm_state *state, char *text) {
    bool elsewhere = false;
    while (text && !state->failed) {
        char *end = strpbrk(text, ";\n");
        if (end) {
            *end = 0;
        }
        char *line = skip_label(asm_trim(text));
        text = end ? end + 1 : NULL;
        if (enters_section(line)) {
            elsewhere = true;
        } else if (leaves_section(line)) {
            elsewhere = false;
        } else if (!elsewhere && *line) {
            char *copy = memory_copy_text(line);
            state->current = copy;
            lower_line(state, line);
            free(copy);
            state->current = "";
        }
    }
}

bool inline_asm_lower(struct builder *builder, uint32_t *next_register, const struct asm_statement *statement,
                      char *message, size_t size) {
    struct asm_state state = {.builder = builder,
                              .next_register = next_register,
                              .statement = statement,
                              .what = "inline assembler",
                              .current = statement->text,
                              .message = message,
                              .size = size};
    bind_operands(&state);
    if (statement->intel) {
        asm_refuse(&state, "Intel syntax");
    }
    char *text = memory_copy_text(statement->text);
    text_simplify(text);
    lower_text(&state, text);
    free(text);
    state.current = statement->text;
    if (state.lock || state.repeat || state.pushed_count > 0) {
        asm_refuse(&state, "the text ends in the middle of something");
    }
    write_outputs(&state);
    return !state.failed;
}
