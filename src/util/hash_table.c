/* Open addressing with linear probing over the keys' XXH3 hashes; keys are stored one after the other in one buffer. */
#include "util/hash_table.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "util/memory.h"

struct slot {
    uint64_t hash;
    uint64_t value;
    size_t key;
    size_t size;
    bool used;
};

struct hash_table {
    struct slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
    char *keys;
    size_t keys_size;
    size_t keys_capacity;
};

struct hash_table *hash_table_new(void) {
    struct hash_table *table = memory_allocate(sizeof *table);
    table->capacity = 64;
    table->slots = memory_allocate(table->capacity * sizeof *table->slots);
    return table;
}

void hash_table_free(struct hash_table *table) {
    if (table) {
        free(table->slots);
        free(table->keys);
        free(table);
    }
}

static struct slot *probe(const struct hash_table *table, const void *key, size_t size, uint64_t hash) {
    for (size_t i = hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
        struct slot *slot = &table->slots[i];
        if (!slot->used || (slot->hash == hash && slot->size == size &&
                            (size == 0 || memcmp(table->keys + slot->key, key, size) == 0))) {
            return slot;
        }
    }
}

static void grow(struct hash_table *table) {
    struct slot *old = table->slots;
    size_t old_capacity = table->capacity;
    table->capacity *= 2;
    table->slots = memory_allocate(table->capacity * sizeof *table->slots);
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].used) {
            *probe(table, table->keys + old[i].key, old[i].size, old[i].hash) = old[i];
        }
    }
    free(old);
}

uint64_t *hash_table_find(const struct hash_table *table, const void *key, size_t size) {
    struct slot *slot = probe(table, key, size, XXH3_64bits(key, size));
    return slot->used ? &slot->value : NULL;
}

uint64_t *hash_table_slot(struct hash_table *table, const void *key, size_t size, bool *found) {
    uint64_t hash = XXH3_64bits(key, size);
    struct slot *slot = probe(table, key, size, hash);
    if (found) {
        *found = slot->used;
    }
    if (slot->used) {
        return &slot->value;
    }
    if (table->count * 2 >= table->capacity) {
        grow(table);
        slot = probe(table, key, size, hash);
    }
    if (table->keys_size + size > table->keys_capacity) {
        table->keys_capacity = (table->keys_size + size) * 2 + 64;
        table->keys = memory_resize(table->keys, table->keys_capacity);
    }
    if (size > 0) {
        memcpy(table->keys + table->keys_size, key, size);
    }
    *slot = (struct slot){.hash = hash, .key = table->keys_size, .size = size, .used = true};
    table->keys_size += size;
    table->count++;
    return &slot->value;
}

bool hash_table_each(const struct hash_table *table, size_t *cursor, const void **key, uint64_t *value) {
    while (*cursor < table->capacity) {
        const struct slot *slot = &table->slots[(*cursor)++];
        if (slot->used) {
            *key = table->keys + slot->key;
            *value = slot->value;
            return true;
        }
    }
    return false;
}
