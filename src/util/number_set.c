/* Open addressing with linear probing; at most two thirds of the slots are used. */
#include "util/number_set.h"

#include <stdlib.h>

#include "util/memory.h"

#define FIRST_CAPACITY 64

void number_set_init(struct number_set *set) {
    *set = (struct number_set){0};
}

void number_set_delete(struct number_set *set) {
    free(set->slots);
}

/* Where the number is, or the free slot where it would be. */
static uint64_t *probe(const struct number_set *set, uint64_t number) {
    uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash ^ hash >> 32) & (set->capacity - 1);
    while (set->slots[i] != 0 && set->slots[i] != number) {
        i = (i + 1) & (set->capacity - 1);
    }
    return &set->slots[i];
}

bool number_set_has(const struct number_set *set, uint64_t number) {
    return set->capacity > 0 && *probe(set, number) == number;
}

static void grow(struct number_set *set) {
    struct number_set larger = {.capacity = set->capacity ? 2 * set->capacity : FIRST_CAPACITY, .count = set->count};
    larger.slots = memory_allocate(larger.capacity * sizeof *larger.slots);
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->slots[i] != 0) {
            *probe(&larger, set->slots[i]) = set->slots[i];
        }
    }
    free(set->slots);
    *set = larger;
}

bool number_set_add(struct number_set *set, uint64_t number) {
    if (3 * (set->count + 1) > 2 * set->capacity) {
        grow(set);
    }
    uint64_t *slot = probe(set, number);
    bool added = *slot == 0;
    *slot = number;
    set->count += added;
    return added;
}
