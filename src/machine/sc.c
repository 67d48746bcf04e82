/* Sequential consistency: a store takes effect at once, fences do nothing. */
#include "machine/memory_model.h"

static void sc_store(struct machine *machine, struct thread *thread, struct buffer_entry *entry, enum order order) {
    (void)order;
    entry->serial = ++thread->now.serial;
    entry_apply(machine, thread, entry);
}

static bool sc_may_drain(const struct thread *thread, size_t index) {
    (void)thread;
    (void)index;
    return false;
}

static bool sc_fence_waits(enum order order) {
    (void)order;
    return false;
}

static void sc_barrier(struct machine *machine, struct thread *thread, enum order order) {
    (void)machine;
    (void)thread;
    (void)order;
}

const struct memory_model_operations model_sc = {
    .buffers = false,
    .store = sc_store,
    .may_drain = sc_may_drain,
    .fence_waits = sc_fence_waits,
    .barrier = sc_barrier,
};
