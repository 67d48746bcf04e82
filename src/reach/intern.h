/* Numbers for things: the same thing always gets the same number, from 1 on, and a number gives the thing back.
 *
 * Things are rows of bytes of one length.  Looking up what is there takes no lock, so many threads may do it while one
 * adds: slots are filled once (the key last), an array of slots that has become too small is kept until the end, and
 * who does not find a thing in it looks again under the lock. */
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
    uint8_t *things; /* number -> bytes; does not move */
    size_t size;     /* of a thing */
    size_t reserved; /* bytes of address space for things */
    /* What changes with every new thing: not where others look. */
    char apart[CACHE_LINE];
    pthread_mutex_t lock;
    struct vector old; /* of struct intern_slots *, too small */
    _Atomic uint32_t count;
    char end[CACHE_LINE];
};

void intern_init(struct intern *intern, size_t size);
void intern_delete(struct intern *intern);

/* Bytes in use. */
size_t intern_bytes(const struct intern *intern);

static inline const uint8_t *intern_thing(const struct intern *intern, uint32_t number) {
    return intern->things + (size_t)number * intern->size;
}

/* The bits of a number, spread. */
static inline uint64_t intern_mix(uint64_t number) {
    number ^= number >> 32;
    number *= UINT64_C(0xd6e8feb86659fd93);
    number ^= number >> 32;
    number *= UINT64_C(0xd6e8feb86659fd93);
    return number ^ number >> 32;
}

/* Looks for a thing and adds it if it is new, under the lock. */
uint32_t intern_add(struct intern *intern, const void *thing, uint64_t hash);

/* The number of a thing with this hash, which is not 0. */
static inline uint32_t intern_number(struct intern *intern, const void *thing, uint64_t hash) {
    struct intern_slots *slots = atomic_load_explicit(&intern->slots, memory_order_acquire);
    for (size_t i = hash & slots->mask;; i = (i + 1) & slots->mask) {
        struct intern_slot *slot = &slots->slots[i];
        uint64_t found = atomic_load_explicit(&slot->hash, memory_order_acquire);
        if (found == 0) {
            return intern_add(intern, thing, hash);
        }
        if (found == hash && memcmp(intern_thing(intern, slot->number), thing, intern->size) == 0) {
            return slot->number;
        }
    }
}

/* The number of a pair of numbers, in a table of things of 8 bytes: the pair and its hash tell each other. */
static inline uint64_t pair_of(uint32_t left, uint32_t right) {
    return (uint64_t)left << 32 | right;
}

/* Calls the memory in which a pair with this hash may be. */
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
    memcpy(&pair, intern_thing(intern, number), sizeof pair);
    return pair;
}

#endif
