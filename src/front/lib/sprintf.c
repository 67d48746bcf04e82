/* Formatting into memory: sprintf and its relatives. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "intrinsics.h"

static int format_to_new(char **to, const char *format, void *block) {
    int length = __picket_format_all(NULL, 0, format, block);
    if (length < 0) {
        return -1;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        return -1;
    }
    length = __picket_format_all(text, (size_t)length + 1, format, block);
    *to = text;
    return length;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
    return __picket_format_all(to, size, format, PICKET_BLOCK(list));
}

int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    return __picket_format_all(to, SIZE_MAX, format, PICKET_BLOCK(list));
}

int vasprintf(char **restrict to, const char *restrict format, va_list list) {
    return format_to_new(to, format, PICKET_BLOCK(list));
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = __picket_format_all(to, size, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = __picket_format_all(to, SIZE_MAX, format, PICKET_BLOCK(list));
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
    int length = __picket_format_all(to, size, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __sprintf_chk(char *restrict to, int flag, size_t limit, const char *restrict format, ...) {
    (void)flag;
    (void)limit;
    va_list list;
    va_start(list, format);
    int length = __picket_format_all(to, SIZE_MAX, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t limit, const char *restrict format, va_list list) {
    (void)flag;
    (void)limit;
    return __picket_format_all(to, size, format, PICKET_BLOCK(list));
}
