/* Formatted text, and bytes that are written.  The machine formats and writes without a step, so text that other
 * threads can change is copied before, by loads; like glibc, by a first pass that finds its length and a second one. */
#include <stdint.h>
#include <string.h>

#include "intrinsics.h"

/* To a file, or, if that is 0, to memory. */
struct target {
    int file;
    char *to;
    size_t size;
};

/* Formats into a private buffer; the bytes are then copied to the user's memory. */
static void copy_formatted(const struct target *target, size_t length, const char *format, void *block,
                           const char *texts) {
    char buffer[length + 1] __attribute__((aligned(8)));
    __picket_format(buffer, length + 1, format, block, texts);
    size_t kept = length < target->size ? length : target->size - 1;
    __picket_memcpy(target->to, buffer, kept);
    target->to[kept] = 0;
}

static int format_to(const struct target *target, const char *format, void *block, const char *texts) {
    if (target->file) {
        return __picket_print(target->file, format, block, texts);
    }
    int length = __picket_format(NULL, 0, format, block, texts);
    if (target->size > 0 && length >= 0) {
        copy_formatted(target, (size_t)length, format, block, texts);
    }
    return length;
}

/* Copies at most `length` bytes of a text, and a 0; returns how many. */
static size_t copy_text(char *to, const char *text, size_t length) {
    size_t copied = 0;
    for (char byte; copied < length && (byte = text[copied]); copied++) {
        to[copied] = byte;
    }
    to[copied] = 0;
    return copied + 1;
}

static int format_with_copies(const struct target *target, const char *format, void *block, size_t count) {
    size_t lengths[count];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        struct picket_text text = __picket_text(format, block, i);
        lengths[i] = strnlen(text.address, text.limit);
        size += lengths[i] + 1;
    }
    char texts[size];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        used += copy_text(texts + used, __picket_text(format, block, i).address, lengths[i]);
    }
    return format_to(target, format, block, texts);
}

static int format_arguments(const struct target *target, const char *format, void *block) {
    size_t count = 0;
    while (__picket_text(format, block, count).address) {
        count++;
    }
    return count ? format_with_copies(target, format, block, count) : format_to(target, format, block, NULL);
}

static int format_by_copy(const struct target *target, const char *format, void *block) {
    size_t length = strlen(format);
    char copy[length + 1];
    copy_text(copy, format, length);
    return format_arguments(target, copy, block);
}

static int format_all(const struct target *target, const char *format, void *block) {
    return __picket_is_shared(format) ? format_by_copy(target, format, block) : format_arguments(target, format, block);
}

/* Is it the address of bytes that other threads can change? */
_Bool __picket_is_shared(const void *address) {
    return __picket_text("%s", &address, 0).address;
}

int __picket_print_all(int file, const char *format, void *block) {
    const struct target target = {.file = file};
    return format_all(&target, format, block);
}

int __picket_format_all(char *to, size_t size, const char *format, void *block) {
    const struct target target = {.to = to, .size = size};
    return format_all(&target, format, block);
}

static void write_copy(int file, const void *bytes, size_t length) {
    char copy[length] __attribute__((aligned(8)));
    __picket_memcpy(copy, bytes, length);
    __picket_write(file, copy, length);
}

void __picket_write_all(int file, const void *bytes, size_t length) {
    if (length > 0 && __picket_is_shared(bytes)) {
        write_copy(file, bytes, length);
    } else {
        __picket_write(file, bytes, length);
    }
}
