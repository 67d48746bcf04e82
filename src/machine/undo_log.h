/* The undo log: old contents of cells, newest last.
 *
 * A record is the old bytes, padded to 8, then one word: the cell's address in the low 48 bits, its size in the
 * high 16. Undoing walks back from the end; it costs what was saved since the mark. */
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

/* Makes room for so many more words. */
void undo_log_grow(struct undo_log *log, size_t words);

/* Saves a large cell, in pieces. */
void undo_log_save_large(struct undo_log *log, void *cell, size_t size);

/* Saves the bytes of a cell; cells must not move while the log may put them back.  Every step does it: where the size
 * is known the compiler makes a few moves of it. */
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

/* Puts back everything saved since the log had `count` words. */
void undo_log_restore(struct undo_log *log, size_t count);

#endif
