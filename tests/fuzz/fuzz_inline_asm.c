/* Inline assembler.  The input's lines are the constraint string, one letter for each input and output (see `add`) and
 * the rest is the template. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "exercise.h"
#include "front/inline_asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 16

struct values {
    struct asm_input inputs[MOST];
    struct asm_output outputs[MOST];
    uint32_t inputs_count;
    uint32_t outputs_count;
};

/* Every value has a width; that of memory may be unknown. */
static uint32_t width_of(char letter, bool indirect) {
    static const struct {
        char letter;
        uint32_t width;
    } widths[] = {{'b', 8}, {'w', 16}, {'l', 32}, {'q', 64}, {'x', 128}, {'o', 1}, {'t', 24}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (widths[i].letter == letter) {
            return widths[i].width;
        }
    }
    return indirect ? 0 : 32;
}

/* "l": an input of 32 bits; "*l": memory of 32 bits; "=l": an output of 32 bits. */
static void add(struct values *values, const char *text) {
    for (; *text; text++) {
        if (*text == '=' && text[1]) {
            if (values->outputs_count < MOST) {
                values->outputs[values->outputs_count++].width = width_of(*++text, false);
            }
        } else if (values->inputs_count < MOST) {
            bool indirect = *text == '*' && text[1];
            text += indirect;
            values->inputs[values->inputs_count++] =
                (struct asm_input){.width = width_of(*text, indirect), .indirect = indirect};
        }
    }
}

/* The statement in a function that hands over any values for its inputs, and a global for its memory. */
static void lower(const char *constraints, const char *described, const char *text, uint64_t seed) {
    struct values values = {.inputs_count = 0};
    struct builder builder;
    struct program program;
    char message[300];
    add(&values, described);
    builder_init(&builder);
    uint32_t global = builder_global(&builder, "memory", 64, 16, 0);
    uint32_t function = builder_function(&builder, "main", 0, 0, 0);
    uint32_t next = 0;
    builder.entry = function;
    builder_begin(&builder, function);
    for (uint32_t i = 0; i < values.inputs_count; i++) {
        struct asm_input *input = &values.inputs[i];
        input->operand = next;
        next += input->width > 64 && !input->indirect ? 2 : 1;
        uint64_t address = builder_global_at(&builder, global)->address;
        builder_emit(&builder, (struct instruction){
                                   .op = OP_MOV,
                                   .dst = input->operand,
                                   .a = input->indirect ? builder_address(&builder, address)
                                                        : builder_constant(&builder, input->width ? seed & 1 : 0)});
        if (input->operand + 2 == next) {
            builder_emit(&builder, (struct instruction){
                                       .op = OP_MOV, .dst = input->operand + 1, .a = builder_constant(&builder, 0)});
        }
    }
    for (uint32_t i = 0; i < values.outputs_count; i++) {
        values.outputs[i].dst = next;
        next += values.outputs[i].width > 64 ? 2 : 1;
    }
    struct asm_statement statement = {.text = text,
                                      .constraints = constraints,
                                      .intel = seed >> 1 & 1,
                                      .inputs = values.inputs,
                                      .inputs_count = values.inputs_count,
                                      .outputs = values.outputs,
                                      .outputs_count = values.outputs_count};
    bool good = inline_asm_lower(&builder, &next, &statement, message, sizeof message);
    if (good) {
        builder_emit(&builder, (struct instruction){.op = OP_EXIT, .a = builder_constant(&builder, 0)});
    } else {
        builder_emit(&builder, (struct instruction){.op = OP_HALT});
    }
    builder_end(&builder, next);
    if (good) {
        builder_finish(&builder, &program);
        exercise_program(&program, seed);
    } else {
        builder_delete(&builder);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *described = strchr(text, '\n');
    char *code = described ? strchr(described + 1, '\n') : NULL;
    if (code) {
        *described++ = '\0';
        *code++ = '\0';
        lower(text, described, code, XXH3_64bits(data, size));
    }
    free(text);
    return 0;
}
