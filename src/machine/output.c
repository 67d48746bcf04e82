/* Library functions that the machine executes itself: formatted output and a few questions about memory.
 *
 * They read memory as the calling thread sees it, with its own buffered stores, and are no steps: it is private, or
 * constant, or has been copied before (front/lib/texts.c). */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/state.h"
#include "util/memory.h"

#define MAX_TEXT (1 << 20)
#define SPECIFICATION_SIZE 32

/* --- Reading what the thread sees --------------------------------------------------------------------------------- */

/* Reads from the newest own entry that holds the byte, else from memory.  False after an error was reported. */
static bool read_byte(struct machine *machine, struct thread *thread, uint64_t address, uint8_t *byte) {
    const struct object *object = memory_check(machine, thread, address, 1, false);
    if (!object) {
        return false;
    }
    *byte = object->bytes[address - object->base];
    const struct buffer_entry *entries;
    size_t count = machine_buffer(machine, thread->slot, &entries);
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = address - entries[i].address;
        if (!entries[i].is_end && address >= entries[i].address && offset < entries[i].size) {
            *byte = (uint8_t)(entries[i].value[offset / 8] >> offset % 8 * 8);
        }
    }
    return true;
}

/* A string of at most `limit` bytes, in malloc'ed memory; NULL after an error. */
static char *read_text(struct machine *machine, struct thread *thread, uint64_t address, uint64_t limit) {
    size_t capacity = 64;
    size_t size = 0;
    char *text = memory_allocate(capacity);
    for (;; size++) {
        if (size + 1 >= capacity) {
            capacity *= 2;
            text = memory_resize(text, capacity);
        }
        uint8_t byte = 0;
        if (size < limit && !read_byte(machine, thread, address + size, &byte)) {
            free(text);
            return NULL;
        }
        text[size] = (char)byte;
        if (byte == 0 || size == limit) {
            text[size] = '\0';
            return text;
        }
    }
}

/* --- Formats ------------------------------------------------------------------------------------------------------ */

struct formatter {
    struct machine *machine;
    struct thread *thread;
    uint64_t block; /* address of the next argument slot */
    char *out;
    size_t size;
    size_t capacity;
    bool failed;
    uint64_t texts; /* address of the next copy of a string that others can change; 0: there are no copies */
    bool searches;  /* for such a string, after this number of others */
    uint64_t before;
    uint64_t found; /* its address, and the most bytes of it that are used */
    uint64_t limit;
};

static void put(struct formatter *formatter, const char *text, size_t size) {
    if (formatter->size + size + 1 > formatter->capacity) {
        formatter->capacity = (formatter->size + size + 1) * 2 + 64;
        formatter->out = memory_resize(formatter->out, formatter->capacity);
    }
    if (size > 0 && formatter->out) {
        memcpy(formatter->out + formatter->size, text, size);
        formatter->size += size;
    }
}

static uint64_t next_slot(struct formatter *formatter) {
    uint64_t slot = 0;
    for (unsigned i = 0; i < 8 && !formatter->failed; i++) {
        uint8_t byte;
        if (!read_byte(formatter->machine, formatter->thread, formatter->block + i, &byte)) {
            formatter->failed = true;
        } else {
            slot |= (uint64_t)byte << 8 * i;
        }
    }
    formatter->block += 8;
    return slot;
}

static long double next_extended(struct formatter *formatter) {
    formatter->block = (formatter->block + 15) & ~UINT64_C(15);
    uint64_t slots[2];
    slots[0] = next_slot(formatter);
    slots[1] = next_slot(formatter);
    long double number = 0;
    memcpy(&number, slots, 10);
    return number;
}

/* Prints one value with the host's printf and a specification that was parsed and built again. */
__attribute__((format(printf, 2, 3))) static void put_value(struct formatter *formatter, const char *specification,
                                                            ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, specification);
    int length = vasprintf(&text, specification, arguments);
    va_end(arguments);
    if (length < 0 && errno == ENOMEM) {
        memory_exhausted();
    }
    if (length >= 0) {
        put(formatter, text, (size_t)length);
        free(text);
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_integer(struct formatter *formatter, const char *flags, const char *length, char conversion) {
    uint64_t value = next_slot(formatter);
    bool is_signed = conversion == 'd' || conversion == 'i';
    if (strcmp(length, "hh") == 0) {
        value = is_signed ? (uint64_t)(int64_t)(int8_t)value : (uint8_t)value;
    } else if (strcmp(length, "h") == 0) {
        value = is_signed ? (uint64_t)(int64_t)(int16_t)value : (uint16_t)value;
    } else if (*length == '\0') {
        value = is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
    }
    char specification[SPECIFICATION_SIZE + 8];
    snprintf(specification, sizeof specification, "%%%s%s%c", flags, "ll", conversion);
    put_value(formatter, specification, (unsigned long long)value);
}

static void put_float(struct formatter *formatter, const char *flags, const char *length, char conversion) {
    char specification[SPECIFICATION_SIZE + 8];
    if (*length == 'L') {
        snprintf(specification, sizeof specification, "%%%sL%c", flags, conversion);
        long double number = next_extended(formatter);
        put_value(formatter, specification, number);
        return;
    }
    uint64_t slot = next_slot(formatter);
    double number;
    memcpy(&number, &slot, sizeof number);
    snprintf(specification, sizeof specification, "%%%s%c", flags, conversion);
    put_value(formatter, specification, number);
}

/* Can other threads change the bytes at this address? */
static bool is_shared(const struct machine *machine, uint64_t address) {
    const struct object *object = object_at(machine, address);
    return object && !object->private && !object->constant;
}

/* Notes the string if it is the one that is searched for. */
static void search_string(struct formatter *formatter, uint64_t address, uint64_t limit) {
    if (!is_shared(formatter->machine, address) || formatter->found) {
        return;
    }
    if (formatter->before-- == 0) {
        formatter->found = address;
        formatter->limit = limit;
    }
}

static void put_string(struct formatter *formatter, const char *flags, int precision) {
    char specification[SPECIFICATION_SIZE + 8];
    uint64_t address = next_slot(formatter);
    uint64_t limit = precision >= 0 ? (uint64_t)precision : MAX_TEXT;
    if (formatter->searches) {
        search_string(formatter, address, limit);
        return;
    }
    bool copied = formatter->texts && is_shared(formatter->machine, address);
    address = copied ? formatter->texts : address;
    snprintf(specification, sizeof specification, "%%%ss", flags);
    if (formatter->failed) {
        return;
    }
    if (address == 0) {
        put_value(formatter, specification, "(null)");
        return;
    }
    char *text = read_text(formatter->machine, formatter->thread, address, limit);
    if (!text) {
        formatter->failed = true;
        return;
    }
    formatter->texts += copied ? strlen(text) + 1 : 0;
    put_value(formatter, specification, text);
    free(text);
}

static void put_conversion(struct formatter *formatter, const char *flags, int precision, const char *length,
                           char conversion) {
    char specification[SPECIFICATION_SIZE + 8];
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        put_integer(formatter, flags, length, conversion);
        break;
    case 'c':
        snprintf(specification, sizeof specification, "%%%sc", flags);
        put_value(formatter, specification, (int)(unsigned char)next_slot(formatter));
        break;
    case 's':
        put_string(formatter, flags, precision);
        break;
    case 'p':
        snprintf(specification, sizeof specification, "%%%sp", flags);
        put_value(formatter, specification, (void *)(uintptr_t)next_slot(formatter));
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        put_float(formatter, flags, length, conversion);
        break;
    case 'n':
        next_slot(formatter);
        break;
    default:
        put(formatter, &conversion, 1);
        break;
    }
}

#pragma GCC diagnostic pop

/* Reads a number or a `*` argument; returns -1 if there is neither. */
static int read_count(struct formatter *formatter, const char **format) {
    if (**format == '*') {
        (*format)++;
        return (int)(uint32_t)next_slot(formatter);
    }
    if (**format < '0' || **format > '9') {
        return -1;
    }
    return (int)strtol(*format, (char **)format, 10);
}

/* `%2$d` selects the second argument, if each takes one slot.  Returns the text that follows. */
static const char *positional(struct formatter *formatter, const char *format, uint64_t first) {
    char *end;
    unsigned long place = *format >= '1' && *format <= '9' ? strtoul(format, &end, 10) : 0;
    if (place == 0 || *end != '$') {
        return format;
    }
    formatter->block = first + 8 * (place - 1);
    return end + 1;
}

static void format_all(struct formatter *formatter, const char *format) {
    uint64_t first = formatter->block;
    while (*format && !formatter->failed) {
        size_t plain = strcspn(format, "%");
        put(formatter, format, plain);
        format += plain;
        if (*format == '\0') {
            break;
        }
        format++;
        format = positional(formatter, format, first);
        char flags[SPECIFICATION_SIZE];
        size_t used = 0;
        while (*format && strchr("-+ #0'", *format) && used < 6) {
            flags[used++] = *format++;
        }
        int width = read_count(formatter, &format);
        if (width < -1) {
            flags[used++] = '-';
            width = -width;
        }
        if (width >= 0) {
            used += (size_t)snprintf(flags + used, sizeof flags - used, "%d", width);
        }
        int precision = -1;
        if (*format == '.') {
            format++;
            precision = read_count(formatter, &format);
            if (precision < -1) {
                precision = -1;
            } else {
                precision = precision < 0 ? 0 : precision;
                used += (size_t)snprintf(flags + used, sizeof flags - used, ".%d", precision);
            }
        }
        flags[used] = '\0';
        char length[3] = "";
        for (unsigned i = 0; i < 2 && *format && strchr("hlLqjzt", *format); i++) {
            length[i] = *format++;
            length[i + 1] = '\0';
        }
        if (*format) {
            put_conversion(formatter, flags, precision, length, *format++);
        }
    }
    put(formatter, "", 1);
    formatter->size--;
}

/* --- The output --------------------------------------------------------------------------------------------------- */

static void output_append(struct machine *machine, struct thread *thread, uint32_t file, const char *text,
                          size_t size) {
    if (size == 0) {
        return;
    }
    save(machine, &machine->now.output_count, 2 * sizeof machine->now.output_count);
    machine->output.count = machine->now.output_count;
    machine->output_text.count = machine->now.output_size;
    memcpy(vector_grow(&machine->output_text, size), text, size);
    vector_push(&machine->output,
                &(struct output_record){
                    .file = file, .thread = thread->slot, .offset = machine->now.output_size, .size = size});
    machine->now.output_count++;
    machine->now.output_size += size;
}

size_t machine_output_count(const struct machine *machine) {
    return machine->now.output_count;
}

struct output_piece machine_output(const struct machine *machine, size_t index) {
    const struct output_record *record = vector_at(&machine->output, index);
    return (struct output_piece){.file = record->file,
                                 .thread = record->thread,
                                 .text = (const char *)machine->output_text.data + record->offset,
                                 .size = record->size};
}

/* --- The functions ------------------------------------------------------------------------------------------------ */

static void run_format(struct machine *machine, struct thread *thread, uint64_t format, struct formatter *formatter) {
    char *text = read_text(machine, thread, format, MAX_TEXT);
    formatter->failed = !text;
    if (text) {
        format_all(formatter, text);
        free(text);
    }
}

static void run_write(struct machine *machine, struct thread *thread, uint32_t file, uint64_t address,
                      uint64_t length) {
    char *text = memory_allocate(length + 1);
    for (uint64_t i = 0; i < length; i++) {
        if (!read_byte(machine, thread, address + i, (uint8_t *)&text[i])) {
            free(text);
            return;
        }
    }
    output_append(machine, thread, file, text, length);
    free(text);
}

void library_run(struct machine *machine, struct thread *thread, struct frame *frame,
                 const struct instruction *instruction) {
    const uint32_t *operands = machine->program->operands + instruction->b;
    uint64_t arguments[5] = {0};
    uint64_t results[2] = {0};
    for (uint32_t i = 0; i < instruction->c && i < 5; i++) {
        arguments[i] = operand_value(machine, frame, operands[i]);
    }
    struct formatter formatter = {.machine = machine, .thread = thread};
    switch (instruction->a) {
    case LIB_PRINT:
        formatter.block = arguments[2];
        formatter.texts = arguments[3];
        run_format(machine, thread, arguments[1], &formatter);
        if (!formatter.failed) {
            output_append(machine, thread, (uint32_t)arguments[0], formatter.out, formatter.size);
        }
        results[0] = (uint32_t)formatter.size;
        break;
    case LIB_FORMAT:
        formatter.block = arguments[3];
        formatter.texts = arguments[4];
        run_format(machine, thread, arguments[2], &formatter);
        if (!formatter.failed && arguments[1] > 0) {
            uint64_t kept = formatter.size < arguments[1] ? formatter.size : arguments[1] - 1;
            struct object *object = memory_check(machine, thread, arguments[0], kept + 1, true);
            /* In a translated program it may count as shared, or be on the heap. */
            assert((!object || object->private || (object->kind != OBJECT_GLOBAL && object->thread == thread->slot)) &&
                   "the C library formats into a buffer of the thread's own");
            for (uint64_t i = 0; object && i <= kept; i++) {
                uint64_t byte = i < kept ? (uint8_t)formatter.out[i] : 0;
                object_write(machine, object, arguments[0] + i, 1, (const uint64_t[2]){byte, 0});
            }
        }
        results[0] = (uint32_t)formatter.size;
        break;
    case LIB_TEXT:
        formatter.block = arguments[1];
        formatter.searches = true;
        formatter.before = arguments[2];
        run_format(machine, thread, arguments[0], &formatter);
        results[0] = formatter.found;
        results[1] = formatter.limit;
        break;
    case LIB_WRITE:
        run_write(machine, thread, (uint32_t)arguments[0], arguments[1], arguments[2]);
        results[0] = arguments[2];
        break;
    case LIB_STRTOD: {
        char *text = read_text(machine, thread, arguments[0], MAX_TEXT);
        if (text) {
            char *end;
            double number = strtod(text, &end);
            memcpy(results, &number, sizeof number);
            results[1] = (uint64_t)(end - text);
            free(text);
        }
        break;
    }
    default: { /* LIB_OBJECT_SIZE */
        const struct object *object = object_at(machine, arguments[0]);
        if (object && arguments[0] - object->base <= object->size && !object_ended_for(machine, thread, object)) {
            results[0] = object->size - (arguments[0] - object->base);
        }
        break;
    }
    }
    free(formatter.out);
    if (instruction->dst != NO_REGISTER) {
        memcpy(frame->registers + instruction->dst, results,
               (instruction->sub < 2 ? instruction->sub : 2) * sizeof *results);
    }
}
