/* See state_set.h. */
#include "reach/state_set.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "util/memory.h"

#define FIRST_SLOTS 64u
#define LARGE ((size_t)1 << 20) /* bytes that are asked of the system directly, and given back to it */

static _Atomic uint64_t *slots_new(size_t count) {
    if (count * sizeof(uint64_t) < LARGE) {
        return memory_allocate(count * sizeof(uint64_t));
    }
    void *slots = mmap(NULL, count * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED) {
        memory_exhausted();
    }
    if (count * sizeof(uint64_t) >= (size_t)1 << 22) {
        madvise(slots, count * sizeof(uint64_t), MADV_HUGEPAGE);
    }
    /* All of it will be used: one call instead of a fault for each page.  Where the system cannot, faults do it. */
    madvise(slots, count * sizeof(uint64_t), MADV_POPULATE_WRITE);
    return slots;
}

static void slots_free(_Atomic uint64_t *slots, size_t count) {
    if (count * sizeof(uint64_t) < LARGE) {
        free((void *)slots);
    } else {
        munmap((void *)slots, count * sizeof(uint64_t));
    }
}

void state_set_init(struct state_set *set, size_t jobs) {
    size_t count = FIRST_SLOTS;
    while (count < FIRST_SLOTS * jobs) {
        count *= 2;
    }
    for (unsigned s = 0; s < STATE_SEGMENTS; s++) {
        set->slots[s] = slots_new(count);
    }
    set->mask = count - 1;
    atomic_init(&set->count, 0);
}

void state_set_delete(struct state_set *set) {
    for (unsigned s = 0; s < STATE_SEGMENTS; s++) {
        slots_free(set->slots[s], set->mask + 1);
    }
}

void state_set_grow_segment(struct state_set *set, unsigned segment) {
    size_t old_count = set->mask + 1;
    size_t count = old_count * 2;
    _Atomic uint64_t *old = set->slots[segment];
    _Atomic uint64_t *slots = slots_new(count);
    for (size_t k = 0; k < old_count; k++) {
        uint64_t key = atomic_load_explicit(&old[k], memory_order_relaxed);
        if (key == 0) {
            continue;
        }
        size_t i = state_hash(key) & (count - 1);
        while (atomic_load_explicit(&slots[i], memory_order_relaxed) != 0) {
            i = (i + 1) & (count - 1);
        }
        atomic_store_explicit(&slots[i], key, memory_order_relaxed);
    }
    slots_free(old, old_count);
    set->slots[segment] = slots;
}

void state_set_grown(struct state_set *set) {
    set->mask = set->mask * 2 + 1;
}

size_t state_set_bytes(const struct state_set *set) {
    return (set->mask + 1) * STATE_SEGMENTS * sizeof(uint64_t);
}
