/* The undo log: old contents of cells, newest last.
 *
 * A record is the old bytes, padded to 8, then one word: the cell's address in the low 48 bits, its size in the
 * high 16. Undoing restores records from the end; it takes time in proportion to the records since the mark.
 *
 *   U1. Records are adjacent: stepping back from the end by their sizes reaches every count at which a cell was saved,
 *       down to 0.
 *
 *   U2. Every record has an address and at most UNDO_MAX_PIECE bytes. */
#ifndef PICKET_MACHINE_UNDO_LOG_H
#define PICKET_MACHINE_UNDO_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UNDO_ADDRESS_BITS 48
#define UNDO_MAX_PIECE 0xfff8u

struct undo_log {
    uint64_t *words;
    size_t count;
    size_t capacity;
};

void undo_log_init(struct undo_log *log);
void undo_log_delete(struct undo_log *log);

/* Makes room for `words` more words. */
void undo_log_grow(struct undo_log *log, size_t words);

/* Saves a large cell, in pieces. */
void undo_log_save_large(struct undo_log *log, void *cell, size_t size);

/* Saves the bytes of a cell, which must not move as long as the log may restore it.  Every step calls this function:
 * where the size is known the compiler reduces it to a few moves. */
static inline void undo_log_save(struct undo_log *log, void *cell, size_t size) {
    size_t words = (size + 7) / 8;
    if (size > UNDO_MAX_PIECE) {
        undo_log_save_large(log, cell, size);
        return;
    }
    if (log->count + words + 1 > log->capacity) {
        undo_log_grow(log, words + 1);
    }
    memcpy(log->words + log->count, cell, size);
    log->words[log->count + words] = (uint64_t)(uintptr_t)cell | (uint64_t)size << UNDO_ADDRESS_BITS;
    log->count += words + 1;
}

/* Restores everything saved since the log had `count` words. */
void undo_log_restore(struct undo_log *log, size_t count);

#endif
