/* See intern.h. */
#include "reach/intern.h"

#include <assert.h>
#include <stdlib.h>

#include "util/reserve.h"

#define FIRST_SLOTS 64u
#define MOST_BYTES (UINT64_C(1) << 33)

static size_t slots_bytes(size_t count) {
    return sizeof(struct intern_slots) + count * sizeof(struct intern_slot);
}

static struct intern_slots *slots_new(size_t count) {
    struct intern_slots *slots = table_new(slots_bytes(count));
    slots->mask = count - 1;
    return slots;
}

static void slots_free(struct intern_slots *slots) {
    table_free(slots, slots_bytes(slots->mask + 1));
}

void intern_init(struct intern *intern, size_t size) {
    memset(intern, 0, sizeof *intern);
    intern->size = size;
    intern->reserved = reserve_size(size << 32 < MOST_BYTES ? size << 32 : MOST_BYTES);
    intern->items = reserve_new(intern->reserved);
    atomic_init(&intern->slots, slots_new(FIRST_SLOTS));
    vector_init(&intern->old, sizeof(struct intern_slots *));
    pthread_mutex_init(&intern->lock, NULL);
}

void intern_delete(struct intern *intern) {
    for (size_t i = 0; i < intern->old.count; i++) {
        slots_free(*(struct intern_slots **)vector_at(&intern->old, i));
    }
    vector_delete(&intern->old);
    slots_free(atomic_load(&intern->slots));
    reserve_free(intern->items, intern->reserved);
    pthread_mutex_destroy(&intern->lock);
}

static void slots_put(struct intern_slots *slots, uint64_t hash, uint32_t number) {
    size_t i = hash & slots->mask;
    while (atomic_load_explicit(&slots->slots[i].hash, memory_order_relaxed) != 0) {
        i = (i + 1) & slots->mask;
    }
    slots->slots[i].number = number;
    atomic_store_explicit(&slots->slots[i].hash, hash, memory_order_release);
}

#ifndef NDEBUG
/* I2. */
static bool is_found(const struct intern_slots *slots, size_t at) {
    uint64_t hash = atomic_load_explicit(&slots->slots[at].hash, memory_order_relaxed);
    size_t i = hash & slots->mask;
    while (i != at && atomic_load_explicit(&slots->slots[i].hash, memory_order_relaxed) != 0) {
        i = (i + 1) & slots->mask;
    }
    return i == at;
}
#endif

void intern_check(const struct intern *intern) {
#ifndef NDEBUG
    const struct intern_slots *slots = atomic_load(&intern->slots);
    uint32_t count = atomic_load(&intern->count);
    uint8_t *seen = memory_allocate((size_t)count + 1);
    uint32_t found = 0;
    for (size_t i = 0; i <= slots->mask; i++) {
        if (atomic_load_explicit(&slots->slots[i].hash, memory_order_relaxed) != 0) {
            uint32_t number = slots->slots[i].number;
            assert(number >= 1 && number <= count && !seen[number] && "a number stands in one slot (I1)");
            assert(is_found(slots, i) && "an item is found (I2)");
            seen[number] = 1;
            found++;
        }
    }
    assert(found == count && "every number stands in a slot (I1)");
    assert((size_t)found * 2 <= slots->mask + 1 && "half of the slots are empty (I3)");
    free(seen);
#else
    (void)intern;
#endif
}

static void grow(struct intern *intern) {
    struct intern_slots *old = atomic_load(&intern->slots);
    struct intern_slots *slots = slots_new((old->mask + 1) * 2);
    for (size_t i = 0; i <= old->mask; i++) {
        uint64_t hash = atomic_load_explicit(&old->slots[i].hash, memory_order_relaxed);
        if (hash != 0) {
            slots_put(slots, hash, old->slots[i].number);
        }
    }
    vector_push(&intern->old, &old);
    atomic_store_explicit(&intern->slots, slots, memory_order_release);
    intern_check(intern);
}

uint32_t intern_add(struct intern *intern, const void *item, uint64_t hash) {
    pthread_mutex_lock(&intern->lock);
    struct intern_slots *slots = atomic_load(&intern->slots);
    uint32_t number = 0;
    for (size_t i = hash & slots->mask; number == 0; i = (i + 1) & slots->mask) {
        const struct intern_slot *slot = &slots->slots[i];
        uint64_t found = atomic_load_explicit(&slot->hash, memory_order_relaxed);
        if (found == 0) {
            break;
        }
        if (found == hash && memcmp(intern_item(intern, slot->number), item, intern->size) == 0) {
            number = slot->number;
        }
    }
    if (number == 0) {
        uint32_t count = atomic_load_explicit(&intern->count, memory_order_relaxed);
        if (((size_t)count + 2) * intern->size > intern->reserved) {
            memory_exhausted();
        }
        if (((size_t)count + 1) * 2 > slots->mask) {
            reserve_with_large_pages(intern->items, intern->reserved, (size_t)count * intern->size);
            grow(intern);
        }
        number = count + 1;
        memcpy(intern->items + (size_t)number * intern->size, item, intern->size);
        slots_put(atomic_load(&intern->slots), hash, number);
        atomic_store_explicit(&intern->count, number, memory_order_release);
    }
    pthread_mutex_unlock(&intern->lock);
    return number;
}

size_t intern_bytes(const struct intern *intern) {
    size_t slots = atomic_load(&intern->slots)->mask + 1;
    return slots * 2 * sizeof(struct intern_slot) + atomic_load(&intern->count) * intern->size;
}
