/* See state_set.h. */
#include "reach/state_set.h"

#include "util/reserve.h"

#define FIRST_SLOTS 64u

void state_set_init(struct state_set *set, size_t jobs) {
    size_t count = FIRST_SLOTS;
    while (count < FIRST_SLOTS * jobs) {
        count *= 2;
    }
    for (unsigned s = 0; s < STATE_SEGMENTS; s++) {
        set->slots[s] = table_new(count * sizeof(uint64_t));
    }
    set->mask = count - 1;
    atomic_init(&set->count, 0);
}

void state_set_delete(struct state_set *set) {
    for (unsigned s = 0; s < STATE_SEGMENTS; s++) {
        table_free((void *)set->slots[s], (set->mask + 1) * sizeof(uint64_t));
    }
}

void state_set_grow_segment(struct state_set *set, unsigned segment) {
    size_t old_count = set->mask + 1;
    size_t count = old_count * 2;
    _Atomic uint64_t *old = set->slots[segment];
    _Atomic uint64_t *slots = table_new(count * sizeof(uint64_t));
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
    table_free((void *)old, old_count * sizeof(uint64_t));
    set->slots[segment] = slots;
}

void state_set_grown(struct state_set *set) {
    set->mask = set->mask * 2 + 1;
}

size_t state_set_bytes(const struct state_set *set) {
    return (set->mask + 1) * STATE_SEGMENTS * sizeof(uint64_t);
}
