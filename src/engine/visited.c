/* Open addressing; names are hashes already, so their low half is the index. */
#include "engine/visited.h"

#include <stdlib.h>

#include "util/memory.h"

void visited_init(struct visited *visited) {
    *visited = (struct visited){.capacity = 1024};
    visited->slots = memory_allocate(visited->capacity * sizeof *visited->slots);
}

void visited_delete(struct visited *visited) {
    free(visited->slots);
    *visited = (struct visited){0};
}

static XXH128_hash_t *probe(const struct visited *visited, XXH128_hash_t name) {
    for (size_t i = name.low64 & (visited->capacity - 1);; i = (i + 1) & (visited->capacity - 1)) {
        XXH128_hash_t *slot = &visited->slots[i];
        if ((slot->low64 == 0 && slot->high64 == 0) || (slot->low64 == name.low64 && slot->high64 == name.high64)) {
            return slot;
        }
    }
}

bool visited_add(struct visited *visited, XXH128_hash_t name) {
    if (name.low64 == 0 && name.high64 == 0) {
        name.low64 = 1;
    }
    if (visited->count * 4 >= visited->capacity * 3) {
        XXH128_hash_t *old = visited->slots;
        size_t old_capacity = visited->capacity;
        visited->capacity *= 2;
        visited->slots = memory_allocate(visited->capacity * sizeof *visited->slots);
        for (size_t i = 0; i < old_capacity; i++) {
            if (old[i].low64 || old[i].high64) {
                *probe(visited, old[i]) = old[i];
            }
        }
        free(old);
    }
    XXH128_hash_t *slot = probe(visited, name);
    if (slot->low64 || slot->high64) {
        return false;
    }
    *slot = name;
    visited->count++;
    return true;
}

void visited_join(struct visited *visited, const struct visited *other) {
    for (size_t i = 0; i < other->capacity; i++) {
        if (other->slots[i].low64 || other->slots[i].high64) {
            visited_add(visited, other->slots[i]);
        }
    }
}

bool visited_has(const struct visited *visited, XXH128_hash_t name) {
    const XXH128_hash_t *slot = probe(visited, name);
    return slot->low64 || slot->high64;
}

uint64_t visited_digest(const struct visited *visited) {
    uint64_t digest = visited->count;
    for (size_t i = 0; i < visited->capacity; i++) {
        digest += visited->slots[i].low64 ^ visited->slots[i].high64 * UINT64_C(0x9e3779b97f4a7c15);
    }
    return digest;
}
