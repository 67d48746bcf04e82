/* See undo_log.h for the form of a record. */
#include "machine/undo_log.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define ADDRESS_BITS 48
#define MAX_PIECE 0xfff8u

void undo_log_init(struct undo_log *log) {
    *log = (struct undo_log){0};
}

void undo_log_delete(struct undo_log *log) {
    free(log->words);
    *log = (struct undo_log){0};
}

static void save_piece(struct undo_log *log, void *cell, size_t size) {
    size_t words = (size + 7) / 8;
    if (log->count + words + 1 > log->capacity) {
        log->capacity = (log->capacity + words + 1) * 2 + 512;
        log->words = memory_resize(log->words, log->capacity * sizeof *log->words);
    }
    memcpy(log->words + log->count, cell, size);
    log->words[log->count + words] = (uint64_t)(uintptr_t)cell | (uint64_t)size << ADDRESS_BITS;
    log->count += words + 1;
}

void undo_log_save(struct undo_log *log, void *cell, size_t size) {
    char *bytes = cell;
    while (size > MAX_PIECE) {
        save_piece(log, bytes, MAX_PIECE);
        bytes += MAX_PIECE;
        size -= MAX_PIECE;
    }
    save_piece(log, bytes, size);
}

void undo_log_restore(struct undo_log *log, size_t count) {
    while (log->count > count) {
        uint64_t word = log->words[--log->count];
        size_t size = (size_t)(word >> ADDRESS_BITS);
        log->count -= (size + 7) / 8;
        void *cell = (void *)(uintptr_t)(word & ((UINT64_C(1) << ADDRESS_BITS) - 1));
        memcpy(cell, log->words + log->count, size);
    }
}
