/* A set of 128-bit names of visited states or traces. */
#ifndef PICKET_ENGINE_VISITED_H
#define PICKET_ENGINE_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <xxhash.h>

struct visited {
    XXH128_hash_t *slots; /* {0, 0} is empty */
    size_t capacity;
    size_t count;
};

void visited_init(struct visited *visited);
void visited_delete(struct visited *visited);

/* Adds a name; true if it is new. */
bool visited_add(struct visited *visited, XXH128_hash_t name);

/* Adds all names of another set. */
void visited_join(struct visited *visited, const struct visited *other);

bool visited_has(const struct visited *visited, XXH128_hash_t name);

/* Equal for equal sets. */
uint64_t visited_digest(const struct visited *visited);

#endif
