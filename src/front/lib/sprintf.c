/* Formatting into memory: sprintf and its relatives.  The machine formats into a buffer that no other thread can
 * access; the bytes are then copied to the user's memory. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "intrinsics.h"

static void copy_formatted(char *to, size_t size, size_t length, const char *format, void *block) {
    char buffer[length + 1] __attribute__((aligned(8)));
    __picket_format(buffer, length + 1, format, block);
    size_t kept = length < size ? length : size - 1;
    __picket_memcpy(to, buffer, kept);
    to[kept] = 0;
}

static int format_to(char *to, size_t size, const char *format, void *block) {
    int length = __picket_format(NULL, 0, format, block);
    if (size > 0 && length >= 0) {
        copy_formatted(to, size, (size_t)length, format, block);
    }
    return length;
}

static int format_to_new(char **to, const char *format, void *block) {
    int length = __picket_format(NULL, 0, format, block);
    if (length < 0) {
        return -1;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        return -1;
    }
    copy_formatted(text, (size_t)length + 1, (size_t)length, format, block);
    *to = text;
    return length;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
    return format_to(to, size, format, PICKET_BLOCK(list));
}

int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    return format_to(to, SIZE_MAX, format, PICKET_BLOCK(list));
}

int vasprintf(char **restrict to, const char *restrict format, va_list list) {
    return format_to_new(to, format, PICKET_BLOCK(list));
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = format_to(to, size, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = format_to(to, SIZE_MAX, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int asprintf(char **restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = format_to_new(to, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __snprintf_chk(char *restrict to, size_t size, int flag, size_t limit, const char *restrict format, ...) {
    (void)flag;
    (void)limit;
    va_list list;
    va_start(list, format);
    int length = format_to(to, size, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __sprintf_chk(char *restrict to, int flag, size_t limit, const char *restrict format, ...) {
    (void)flag;
    (void)limit;
    va_list list;
    va_start(list, format);
    int length = format_to(to, SIZE_MAX, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t limit, const char *restrict format, va_list list) {
    (void)flag;
    (void)limit;
    return format_to(to, size, format, PICKET_BLOCK(list));
}
