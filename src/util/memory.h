/* Allocation that does not return on failure: it reports that memory is full and exits with EXIT_UNDECIDED, after
 * calling the function that the program has registered to print its results so far. */
#ifndef PICKET_UTIL_MEMORY_H
#define PICKET_UTIL_MEMORY_H

#include <stddef.h>
#include <stdio.h>

#define CACHE_LINE 64 /* bytes that cores hand to each other together */

__attribute__((returns_nonnull)) void *memory_allocate(size_t size);            /* zeroed */
__attribute__((returns_nonnull)) void *memory_resize(void *block, size_t size); /* the new part is not zeroed */
/* Zeroed; `size` is a multiple of the alignment. */
__attribute__((returns_nonnull)) void *memory_allocate_aligned(size_t alignment, size_t size);
char *memory_copy_text(const char *text);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A stream whose bytes become *text, of *size bytes and a zero, when it is flushed or closed; the caller frees the
 * text. Unlike that of open_memstream, it does not lose bytes quietly when memory is full. */
__attribute__((returns_nonnull)) FILE *memory_stream(char **text, size_t *size);

/* What a failed allocation does. */
_Noreturn void memory_exhausted(void);

/* `handler` runs once when memory is full, before the process exits. */
void memory_on_full(void (*handler)(void *data), void *data);

#endif
