/* See undo_log.h for the form of a record. */
#include "machine/undo_log.h"

#include <assert.h>
#include <stdlib.h>

#include "util/memory.h"

void undo_log_init(struct undo_log *log) {
    *log = (struct undo_log){0};
}

void undo_log_delete(struct undo_log *log) {
    free(log->words);
    *log = (struct undo_log){0};
}

void undo_log_grow(struct undo_log *log, size_t words) {
    log->capacity = (log->capacity + words) * 2 + 512;
    log->words = memory_resize(log->words, log->capacity * sizeof *log->words);
}

void undo_log_save_large(struct undo_log *log, void *cell, size_t size) {
    char *bytes = cell;
    for (; size > UNDO_MAX_PIECE; size -= UNDO_MAX_PIECE) {
        undo_log_save(log, bytes, UNDO_MAX_PIECE);
        bytes += UNDO_MAX_PIECE;
    }
    undo_log_save(log, bytes, size);
}

void undo_log_check(const struct undo_log *log, size_t count) {
#ifndef NDEBUG
    assert(count <= log->count && log->count <= log->capacity && "a mark is of the log as it is");
    size_t at = log->count;
    while (at > count) {
        uint64_t word = log->words[--at];
        size_t size = (size_t)(word >> UNDO_ADDRESS_BITS);
        assert(size <= UNDO_MAX_PIECE && word << (64 - UNDO_ADDRESS_BITS) != 0 && "a record is of a cell (U2)");
        assert((size + 7) / 8 <= at - count && "records lie end to end (U1)");
        at -= (size + 7) / 8;
    }
#else
    (void)log;
    (void)count;
#endif
}

void undo_log_restore(struct undo_log *log, size_t count) {
    undo_log_check(log, count);
    while (log->count > count) {
        uint64_t word = log->words[--log->count];
        size_t size = (size_t)(word >> UNDO_ADDRESS_BITS);
        log->count -= (size + 7) / 8;
        void *cell = (void *)(uintptr_t)(word & ((UINT64_C(1) << UNDO_ADDRESS_BITS) - 1));
        if (size == sizeof(uint64_t)) {
            memcpy(cell, log->words + log->count, sizeof(uint64_t));
        } else {
            memcpy(cell, log->words + log->count, size);
        }
    }
}
