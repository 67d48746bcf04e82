/* Maps from LLVM's handles (values, types, blocks, metadata) to numbers, on top of the hash table of byte strings. */
#ifndef PICKET_FRONT_C_MAP_H
#define PICKET_FRONT_C_MAP_H

#include "util/hash_table.h"

/* The number of a handle, or NULL if it has none. */
static inline uint64_t *handle_find(const struct hash_table *map, const void *handle) {
    return hash_table_find(map, &handle, sizeof handle);
}

static inline bool handle_known(const struct hash_table *map, const void *handle) {
    return handle_find(map, handle) != NULL;
}

static inline void handle_set(struct hash_table *map, const void *handle, uint64_t number) {
    *hash_table_slot(map, &handle, sizeof handle, NULL) = number;
}

/* Adds a handle to a map used as a set; returns whether it is new. */
static inline bool handle_add(struct hash_table *map, const void *handle) {
    bool found = false;
    *hash_table_slot(map, &handle, sizeof handle, &found) = 1;
    return !found;
}

#endif
