/* Prints a whole program: the preamble that it needs, objects, functions.
 *
 * The contents of the preamble are known when the rest has been printed, so the rest is printed to memory first. */
#include "emit/emit.h"

#include <stdlib.h>
#include <string.h>

#include "emit/emitter.h"
#include "util/memory.h"

const char *const dialect_names[DIALECT_COUNT] = {"svcomp", "cbmc", "picket"};

/* A line of the printed text that becomes a #line directive for the line after it, back in the printed file. */
static const char home_line[] = "#line home";

static bool mentions_function(const struct program *program, uint32_t function) {
    uint64_t address = function_address(function);
    for (size_t i = 0; i < program->addresses_count; i++) {
        if (program->constants[program->addresses[i]] == address) {
            return true;
        }
    }
    for (size_t i = 0; i < program->relocations_count; i++) {
        uint64_t value = 0;
        size_t rest = program->bytes_count - program->relocations[i];
        memcpy(&value, program->bytes + program->relocations[i], rest < sizeof value ? rest : sizeof value);
        if (value == address) {
            return true;
        }
    }
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        bool in_entry = i - program->functions[program->entry].first < program->functions[program->entry].count;
        if (instruction->op == OP_CALL && instruction->a == function && !in_entry) {
            return true;
        }
    }
    return false;
}

/* The entry function that front ends make calls main and ends the process with its result.  If it does nothing else,
 * main is printed as main, and the entry is left to C. */
static uint32_t find_folded_main(const struct program *program) {
    const struct function *entry = &program->functions[program->entry];
    const struct instruction *code = function_code(program, program->entry);
    if (entry->count != 3 || code[0].op != OP_CALL || code[1].op != OP_AND || code[2].op != OP_EXIT ||
        code[0].dst == NO_REGISTER || code[1].a != code[0].dst || code[2].a != code[1].dst) {
        return NO_REGISTER;
    }
    const struct function *function = &program->functions[code[0].a];
    bool plain = function->parameters == 0 && function->results == 1 && code[0].a != program->entry &&
                 (code[1].b & OPERAND_CONSTANT) && program->constants[code[1].b & ~OPERAND_CONSTANT] == 255 &&
                 strcmp(program_string(program, function->name), "main") == 0;
    return plain && !mentions_function(program, code[0].a) ? code[0].a : NO_REGISTER;
}

void emitter_init(struct emitter *emitter) {
    const struct program *program = emitter->program;
    emitter->is_address = memory_allocate(program->constants_count + 1);
    for (size_t i = 0; i < program->addresses_count; i++) {
        emitter->is_address[program->addresses[i]] = 1;
    }
    emitter->folded_main = find_folded_main(program);
    names_init(emitter);
    shapes_init(emitter);
}

void emitter_delete(struct emitter *emitter) {
    names_delete(emitter);
    free(emitter->shapes);
    free(emitter->placed);
    free(emitter->is_address);
}

/* Copies the printed text, and gives its own line numbers to lines that belong to no source. */
static void copy_text(const char *text, uint64_t line, const char *file, FILE *out) {
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) : strlen(text);
        if (length == sizeof home_line - 1 && strncmp(text, home_line, length) == 0) {
            fprintf(out, "#line %llu ", (unsigned long long)line + 1);
            text_print(file, strlen(file), out);
        } else {
            fwrite(text, 1, length, out);
        }
        fputc('\n', out);
        line++;
        text += length + (end != NULL);
    }
}

static uint64_t count_lines(const char *text) {
    uint64_t lines = 0;
    for (; *text; text++) {
        lines += *text == '\n';
    }
    return lines;
}

void emitter_compose(const struct emitter *emitter, const char *heading, const char *text, FILE *out) {
    char *preamble = NULL;
    size_t size = 0;
    FILE *head = memory_stream(&preamble, &size);
    fputs(heading, head);
    fputs("#ifdef __PICKET__\nconst int __picket_printed = 1; /* what is assumed is said below */\n#endif\n", head);
    helpers_print(emitter, head);
    fclose(head);
    fputs(preamble, out);
    copy_text(text, count_lines(preamble) + 1, emitter->file, out);
    free(preamble);
}

static void body_print(struct emitter *emitter) {
    const struct program *program = emitter->program;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        prototype_print(emitter, f);
    }
    fputc('\n', emitter->out);
    globals_print(emitter);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        function_print(emitter, f);
    }
}

void emit_program(const struct program *program, enum dialect dialect, const char *file, FILE *out) {
    struct emitter emitter = {.program = program, .dialect = dialect, .file = file};
    emitter_init(&emitter);
    char *body = NULL;
    size_t size = 0;
    emitter.out = memory_stream(&body, &size);
    body_print(&emitter);
    fclose(emitter.out);
    emitter_compose(&emitter, "", body, out);
    free(body);
    emitter_delete(&emitter);
}
