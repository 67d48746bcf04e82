/* Interning: each different item gets a number, from 1 on, and a number gives the item back.
 *
 * Items are byte strings of one length.  Many threads may look up items while one adds some, without a lock: a slot is
 * filled once (its key last), arrays of slots that have become too small are kept until the end, and a thread that does
 * not find an item searches again under the lock.
 *
 *   I1. Each number from 1 to `count` stands in one slot of the current array, and no other number in any.
 *
 *   I2. From the slot where the hash of an item leads to that of its number no slot is empty.
 *
 *   I3. At least half of the slots are empty. */
#ifndef PICKET_REACH_INTERN_H
#define PICKET_REACH_INTERN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/memory.h"
#include "util/vector.h"

struct intern_slot {
    _Atomic uint64_t hash; /* 0: empty */
    uint32_t number;
};

struct intern_slots {
    size_t mask;
    struct intern_slot slots[];
};

struct intern {
    struct intern_slots *_Atomic slots;
    uint8_t *items;  /* number -> bytes; does not move */
    size_t size;     /* of an item */
    size_t reserved; /* bytes of address space for items */
    /* Changes with every new item, so it is in a cache line of its own. */
    char apart[CACHE_LINE];
    pthread_mutex_t lock;
    struct vector old; /* of struct intern_slots *, too small */
    _Atomic uint32_t count;
    char end[CACHE_LINE];
};

void intern_init(struct intern *intern, size_t size);
void intern_delete(struct intern *intern);

/* Asserts I1 to I3, while nobody adds.  Debug builds do so when the slots have become too few. */
void intern_check(const struct intern *intern);

/* Bytes in use. */
size_t intern_bytes(const struct intern *intern);

static inline const uint8_t *intern_item(const struct intern *intern, uint32_t number) {
    return intern->items + (size_t)number * intern->size;
}

/* Spreads the bits of a number. */
static inline uint64_t intern_mix(uint64_t number) {
    number ^= number >> 32;
    number *= UINT64_C(0xd6e8feb86659fd93);
    number ^= number >> 32;
    number *= UINT64_C(0xd6e8feb86659fd93);
    return number ^ number >> 32;
}

/* Finds an item, or adds it if it is new, under the lock. */
uint32_t intern_add(struct intern *intern, const void *item, uint64_t hash);

/* The number of an item with this hash, which is not 0. */
static inline uint32_t intern_number(struct intern *intern, const void *item, uint64_t hash) {
    struct intern_slots *slots = atomic_load_explicit(&intern->slots, memory_order_acquire);
    for (size_t i = hash & slots->mask;; i = (i + 1) & slots->mask) {
        struct intern_slot *slot = &slots->slots[i];
        uint64_t found = atomic_load_explicit(&slot->hash, memory_order_acquire);
        if (found == 0) {
            return intern_add(intern, item, hash);
        }
        if (found == hash && memcmp(intern_item(intern, slot->number), item, intern->size) == 0) {
            return slot->number;
        }
    }
}

/* The number of a pair of numbers, in a table of items of 8 bytes: the pair and its hash determine each other. */
static inline uint64_t pair_of(uint32_t left, uint32_t right) {
    return (uint64_t)left << 32 | right;
}

/* Prefetches the memory in which a pair with this hash may be. */
static inline void intern_prefetch(const struct intern *intern, uint64_t hash) {
    const struct intern_slots *slots = atomic_load_explicit(&intern->slots, memory_order_acquire);
    __builtin_prefetch(&slots->slots[hash & slots->mask], 0, 3);
}

static inline uint32_t intern_pair(struct intern *intern, uint64_t pair, uint64_t hash) {
    struct intern_slots *slots = atomic_load_explicit(&intern->slots, memory_order_acquire);
    for (size_t i = hash & slots->mask;; i = (i + 1) & slots->mask) {
        struct intern_slot *slot = &slots->slots[i];
        uint64_t found = atomic_load_explicit(&slot->hash, memory_order_acquire);
        if (found == hash) {
            return slot->number;
        }
        if (found == 0) {
            return intern_add(intern, &pair, hash);
        }
    }
}

static inline uint64_t pair_at(const struct intern *intern, uint32_t number) {
    uint64_t pair;
    memcpy(&pair, intern_item(intern, number), sizeof pair);
    return pair;
}

#endif
