/* The code of a litmus test: each thread becomes a function.
 *
 * Instructions are those of the inline assembler's table; this file converts herd's operands to its form, and adds
 * labels and jumps.  Within straight-line code an x86 register is the operand that was last put into it (see
 * inline_asm_state.h).  Where control flow joins, that operand must be the same on all paths: so every x86 register has
 * a home, an instruction register with its own number, to which it is moved at labels and jumps.
 *
 * Addresses of X86 have 32 bits; they are those of the variables less GLOBAL_BASE, which is added where a register is
 * used as an address. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "front/inline_asm_state.h"
#include "front/litmus_reader.h"

#define MAX_TEXT 256
#define MAX_OPERANDS 3
#define MAX_LABELS 1000

/* Names of labels are offsets of the program's strings, equal for equal names. */
struct label {
    uint32_t name;
    uint32_t target;
};

/* A jump whose target is not known yet. */
struct jump {
    uint32_t label;
    uint32_t index;
    bool conditional;
    const struct litmus_cell *cell;
};

struct lowering {
    struct litmus_reader *reader;
    const struct litmus_thread *thread;
    char name[16];                  /* of the thread */
    const struct litmus_cell *cell; /* the present one */
    struct asm_statement statement; /* has the position */
    struct asm_state state;
    uint32_t next_register;
    uint32_t used;        /* bit set of the x86 registers that the thread names */
    struct vector labels; /* of struct label */
    struct vector jumps;  /* of struct jump */
    char message[300];
};

/* An operand in the inline assembler's form. */
struct operand {
    char text[64];
    bool memory;
};

static bool is_name_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static const char *skip_space(const char *text) {
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* A number with a sign, decimal or hexadecimal, at the start of the text; false if there is none. */
static bool number_parse(const char *text, uint64_t *number, const char **end) {
    const char *digits = text + (*text == '-' || *text == '+');
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *stop;
    *end = text;
    *number = 0;
    if (!isdigit((unsigned char)*digits)) {
        return false;
    }
    uint64_t magnitude = strtoull(digits, &stop, hexadecimal ? 16 : 10);
    *number = *text == '-' ? 0 - magnitude : magnitude;
    *end = stop;
    return true;
}

static void refuse(struct lowering *lowering, const char *what, const char *text, size_t length) {
    litmus_fail(lowering->reader, lowering->cell->text, "%s '%.*s'", what, (int)(length > 60 ? 60 : length), text);
}

/* ---- Homes ---- */

static bool is_home(uint32_t operand) {
    return operand < X86_REGISTERS;
}

static void move(struct lowering *lowering, uint32_t dst, uint32_t from) {
    builder_emit(
        &lowering->reader->builder,
        (struct instruction){.op = OP_MOV, .width = 64, .dst = dst, .a = from, .pos = lowering->statement.pos});
}

/* Copies the value of a home that is about to change to another register. */
static uint32_t move_away(struct lowering *lowering, uint32_t operand, uint32_t own) {
    if (!is_home(operand) || operand == own) {
        return operand;
    }
    uint32_t copy = lowering->next_register++;
    move(lowering, copy, operand);
    return copy;
}

/* Moves every register to its home.  The flags stay as they are: only labels lose them. */
static void return_home(struct lowering *lowering) {
    struct asm_state *state = &lowering->state;
    if (state->flags.kind != FLAGS_UNKNOWN) {
        state->flags.a = move_away(lowering, state->flags.a, NO_REGISTER);
    }
    if (state->flags.kind == FLAGS_ADD || state->flags.kind == FLAGS_SUB || state->flags.kind == FLAGS_BIT) {
        state->flags.b = move_away(lowering, state->flags.b, NO_REGISTER);
    }
    for (uint32_t i = 0; i < X86_REGISTERS; i++) {
        if (lowering->used >> i & 1) {
            state->cells[i].operand = move_away(lowering, state->cells[i].operand, i);
        }
    }
    for (uint32_t i = 0; i < X86_REGISTERS; i++) {
        if ((lowering->used >> i & 1) && state->cells[i].operand != i) {
            move(lowering, i, state->cells[i].operand);
        }
        if (lowering->used >> i & 1) {
            state->cells[i] = (struct asm_cell){.operand = i, .bits = 64, .set = true};
        }
    }
}

/* ---- Operands ---- */

static uint64_t address_base(const struct lowering *lowering) {
    return lowering->reader->wide ? 0 : GLOBAL_BASE;
}

/* The text in brackets: a register or a variable, and perhaps a number after it. */
static void memory_convert(struct lowering *lowering, const char *text, uint64_t offset, uint32_t index,
                           struct operand *operand) {
    const char *from = skip_space(text + 1);
    const char *name = from + (*from == '%');
    size_t length = 0;
    while (is_name_letter(name[length])) {
        length++;
    }
    uint64_t more;
    const char *rest = skip_space(name + length);
    if ((*rest == '+' || *rest == '-') && number_parse(rest, &more, &rest)) {
        offset += more;
        rest = skip_space(rest);
    }
    if (length == 0 || isdigit((unsigned char)*name) || *rest != (*text == '[' ? ']' : ')') || *skip_space(rest + 1)) {
        refuse(lowering, "unknown form of operand", text, strlen(text));
        return;
    }
    uint32_t width;
    bool high;
    int number = litmus_register(name, length, &width, &high);
    operand->memory = true;
    if (number >= 0 && !high && width >= 32) {
        snprintf(operand->text, sizeof operand->text, "%lld(%%%.*s)", (long long)(offset + address_base(lowering)),
                 (int)length, name);
    } else if (number >= 0 || *from == '%') {
        refuse(lowering, "not a register for addresses:", name, length);
    } else {
        const struct litmus_variable *variable = litmus_variable(lowering->reader, name, length);
        lowering->state.operands[index] = (struct asm_operand){
            .kind = ASM_OPERAND_MEMORY,
            .width = offset == 0 && variable->declared ? variable->width : 0,
            .address = builder_address(&lowering->reader->builder, variable->address + offset),
        };
        snprintf(operand->text, sizeof operand->text, "$%u", index);
    }
}

/* A register, with or without '%'. */
static void register_convert(struct lowering *lowering, const char *text, struct operand *operand) {
    const char *name = text + (*text == '%');
    uint32_t width;
    bool high;
    size_t length = strlen(name);
    if (litmus_register(name, length, &width, &high) < 0 || (!lowering->reader->wide && width > 32)) {
        refuse(lowering, "unknown register", text, strlen(text));
    } else {
        snprintf(operand->text, sizeof operand->text, "%%%.*s", (int)length, name);
    }
}

/* "$1", "$x", "1": a number. */
static void number_convert(struct lowering *lowering, const char *text, struct operand *operand) {
    const char *digits = text + (*text == '$');
    const char *end;
    uint64_t value;
    if (*text == '$' && (isalpha((unsigned char)*digits) || *digits == '_')) {
        value = litmus_variable(lowering->reader, digits, strlen(digits))->number;
        lowering->reader->test->uses_addresses = true;
        lowering->reader->builder.flags |= PROGRAM_HIDES_ADDRESSES;
    } else if (!number_parse(digits, &value, &end) || *end) {
        refuse(lowering, "unknown form of number", text, strlen(text));
    }
    snprintf(operand->text, sizeof operand->text, "$$%lld", (long long)value);
}

/* herd's operand to the inline assembler's; `index` numbers it within its instruction. */
static void operand_convert(struct lowering *lowering, char *text, uint32_t index, struct operand *operand) {
    const char *rest;
    uint64_t offset;
    *operand = (struct operand){0};
    number_parse(text, &offset, &rest);
    rest = skip_space(rest);
    if (*rest == '[' || *rest == '(') {
        memory_convert(lowering, rest, offset, index, operand);
    } else if (*text == '$' || *text == '-' || isdigit((unsigned char)*text)) {
        number_convert(lowering, text, operand);
    } else {
        register_convert(lowering, text, operand);
    }
    for (char *c = operand->text; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
}

/* Splits at commas and converts each part; returns how many there are. */
static uint32_t operands_convert(struct lowering *lowering, char *text, struct operand operands[MAX_OPERANDS]) {
    uint32_t count = 0;
    while (text && *text && !lowering->reader->failed) {
        char *comma = strchr(text, ',');
        if (comma) {
            *comma = 0;
        }
        if (count == MAX_OPERANDS) {
            litmus_fail(lowering->reader, lowering->cell->text, "too many operands");
            break;
        }
        operand_convert(lowering, asm_trim(text), count, &operands[count]);
        count++;
        text = comma ? comma + 1 : NULL;
    }
    return count;
}

/* Puts the destination last, as in the table.  X86 has it first; compare-and-exchange and exchange-and-add of X86_64
 * are written both ways, but only the destination can be in memory. */
static void operands_order(const struct lowering *lowering, const char *mnemonic, struct operand *operands,
                           uint32_t count) {
    bool swap = !lowering->reader->wide;
    if (strncmp(mnemonic, "cmpxchg", 7) == 0 || strncmp(mnemonic, "xadd", 4) == 0) {
        swap = operands[0].memory || (swap && !operands[1].memory);
    }
    if (swap && count == 2) {
        struct operand first = operands[0];
        operands[0] = operands[1];
        operands[1] = first;
    }
}

/* ---- Instructions ---- */

/* herd has "jlt" and "jgt" for "jl" and "jg". */
static int jump_condition(const char *mnemonic) {
    const char *name = mnemonic + 1;
    return asm_condition_named(strcmp(name, "lt") == 0 ? "l" : strcmp(name, "gt") == 0 ? "g" : name);
}

static bool is_jump(const char *mnemonic) {
    return mnemonic[0] == 'j' && (strcmp(mnemonic, "jmp") == 0 || jump_condition(mnemonic) >= 0);
}

static void jump_lower(struct lowering *lowering, const char *mnemonic, const char *target) {
    struct builder *builder = &lowering->reader->builder;
    struct jump jump = {
        .label = builder_string(builder, target),
        .conditional = strcmp(mnemonic, "jmp") != 0,
        .cell = lowering->cell,
    };
    struct instruction instruction = {.op = OP_JMP, .dst = NO_REGISTER, .pos = lowering->statement.pos};
    if (jump.conditional) {
        instruction.op = OP_BR;
        instruction.a = asm_condition_value(&lowering->state, jump_condition(mnemonic));
    }
    return_home(lowering);
    instruction.c = jump.conditional ? builder_here(builder) + 1 : 0;
    jump.index = builder_emit(builder, instruction);
    vector_push(&lowering->jumps, &jump);
}

static void instruction_lower(struct lowering *lowering, char *text) {
    struct operand operands[MAX_OPERANDS] = {0};
    char joined[MAX_OPERANDS * sizeof operands->text + MAX_OPERANDS] = "";
    char *rest = text;
    while (*rest && !isspace((unsigned char)*rest)) {
        *rest = (char)tolower((unsigned char)*rest);
        rest++;
    }
    if (*rest) {
        *rest++ = 0;
    }
    rest = asm_trim(rest);
    if (strcmp(text, "lock") == 0 && *rest && !lowering->state.lock) {
        lowering->state.lock = true;
        instruction_lower(lowering, rest);
        lowering->state.lock = false;
        return;
    }
    if (is_jump(text) && !lowering->state.lock) {
        jump_lower(lowering, text, rest);
        return;
    }
    uint32_t count = operands_convert(lowering, rest, operands);
    if (lowering->reader->failed) {
        return;
    }
    if (count == 2 && operands[0].memory && operands[1].memory) {
        litmus_fail(lowering->reader, lowering->cell->text, "two operands in memory");
        return;
    }
    operands_order(lowering, text, operands, count);
    for (uint32_t i = 0; i < count; i++) {
        strcat(joined, i == 0 ? "" : ",");
        strcat(joined, operands[i].text);
    }
    lowering->state.operands_count = count;
    asm_instruction_lower(&lowering->state, text, joined);
}

/* "L0:" before an instruction; returns the text after it. */
static char *label_lower(struct lowering *lowering, char *text) {
    struct builder *builder = &lowering->reader->builder;
    char *end = text;
    while (is_name_letter(*end)) {
        end++;
    }
    char *colon = (char *)skip_space(end);
    if (end == text || *colon != ':') {
        return text;
    }
    *end = 0;
    return_home(lowering);
    lowering->state.flags.kind = FLAGS_UNKNOWN;
    struct label label = {.name = builder_string(builder, text), .target = builder_here(builder)};
    for (size_t i = 0; i < lowering->labels.count; i++) {
        if (((struct label *)vector_at(&lowering->labels, i))->name == label.name) {
            refuse(lowering, "a second label", text, strlen(text));
        }
    }
    if (lowering->labels.count == MAX_LABELS) {
        litmus_fail(lowering->reader, lowering->cell->text, "more than %d labels", MAX_LABELS);
    }
    vector_push(&lowering->labels, &label);
    return asm_trim(colon + 1);
}

static void cell_lower(struct lowering *lowering, const struct litmus_cell *cell) {
    struct litmus_reader *reader = lowering->reader;
    char text[MAX_TEXT];
    char current[MAX_TEXT];
    uint32_t line;
    uint32_t column;
    lowering->cell = cell;
    if (cell->length >= sizeof text) {
        litmus_fail(reader, cell->text, "not an instruction: it is too long");
        return;
    }
    memcpy(text, cell->text, cell->length);
    text[cell->length] = 0;
    litmus_locate(reader, cell->text, &line, &column);
    lowering->statement.pos = builder_position(&reader->builder, reader->file, line, column, lowering->name, "");
    char *rest = asm_trim(text);
    for (char *next = label_lower(lowering, rest); next != rest && !reader->failed;) {
        rest = next;
        next = label_lower(lowering, rest);
    }
    if (*rest == 0 || reader->failed) {
        return;
    }
    strcpy(current, rest);
    lowering->state.current = current;
    instruction_lower(lowering, rest);
    if (lowering->state.failed) {
        litmus_fail(reader, cell->text, "%s", lowering->message);
    }
}

/* ---- Threads ---- */

/* The x86 registers that the thread's instructions may access.  Compare-and-exchange has some that it does not name. */
static uint32_t registers_used(const struct litmus_thread *thread) {
    uint32_t used = 0;
    for (size_t i = 0; i < thread->cells.count; i++) {
        const struct litmus_cell *cell = vector_at(&thread->cells, i);
        for (size_t at = 0; at < cell->length;) {
            size_t length = 0;
            while (at + length < cell->length && is_name_letter(cell->text[at + length])) {
                length++;
            }
            uint32_t width;
            bool high;
            int number = litmus_register(cell->text + at, length, &width, &high);
            used |= number >= 0 ? 1U << number : 0;
            if (length >= 7 && strncasecmp(cell->text + at, "cmpxchg", 7) == 0) {
                used |= 1U << X86_AX | 1U << X86_BX | 1U << X86_CX | 1U << X86_DX;
            }
            at += length + 1;
        }
    }
    return used;
}

static void jumps_patch(struct lowering *lowering) {
    struct builder *builder = &lowering->reader->builder;
    for (size_t i = 0; i < lowering->jumps.count; i++) {
        const struct jump *jump = vector_at(&lowering->jumps, i);
        bool found = false;
        for (size_t j = 0; j < lowering->labels.count; j++) {
            const struct label *label = vector_at(&lowering->labels, j);
            if (label->name == jump->label) {
                struct instruction *instruction = builder_at(builder, jump->index);
                *(jump->conditional ? &instruction->b : &instruction->a) = label->target;
                found = true;
            }
        }
        if (!found) {
            litmus_fail(lowering->reader, jump->cell->text, "no label for this jump");
        }
    }
}

/* Writes the registers that a location names to the thread's array, and returns. */
static void thread_end(struct lowering *lowering) {
    struct litmus_reader *reader = lowering->reader;
    struct asm_state *state = &lowering->state;
    uint32_t thread = (uint32_t)(lowering->thread - (struct litmus_thread *)reader->threads.data);
    uint32_t base = NO_REGISTER;
    uint32_t kept = 0;
    lowering->statement.pos = 0;
    for (size_t i = 0; i < reader->test->locations.count; i++) {
        const struct litmus_location *location = vector_at(&reader->test->locations, i);
        uint32_t number = location->number;
        if (!location->in_register || location->thread != thread || (kept >> number & 1)) {
            continue;
        }
        kept |= 1U << number;
        if (base == NO_REGISTER) {
            base = asm_emit(state, OP_TLS, 64, 0, reader->registers, 0, 0);
        }
        uint32_t address = asm_emit(state, OP_ADD, 64, 0, base, asm_constant(state, location->offset & ~7U), 0);
        asm_emit_effect(state, OP_STORE, 8, ORDER_PLAIN, address, asm_cell_read(state, number, 64));
    }
    asm_emit_effect(state, OP_RET, 0, 0, builder_operands(&reader->builder, NULL, 0), 0);
}

static void thread_lower(struct litmus_reader *reader, const struct litmus_thread *thread) {
    struct lowering lowering = {
        .reader = reader,
        .thread = thread,
        .next_register = X86_REGISTERS,
        .used = registers_used(thread),
    };
    lowering.state = (struct asm_state){
        .builder = &reader->builder,
        .next_register = &lowering.next_register,
        .statement = &lowering.statement,
        .what = "instruction",
        .default_width = reader->wide ? 64 : 32,
        .message = lowering.message,
        .size = sizeof lowering.message,
    };
    snprintf(lowering.name, sizeof lowering.name, "P%u", thread->number);
    vector_init(&lowering.labels, sizeof(struct label));
    vector_init(&lowering.jumps, sizeof(struct jump));
    builder_begin(&reader->builder, thread->function);
    for (uint32_t i = 0; i < X86_REGISTERS; i++) {
        lowering.state.cells[i] =
            (struct asm_cell){.operand = asm_constant(&lowering.state, thread->initial[i]), .bits = 64, .set = true};
    }
    for (size_t i = 0; i < thread->cells.count && !reader->failed; i++) {
        cell_lower(&lowering, vector_at(&thread->cells, i));
    }
    if (!reader->failed) {
        thread_end(&lowering);
        jumps_patch(&lowering);
    }
    builder_end(&reader->builder, lowering.next_register);
    vector_delete(&lowering.labels);
    vector_delete(&lowering.jumps);
}

static bool is_access(const struct instruction *instruction) {
    return instruction->op == OP_LOAD || instruction->op == OP_STORE || instruction->op == OP_RMW ||
           instruction->op == OP_CAS;
}

/* A variable that is not declared is as wide as its widest access, at least 32 bits; an access through a register may
 * be to any variable. */
static void variables_widen(struct litmus_reader *reader) {
    const struct vector *code = &reader->builder.code;
    const struct vector *constants = &reader->builder.constants;
    for (size_t i = 0; i < code->count; i++) {
        const struct instruction *instruction = vector_at(code, i);
        if (!is_access(instruction) || instruction->pos == 0) {
            continue;
        }
        bool known = instruction->a & OPERAND_CONSTANT;
        uint64_t address = known ? *(uint64_t *)vector_at(constants, instruction->a & ~OPERAND_CONSTANT) : 0;
        for (size_t v = 0; v < reader->test->variables.count; v++) {
            struct litmus_variable *variable = vector_at(&reader->test->variables, v);
            uint32_t width = instruction->width * 8U;
            if (!variable->declared && (!known || variable->address == address) && width > variable->width) {
                variable->width = width > 64 ? 64 : width;
            }
        }
    }
}

void litmus_threads_lower(struct litmus_reader *reader) {
    for (size_t i = 0; i < reader->threads.count && !reader->failed; i++) {
        thread_lower(reader, vector_at(&reader->threads, i));
    }
    variables_widen(reader);
}
