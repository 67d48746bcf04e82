/* Total store order (x86): each thread's stores wait in a queue and drain in order.  Only a full fence waits for the
 * empty queue; weaker fences do nothing. */
#include "machine/memory_model.h"

static void tso_store(struct machine *machine, struct thread *thread, struct buffer_entry *entry, enum order order) {
    (void)order;
    entry->serial = ++thread->now.serial;
    store_buffer_push(machine, thread, entry);
}

static bool tso_may_drain(const struct thread *thread, size_t index) {
    (void)thread;
    return index == 0;
}

static bool tso_fence_waits(enum order order) {
    return order == ORDER_SEQ_CST;
}

static void tso_barrier(struct machine *machine, struct thread *thread, enum order order) {
    (void)machine;
    (void)thread;
    (void)order;
}

const struct memory_model_operations model_tso = {
    .buffers = true,
    .store = tso_store,
    .may_drain = tso_may_drain,
    .fence_waits = tso_fence_waits,
    .barrier = tso_barrier,
};
