/* Names for addresses: the object, then members and elements as far as its type is known.  Values of variables: one for
 * each scalar in their types. */
#include "machine/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/state.h"
#include "util/memory.h"

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

/* --- Values ------------------------------------------------------------------------------------------------------- */

/* The scalar type that covers exactly these bytes of the object, or 0. */
static uint32_t leaf_type(const struct program *program, uint32_t type, uint64_t offset, uint64_t size) {
    for (int nesting = 0; nesting < MAX_NESTING; nesting++) {
        const struct type *at = &program->types[type];
        uint32_t inner = 0;
        if (at->kind == TYPE_ARRAY && program->types[at->first].size > 0) {
            offset %= program->types[at->first].size;
            inner = at->first;
        }
        for (uint32_t i = 0; at->kind == TYPE_STRUCT && i < at->count && !inner; i++) {
            const struct field *field = &program->fields[at->first + i];
            if (offset >= field->offset && offset - field->offset < program->types[field->type].size) {
                offset -= field->offset;
                inner = field->type;
            }
        }
        if (!inner) {
            return offset == 0 && at->size == size ? type : 0;
        }
        type = inner;
    }
    return 0;
}

static void append_value(struct text *text, const struct machine *machine, const struct type *type, unsigned size,
                         const uint64_t value[2]) {
    const struct object *target = value[0] >= GLOBAL_BASE ? object_at(machine, value[0]) : NULL;
    if (size == 8 && type->kind != TYPE_INTEGER && type->kind != TYPE_UNSIGNED && type->kind != TYPE_FLOAT &&
        (target || function_at(machine->program, value[0]) >= 0)) {
        char name[128];
        machine_describe(machine, value[0], 0, name, sizeof name);
        append(text, "&%s", name);
    } else if (size > 8) {
        append(text, "0x%" PRIx64 "%016" PRIx64, value[1], value[0]);
    } else if (type->kind == TYPE_FLOAT && (size == 8 || size == 4)) {
        double number = 0;
        float single = 0;
        memcpy(size == 8 ? (void *)&number : (void *)&single, value, size);
        append(text, "%g", size == 8 ? number : (double)single);
    } else if (type->kind == TYPE_POINTER) {
        append(text, value[0] ? "0x%" PRIx64 : "NULL", value[0]);
    } else if (type->kind == TYPE_UNSIGNED) {
        append(text, "%" PRIu64, value[0]);
    } else if (size > 0) {
        unsigned shift = 64 - 8 * size;
        append(text, "%" PRId64, (int64_t)(value[0] << shift) >> shift);
    }
}

void machine_describe_value(const struct machine *machine, uint64_t address, unsigned size, const uint64_t value[2],
                            char *out, size_t out_size) {
    const struct program *program = machine->program;
    const struct object *object = object_at(machine, address);
    struct text text = {out, out_size};
    uint32_t type = object ? leaf_type(program, object->type, address - object->base, size) : 0;
    out[0] = '\0';
    append_value(&text, machine, &program->types[type], size, value);
}

static void append_leaves(struct text *text, const struct machine *machine, const struct object *object, uint32_t type,
                          uint64_t offset, int nesting) {
    const struct program *program = machine->program;
    const struct type *at = &program->types[type];
    uint64_t value[2];
    if (nesting < MAX_NESTING && at->kind == TYPE_ARRAY && at->first && program->types[at->first].size > 0) {
        uint64_t element = program->types[at->first].size;
        append(text, "{");
        for (uint64_t i = 0; i < at->size / element && text->left > 1; i++) {
            append(text, "%s", i ? ", " : "");
            append_leaves(text, machine, object, at->first, offset + i * element, nesting + 1);
        }
        append(text, "}");
    } else if (nesting < MAX_NESTING && at->kind == TYPE_STRUCT) {
        append(text, "{");
        for (uint32_t i = 0; i < at->count && text->left > 1; i++) {
            const struct field *field = &program->fields[at->first + i];
            append(text, "%s%s=", i ? ", " : "", program_string(program, field->name));
            append_leaves(text, machine, object, field->type, offset + field->offset, nesting + 1);
        }
        append(text, "}");
    } else if (at->size >= 1 && at->size <= 16 && offset + at->size <= object->size) {
        object_read(object, object->base + offset, (unsigned)at->size, value);
        append_value(text, machine, at, (unsigned)at->size, value);
    } else {
        for (uint64_t i = offset; i < object->size && text->left > 1; i++) {
            append(text, "%02x", object->bytes[i]);
        }
    }
}

#define SHARED_TEXT_SIZE 8192

char *machine_shared_text(const struct machine *machine) {
    const struct region *region = machine->regions[GLOBAL_BASE >> 32];
    char *out = memory_allocate(SHARED_TEXT_SIZE);
    struct text text = {out, SHARED_TEXT_SIZE};
    for (uint64_t i = 0; i < region->extent.count; i++) {
        const struct object *object = region->objects[i];
        /* Only the user's own variables have a position. */
        if (!object->constant && object->pos != 0) {
            append(&text, "%s%s=", i ? " " : "", program_string(machine->program, object->name));
            append_leaves(&text, machine, object, object->type, 0, 0);
            append(&text, ";");
        }
    }
    return out;
}
