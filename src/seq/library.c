/* What the machine does itself for the C library: printing, and the sizes of objects.
 *
 * What is printed is part of no state, so printing does nothing here.  But it reads memory, and may read where it must
 * not.  So the text must be known to be readable: a format and strings that are constants of the program, bytes of a
 * global or a local.  Texts that the program makes of values, or their lengths, are refused. */
#include <stdlib.h>
#include <string.h>

#include "seq/run.h"
#include "util/memory.h"

static struct content nothing(void *data, uint64_t address, unsigned size) {
    (void)address;
    (void)size;
    return content_written(value_constant(data, 0));
}

static const struct local *private_at(const struct state *state, uint64_t address) {
    for (size_t i = 0; i < state->locals.count; i++) {
        const struct local *local = vector_at(&state->locals, i);
        if (address - local->base < local->size) {
            return local;
        }
    }
    return NULL;
}

/* A copy of the text at the address, if it is a constant of the program; otherwise NULL. */
static char *constant_text(const struct symbolic *execution, struct value at) {
    uint64_t address;
    if (!value_is_constant(&execution->terms, at, &address)) {
        return NULL;
    }
    const struct shared_object *object = object_near(&execution->objects, address);
    if (!object || !object->constant || address - object->base >= object->size) {
        return NULL;
    }
    uint64_t offset = address - object->base;
    uint64_t given = offset < object->initial_size ? object->initial_size - offset : 0; /* the rest is 0 */
    const char *text = (const char *)object->initial + offset;
    uint64_t length = strnlen(text, given);
    if (length == object->size - offset) {
        return NULL;
    }
    char *copy = memory_allocate(length + 1);
    memcpy(copy, text, length);
    return copy;
}

static bool is_constant_text(const struct symbolic *execution, struct value at) {
    char *text = constant_text(execution, at);
    bool known = text;
    free(text);
    return known;
}

/* Is a block of arguments without strings, or are the strings constants? */
static bool strings_are_constants(struct run *run, struct state *state, const char *format, struct value arguments) {
    struct symbolic *execution = run->execution;
    struct words_default missing = {nothing, &execution->terms};
    uint64_t slot = 0;
    uint64_t block;
    bool known = value_is_constant(&execution->terms, arguments, &block);
    bool simple = !strchr(format, '$') && !strstr(format, "L"); /* each argument is one slot */
    while ((format = strchr(format, '%'))) {
        for (format++; *format && strchr("-+ #0'123456789.*$hlLqjzt", *format); format++) {
            slot += *format == '*';
        }
        if (*format == 's') {
            const struct local *local = known ? private_at(state, block + 8 * slot) : NULL;
            if (!simple || !local || block + 8 * slot + 8 > local->base + local->size) {
                return false;
            }
            struct value text = words_read(&state->private, &execution->terms, block + 8 * slot, 8, &missing).value;
            uint64_t address;
            bool null = value_is_constant(&execution->terms, text, &address) && address == 0;
            if (!null && !is_constant_text(execution, text)) {
                return false;
            }
        }
        slot += *format != '%';
        format += *format != '\0';
    }
    return true;
}

/* Are the bytes those of a private local, or of a global, which never ends? */
static bool is_readable(const struct run *run, const struct state *state, struct value at, struct value length) {
    const struct symbolic *execution = run->execution;
    uint64_t address;
    uint64_t bytes;
    if (!value_is_constant(&execution->terms, at, &address) || !value_is_constant(&execution->terms, length, &bytes)) {
        return false;
    }
    const struct local *local = private_at(state, address);
    if (local) {
        return bytes <= local->base + local->size - address;
    }
    const struct shared_object *object = object_near(&execution->objects, address);
    return bytes == 0 || (object && object->kind == OBJECT_IS_GLOBAL && address - object->base <= object->size &&
                          bytes <= object->base + object->size - address);
}

/* The address in the first slot of a block, if it is known and one of bytes that other threads can change; or 0. */
static bool shared_address(struct run *run, struct state *state, struct value block, uint64_t *address) {
    struct symbolic *execution = run->execution;
    struct words_default missing = {nothing, &execution->terms};
    uint64_t at;
    if (!value_is_constant(&execution->terms, block, &at) || !private_at(state, at)) {
        return false;
    }
    struct value text = words_read(&state->private, &execution->terms, at, 8, &missing).value;
    if (!value_is_constant(&execution->terms, text, address)) {
        return false;
    }
    const struct shared_object *object = object_near(&execution->objects, *address);
    bool shared = !private_at(state, *address) && object && !object->constant;
    *address = shared && *address - object->base < object->size ? *address : 0;
    return true;
}

static bool result_is_read(const struct run *run, const struct instruction *instruction) {
    uint32_t function = (uint32_t)(run->function - run->execution->program->functions);
    uint32_t index = (uint32_t)(instruction - run->code);
    const uint64_t *live = liveness_before(run->liveness, function, index + 1);
    unsigned writes = instruction->dst == NO_REGISTER ? 0 : instruction->sub;
    for (unsigned i = 0; i < writes; i++) {
        uint32_t reg = instruction->dst + i;
        if (live[reg / 64] >> reg % 64 & 1) {
            return true;
        }
    }
    return false;
}

/* Bytes from the address to the end of its object. */
static uint64_t bytes_left(const struct symbolic *execution, const struct state *state, uint64_t address) {
    const struct local *local = private_at(state, address);
    if (local) {
        return local->base + local->size - address;
    }
    const struct shared_object *object = object_near(&execution->objects, address);
    return object && address - object->base < object->size ? object->base + object->size - address : 0;
}

void library_execute(struct run *run, struct state *state, const struct instruction *instruction) {
    struct symbolic *execution = run->execution;
    struct value arguments[4] = {{0}};
    for (uint32_t i = 0; i < instruction->c && i < 4; i++) {
        arguments[i] = run_operand(run, state, execution->program->operands[instruction->b + i]);
    }
    struct value result = value_constant(&execution->terms, 0);
    bool result_known = !result_is_read(run, instruction);
    uint64_t address;
    switch (instruction->a) {
    case LIB_OBJECT_SIZE:
        if (value_is_constant(&execution->terms, arguments[0], &address)) {
            result = value_constant(&execution->terms, bytes_left(execution, state, address));
            result_known = true;
        }
        break;
    case LIB_PRINT: {
        char *format = constant_text(execution, arguments[1]);
        bool readable = format && strings_are_constants(run, state, format, arguments[2]);
        free(format);
        if (!readable) {
            run_refuse(run, instruction, "printed text that is not a constant");
            return;
        }
        break;
    }
    case LIB_TEXT: { /* "%s": is the one argument shared?  Strings in other formats have to be constants. */
        char *format = constant_text(execution, arguments[0]);
        bool first = value_is_constant(&execution->terms, arguments[2], &address) && address == 0;
        bool one = format && first && strcmp(format, "%s") == 0 && shared_address(run, state, arguments[1], &address);
        bool readable = one || (format && strings_are_constants(run, state, format, arguments[1]));
        free(format);
        if (!readable) {
            run_refuse(run, instruction, "printed text that is not a constant");
            return;
        }
        result = value_constant(&execution->terms, one ? address : 0);
        result_known = true;
        break;
    }
    case LIB_WRITE:
        if (!is_readable(run, state, arguments[1], arguments[2])) {
            run_refuse(run, instruction, "output of bytes that are not known to be a variable's");
            return;
        }
        result = arguments[2];
        result_known = true;
        break;
    case LIB_FORMAT:
        result_known = false;
        break;
    default:
        break;
    }
    if (!result_known) {
        run_refuse(run, instruction, "text or numbers that a library function makes of values");
        return;
    }
    if (instruction->a != LIB_OBJECT_SIZE && instruction->a != LIB_TEXT) {
        state->dirty = LITERAL_TRUE;
    }
    for (unsigned i = 0; instruction->dst != NO_REGISTER && i < instruction->sub; i++) {
        state->registers[instruction->dst + i] = i == 0 ? result : value_constant(&execution->terms, 0);
    }
}
