/* The undo log: old contents of cells, newest last.
 *
 * A record is the old bytes, padded to 8, then one word: the cell's address in the low 48 bits, its size in the
 * high 16. Undoing walks back from the end; it costs what was saved since the mark. */
#ifndef PICKET_MACHINE_UNDO_LOG_H
#define PICKET_MACHINE_UNDO_LOG_H

#include <stddef.h>
#include <stdint.h>

struct undo_log {
    uint64_t *words;
    size_t count;
    size_t capacity;
};

void undo_log_init(struct undo_log *log);
void undo_log_delete(struct undo_log *log);

/* Saves the bytes of a cell; cells must not move while the log may put them back. */
void undo_log_save(struct undo_log *log, void *cell, size_t size);

/* Puts back everything saved since the log had `count` words. */
void undo_log_restore(struct undo_log *log, size_t count);

#endif
