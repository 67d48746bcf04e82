/* Objects.
 *
 * A global is a variable of integer type or an array, as its type in the source says, or else of words as large as its
 * size and alignment allow.  Addresses in initial bytes are words that C computes; if one is not at a multiple of its
 * size, the object is a packed struct of pieces. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emitter.h"
#include "util/memory.h"

#define VALUES_PER_LINE 16

/* --- Shapes ------------------------------------------------------------------------------------------------------- */

/* The first relocation at or after an offset in the program's bytes. */
static size_t first_relocation(const struct program *program, const struct global *global) {
    size_t low = 0;
    size_t high = program->relocations_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (program->relocations[middle] < global->initial) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Is the n-th relocation in this global?  Then `offset` is where. */
static bool relocation_of(const struct program *program, const struct global *global, size_t n, uint64_t *offset) {
    if (n >= program->relocations_count || program->relocations[n] < global->initial ||
        program->relocations[n] - global->initial >= global->initial_size) {
        return false;
    }
    *offset = program->relocations[n] - global->initial;
    return true;
}

/* The integer that a type is, or is an array of. */
static const struct type *type_leaf(const struct program *program, uint32_t index) {
    const struct type *type = &program->types[index];
    for (int depth = 0; depth < 16 && type->kind == TYPE_ARRAY; depth++) {
        type = &program->types[type->first];
    }
    bool sized = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
    bool known = type->kind == TYPE_INTEGER || type->kind == TYPE_UNSIGNED || type->kind == TYPE_FLOAT ||
                 type->kind == TYPE_POINTER;
    return known && sized ? type : NULL;
}

static struct shape shape_of(const struct program *program, const struct global *global) {
    struct shape shape = {.element = 1};
    const struct type *leaf = type_leaf(program, global->type);
    if (leaf && global->size % leaf->size == 0 && global->alignment % leaf->size == 0) {
        shape.element = (uint32_t)leaf->size;
        shape.is_signed = leaf->kind == TYPE_INTEGER;
    } else {
        while (shape.element < 8 && global->size % (2 * shape.element) == 0 &&
               global->alignment % (2 * shape.element) == 0) {
            shape.element *= 2;
        }
    }
    shape.count = global->size / shape.element;
    bool single = shape.count == 1 && program->types[global->type].kind != TYPE_ARRAY &&
                  program->types[global->type].kind != TYPE_STRUCT;
    uint64_t offset;
    for (size_t n = first_relocation(program, global); relocation_of(program, global, n, &offset); n++) {
        if (shape.element != 8 || offset % 8 != 0) {
            return (struct shape){0};
        }
        shape.is_signed = false;
    }
    shape.count = single ? 0 : shape.count;
    return shape;
}

void shapes_init(struct emitter *emitter) {
    const struct program *program = emitter->program;
    emitter->shapes = memory_allocate((program->globals_count + 1) * sizeof *emitter->shapes);
    emitter->placed = memory_allocate((program->globals_count + 1) * sizeof *emitter->placed);
    for (size_t g = 0; g < program->globals_count; g++) {
        emitter->shapes[g] = shape_of(program, &program->globals[g]);
        if (!(program->globals[g].flags & GLOBAL_THREAD_LOCAL)) {
            emitter->placed[emitter->placed_count++] = (uint32_t)g;
        }
    }
}

/* --- Addresses ---------------------------------------------------------------------------------------------------- */

uint32_t global_near(const struct emitter *emitter, uint64_t address) {
    const struct global *globals = emitter->program->globals;
    const uint32_t *placed = emitter->placed;
    uint32_t low = 0;
    uint32_t high = emitter->placed_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (globals[placed[middle]].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return emitter->placed_count == 0 ? NO_REGISTER : placed[0];
    }
    /* An address far after one object and just before another is meant for the other. */
    const struct global *below = &globals[placed[low - 1]];
    bool beyond = address - below->address > below->size + PAGE_SIZE / 2 && low < emitter->placed_count;
    return placed[beyond ? low : low - 1];
}

void address_print(struct emitter *emitter, uint64_t address) {
    const struct program *program = emitter->program;
    if (emitter->print_address) {
        emitter->print_address(emitter, address);
        return;
    }
    uint64_t functions_end = function_address((uint32_t)program->functions_count);
    if (address >= FUNCTION_BASE && address < functions_end) {
        uint64_t offset = (address - FUNCTION_BASE) % FUNCTION_STRIDE;
        fprintf(emitter->out, "(uint64_t)%s", emitter->function_names[(address - FUNCTION_BASE) / FUNCTION_STRIDE]);
        if (offset != 0) {
            fprintf(emitter->out, " + %" PRIu64, offset);
        }
        return;
    }
    uint32_t g = global_near(emitter, address);
    if (g == NO_REGISTER) {
        fprintf(emitter->out, "0x%" PRIx64 "ul", address);
        return;
    }
    int64_t offset = (int64_t)(address - program->globals[g].address);
    fprintf(emitter->out, "(uint64_t)&%s", emitter->global_names[g]);
    if (offset > 0) {
        fprintf(emitter->out, " + %" PRId64, offset);
    } else if (offset < 0) {
        fprintf(emitter->out, " - %" PRId64, -offset);
    }
}

/* --- Declarations ------------------------------------------------------------------------------------------------- */

void text_print(const char *text, size_t size, FILE *out) {
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\') {
            fprintf(out, "\\%c", byte);
        } else if (byte == '\n') {
            fputs("\\n", out);
        } else if (byte == '?' && i > 0 && text[i - 1] == '?') {
            fputs("\\?", out); /* or it might be a trigraph */
        } else if (byte < ' ' || byte > '~') {
            fprintf(out, "\\%03o", byte);
        } else {
            fputc(byte, out);
        }
    }
    fputc('"', out);
}

static uint64_t initial_word(const struct program *program, const struct global *global, uint64_t offset,
                             uint64_t size) {
    uint64_t word = 0;
    for (uint64_t i = 0; i < size && offset + i < global->initial_size; i++) {
        word |= (uint64_t)program->bytes[global->initial + offset + i] << 8 * i;
    }
    return word;
}

/* A string that fills the object, its end included. */
static bool is_text(const struct program *program, const struct global *global) {
    const uint8_t *bytes = program->bytes + global->initial;
    if (global->initial_size == 0 || global->initial_size >= global->size) {
        return false;
    }
    for (uint64_t i = 0; i < global->initial_size; i++) {
        if (bytes[i] != '\n' && bytes[i] != '\t' && (bytes[i] < ' ' || bytes[i] > '~')) {
            return false;
        }
    }
    return true;
}

/* Pieces of a struct: runs of bytes, and addresses. */
static void pieces_print(struct emitter *emitter, const struct global *global) {
    const struct program *program = emitter->program;
    uint64_t end = 0;
    uint64_t offset;
    unsigned number = 0;
    fputs(" {", emitter->out);
    for (size_t n = first_relocation(program, global); relocation_of(program, global, n, &offset); n++) {
        if (offset > end) {
            fprintf(emitter->out, " uint8_t piece_%u[%" PRIu64 "];", number++, offset - end);
        }
        fprintf(emitter->out, " uint64_t piece_%u;", number++);
        end = offset + 8;
    }
    if (end < global->size) {
        fprintf(emitter->out, " uint8_t piece_%u[%" PRIu64 "];", number, global->size - end);
    }
    fputs(" } __attribute__((packed))", emitter->out);
}

static bool is_thread_local(const struct global *global) {
    return global->flags & GLOBAL_THREAD_LOCAL;
}

static void declaration_print(struct emitter *emitter, uint32_t g) {
    const struct global *global = &emitter->program->globals[g];
    const struct shape *shape = &emitter->shapes[g];
    fprintf(emitter->out, "static %s%s", is_thread_local(global) ? "__thread " : "",
            global->flags & GLOBAL_CONSTANT ? "const " : "");
    if (shape->element == 0) {
        fprintf(emitter->out, "struct picket_pieces_%u %s", g, emitter->global_names[g]);
    } else if (is_text(emitter->program, global) && shape->element == 1) {
        fprintf(emitter->out, "char %s[%" PRIu64 "]", emitter->global_names[g], global->size);
    } else {
        fprintf(emitter->out, "%sint%u_t %s", shape->is_signed ? "" : "u", shape->element * 8,
                emitter->global_names[g]);
        if (shape->count != 0 || global->size == 0) {
            fprintf(emitter->out, "[%" PRIu64 "]", shape->count);
        }
    }
    if (global->alignment > shape->element) {
        fprintf(emitter->out, " __attribute__((aligned(%u)))", global->alignment);
    }
    if (global->flags & GLOBAL_PRIVATE) {
        fputs(" PICKET_PRIVATE", emitter->out);
    }
}

static void word_print(struct emitter *emitter, uint64_t word, uint32_t size, bool is_signed) {
    if (is_signed && size < 8 && word >> (8 * size - 1)) {
        fprintf(emitter->out, "(int%u_t)0x%" PRIx64, size * 8, word);
    } else if (word < 1024) {
        fprintf(emitter->out, "%" PRIu64, word);
    } else {
        fprintf(emitter->out, "0x%" PRIx64 "%s", word, size == 8 ? "ul" : "");
    }
}

static void elements_print(struct emitter *emitter, uint32_t g) {
    const struct program *program = emitter->program;
    const struct global *global = &program->globals[g];
    const struct shape *shape = &emitter->shapes[g];
    size_t next = first_relocation(program, global);
    uint64_t place;
    bool last = false;
    fputs(shape->count != 0 ? "{" : "", emitter->out);
    for (uint64_t offset = 0; !last; offset += shape->element) {
        last = offset + shape->element >= global->initial_size;
        uint64_t word = initial_word(program, global, offset, shape->element);
        if (relocation_of(program, global, next, &place) && place == offset) {
            address_print(emitter, word);
            next++;
        } else {
            word_print(emitter, word, shape->element, shape->is_signed);
        }
        if (!last) {
            fputs(offset / shape->element % VALUES_PER_LINE == VALUES_PER_LINE - 1 ? ",\n    " : ", ", emitter->out);
        }
    }
    fputs(shape->count != 0 ? "}" : "", emitter->out);
}

static void run_print(struct emitter *emitter, const struct global *global, uint64_t from, uint64_t to) {
    fputc('{', emitter->out);
    for (uint64_t i = from; i < to; i++) {
        fprintf(emitter->out, "%s%" PRIu64, i > from ? ", " : "", initial_word(emitter->program, global, i, 1));
    }
    fputc('}', emitter->out);
}

static void initial_pieces_print(struct emitter *emitter, const struct global *global) {
    const struct program *program = emitter->program;
    uint64_t end = 0;
    uint64_t offset;
    fputc('{', emitter->out);
    for (size_t n = first_relocation(program, global); relocation_of(program, global, n, &offset); n++) {
        fputs(end > 0 ? ", " : "", emitter->out);
        if (offset > end) {
            run_print(emitter, global, end, offset);
            fputs(", ", emitter->out);
        }
        address_print(emitter, initial_word(program, global, offset, 8));
        end = offset + 8;
    }
    if (end < global->size) {
        fputs(end > 0 ? ", " : "", emitter->out);
        run_print(emitter, global, end, global->size);
    }
    fputc('}', emitter->out);
}

static void global_print(struct emitter *emitter, uint32_t g) {
    const struct program *program = emitter->program;
    const struct global *global = &program->globals[g];
    declaration_print(emitter, g);
    if (emitter->shapes[g].element == 0) {
        fputs(" = ", emitter->out);
        initial_pieces_print(emitter, global);
    } else if (global->initial_size > 0) {
        fputs(" = ", emitter->out);
        if (emitter->shapes[g].element == 1 && is_text(program, global)) {
            text_print((const char *)program->bytes + global->initial, global->initial_size, emitter->out);
        } else {
            elements_print(emitter, g);
        }
    } else if (global->flags & GLOBAL_CONSTANT) {
        fputs(global->size == 0 ? " = {}" : emitter->shapes[g].count != 0 ? " = {0}" : " = 0", emitter->out);
    }
    fputs(";\n", emitter->out);
}

/* Globals whose address is in the initial bytes of one that is defined before them. */
static void mark_early(const struct emitter *emitter, uint8_t *early) {
    const struct program *program = emitter->program;
    for (uint32_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        uint64_t offset;
        for (size_t n = first_relocation(program, global); relocation_of(program, global, n, &offset); n++) {
            uint64_t address = initial_word(program, global, offset, 8);
            uint32_t other = address >= GLOBAL_BASE ? global_near(emitter, address) : NO_REGISTER;
            if (other != NO_REGISTER && other >= g) {
                early[other] = 1;
            }
        }
    }
}

void globals_print(struct emitter *emitter) {
    const struct program *program = emitter->program;
    uint8_t *early = memory_allocate(program->globals_count + 1);
    mark_early(emitter, early);
    for (uint32_t g = 0; g < program->globals_count; g++) {
        if (emitter->shapes[g].element == 0) {
            fprintf(emitter->out, "struct picket_pieces_%u", g);
            pieces_print(emitter, &program->globals[g]);
            fputs(";\n", emitter->out);
        }
    }
    for (uint32_t g = 0; g < program->globals_count; g++) {
        if (early[g]) {
            declaration_print(emitter, g);
            fputs(";\n", emitter->out);
        }
    }
    for (uint32_t g = 0; g < program->globals_count; g++) {
        global_print(emitter, g);
    }
    fputc('\n', emitter->out);
    free(early);
}
