/* Allocation that never fails quietly.  The handler is the one piece of state outside a struct: memory can be full
 * anywhere, and whoever runs must still be able to say what was found. */
#include "util/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/exit_code.h"

static void (*full_handler)(void *data);
static void *full_data;

void memory_on_full(void (*handler)(void *data), void *data) {
    full_handler = handler;
    full_data = data;
}

_Noreturn void memory_exhausted(void) {
    static const char text[] = "picket: memory is full\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    void (*handler)(void *data) = full_handler;
    full_handler = NULL;
    if (handler) {
        handler(full_data);
    }
    _exit(EXIT_UNDECIDED);
}

void *memory_allocate(size_t size) {
    void *block = calloc(1, size ? size : 1);
    if (!block) {
        memory_exhausted();
    }
    return block;
}

void *memory_resize(void *block, size_t size) {
    void *resized = realloc(block, size ? size : 1);
    if (!resized) {
        memory_exhausted();
    }
    return resized;
}

void *memory_allocate_aligned(size_t alignment, size_t size) {
    void *block = aligned_alloc(alignment, size);
    if (!block) {
        memory_exhausted();
    }
    return memset(block, 0, size);
}

char *memory_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(memory_allocate(size), text, size);
}

char *memory_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = memory_allocate((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}
