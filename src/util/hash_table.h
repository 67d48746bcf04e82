/* A hash table from byte strings to 64-bit numbers; keys are copied.  For building, not for hot loops. */
#ifndef PICKET_UTIL_HASH_TABLE_H
#define PICKET_UTIL_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_table;

struct hash_table *hash_table_new(void);
void hash_table_free(struct hash_table *table);

/* The value slot of `key`, made with value 0 if it is not there; `found` may be NULL.  Valid until the next call. */
uint64_t *hash_table_slot(struct hash_table *table, const void *key, size_t size, bool *found);
/* The value slot of `key`, or NULL. */
uint64_t *hash_table_find(const struct hash_table *table, const void *key, size_t size);

/* Visits all entries: start with *cursor 0; false at the end. */
bool hash_table_each(const struct hash_table *table, size_t *cursor, const void **key, uint64_t *value);

#endif
