/* Names for addresses: the object, then members and elements as far as its type is known. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/state.h"

#define MAX_NESTING 16

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t used = wrote < 0 ? 0 : (size_t)wrote < text->left ? (size_t)wrote : text->left - 1;
    text->at += used;
    text->left -= used;
}

static void append_path(struct text *text, const struct program *program, uint32_t type, uint64_t offset,
                        unsigned size) {
    for (int nesting = 0; nesting < MAX_NESTING; nesting++) {
        const struct type *at = &program->types[type];
        if (at->kind == TYPE_ARRAY) {
            uint64_t element = program->types[at->first].size;
            if (element == 0) {
                break;
            }
            append(text, "[%" PRIu64 "]", offset / element);
            offset %= element;
            type = at->first;
            continue;
        }
        const struct field *found = NULL;
        for (uint32_t i = 0; at->kind == TYPE_STRUCT && i < at->count; i++) {
            const struct field *field = &program->fields[at->first + i];
            if (offset >= field->offset && offset - field->offset < program->types[field->type].size) {
                found = field;
                break;
            }
        }
        /* An access to the whole of a struct is named by the struct. */
        if (!found || (offset == 0 && size == 0)) {
            break;
        }
        if (*program_string(program, found->name)) {
            append(text, ".%s", program_string(program, found->name));
        }
        offset -= found->offset;
        type = found->type;
    }
    if (offset > 0) {
        append(text, "+%" PRIu64, offset);
    }
}

static void append_position(struct text *text, const struct program *program, uint32_t pos) {
    const struct position *position = &program->positions[pos];
    const char *file = program_string(program, position->file);
    const char *slash = strrchr(file, '/');
    if (pos) {
        append(text, " from %s:%u", slash ? slash + 1 : file, position->line);
    }
}

void machine_describe(const struct machine *machine, uint64_t address, unsigned size, char *out, size_t out_size) {
    const struct program *program = machine->program;
    const struct object *object = object_at(machine, address);
    struct text text = {out, out_size};
    out[0] = '\0';
    if (!object) {
        int64_t function = function_at(program, address);
        if (function >= 0) {
            append(&text, "function %s", function_name(program, (uint32_t)function));
        } else {
            append(&text, "address 0x%" PRIx64, address);
        }
        return;
    }
    if (object->kind == OBJECT_HEAP) {
        append(&text, "heap object of %" PRIu64 " bytes", object->size);
        append_position(&text, program, object->pos);
        if (address != object->base) {
            append(&text, " at offset %" PRIu64, address - object->base);
        }
        return;
    }
    const char *name = program_string(program, object->name);
    append(&text, "%s", *name ? name : "a local");
    if (object->kind == OBJECT_THREAD_LOCAL || object->kind == OBJECT_LOCAL) {
        append(&text, " (of %s%s)", object->thread ? "thread " : "", machine->threads[object->thread]->name);
    }
    append_path(&text, program, object->type, address - object->base, size);
}
