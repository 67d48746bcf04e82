/* Allocation that never fails silently.  The handler is the only state outside a struct: memory can be full anywhere,
 * and the present command must still be able to report its results. */
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

/* --- Streams ------------------------------------------------------------------------------------------------------ */

struct stream {
    char **text;
    size_t *size;
    size_t capacity;
};

static ssize_t stream_write(void *cookie, const char *bytes, size_t count) {
    struct stream *stream = cookie;
    if (count >= stream->capacity - *stream->size) {
        stream->capacity = 2 * (stream->capacity + count);
        *stream->text = memory_resize(*stream->text, stream->capacity);
    }
    memcpy(*stream->text + *stream->size, bytes, count);
    *stream->size += count;
    (*stream->text)[*stream->size] = '\0';
    return (ssize_t)count;
}

static int stream_close(void *cookie) {
    free(cookie);
    return 0;
}

FILE *memory_stream(char **text, size_t *size) {
    struct stream *stream = memory_allocate(sizeof *stream);
    *stream = (struct stream){.text = text, .size = size, .capacity = 1};
    *size = 0;
    *text = memory_allocate(1);
    FILE *file = fopencookie(stream, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (!file) {
        memory_exhausted();
    }
    return file;
}
