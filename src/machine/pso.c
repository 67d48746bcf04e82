/* Partial store order (SPARC): an entry may drain when no older entry of its thread overlaps it and no store barrier is
 * between an older entry and it.  Release stores and fences put a store barrier before them.  Each entry has the number
 * of barriers before it in program order, whether the stores between them have drained or not, so that the number does
 * not depend on the interleaving. */
#include "machine/memory_model.h"

static bool is_release(enum order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

/* The caller has saved the thread's cells. */
static void pso_barrier(struct machine *machine, struct thread *thread, enum order order) {
    (void)machine;
    if (is_release(order)) {
        thread->now.barriers++;
    }
}

static void pso_store(struct machine *machine, struct thread *thread, struct buffer_entry *entry, enum order order) {
    pso_barrier(machine, thread, order);
    entry->serial = ++thread->now.serial;
    entry->barrier = thread->now.barriers;
    store_buffer_push(machine, thread, entry);
}

static bool pso_may_drain(const struct thread *thread, size_t index) {
    const struct buffer_entry *entry = store_buffer_entry(thread, index);
    for (size_t i = 0; i < index; i++) {
        const struct buffer_entry *older = store_buffer_entry(thread, i);
        if (older->barrier < entry->barrier || entries_overlap(older, entry)) {
            return false;
        }
    }
    return true;
}

static bool pso_fence_waits(enum order order) {
    return order == ORDER_SEQ_CST;
}

const struct memory_model_operations model_pso = {
    .buffers = true,
    .store = pso_store,
    .may_drain = pso_may_drain,
    .fence_waits = pso_fence_waits,
    .barrier = pso_barrier,
};
