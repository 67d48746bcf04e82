// prove -DLIFO => output "the store buffer adds no state, for any number of threads"
// prove -DANCHOR => output "the store buffer adds no state, for any number of threads"
// robust --engine prove -DLIFO => safe
// robust --engine prove -DANCHOR => safe
/* The idempotent work-stealing queues of Michael, Vechev and Saraswat, last in first out and double-ended, with an
 * owner that works for ever and any number of thieves: no other thread writes what the owner loads after a store. */
#include <picket.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)
#define HEAD (1u << 8)
#define TAG (1u << 16)
#define TASKS 8u

static _Atomic int tasks[TASKS];
static _Atomic unsigned anchor; /* size (or tail), head, and tags above them */
static int taken;
static int stolen;

static unsigned size_of(unsigned word) {
    return word % HEAD;
}

static unsigned head_of(unsigned word) {
#ifdef LIFO
    (void)word;
    return 0;
#else
    return word / HEAD % HEAD;
#endif
}

static void put(int task) {
    unsigned now = LOAD(anchor);
    if (size_of(now) < TASKS) {
        STORE(tasks[(head_of(now) + size_of(now)) % TASKS], task);
        STORE(anchor, now + 1 + TAG);
    }
}

static int take(void) {
    unsigned now = LOAD(anchor);
    if (size_of(now) == 0) {
        return 0;
    }
    int task = LOAD(tasks[(head_of(now) + size_of(now) - 1) % TASKS]);
    STORE(anchor, now - 1);
    return task;
}

static int steal(void) {
    for (;;) {
        unsigned now = LOAD(anchor);
        if (size_of(now) == 0) {
            return 0;
        }
#ifdef LIFO
        int task = LOAD(tasks[(size_of(now) - 1) % TASKS]);
        unsigned next = now - 1;
#else
        int task = LOAD(tasks[head_of(now) % TASKS]);
        unsigned next = now / TAG * TAG + (head_of(now) + 1) % TASKS * HEAD + size_of(now) - 1;
#endif
        if (atomic_compare_exchange_strong(&anchor, &now, next)) {
            return task;
        }
    }
}

static void *own(void *argument) {
    for (;;) {
        if (picket_nondet_bool()) {
            put(1);
        } else {
            taken = take();
        }
    }
    return argument;
}

static void *rob(void *argument) {
    stolen = steal();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, own, NULL);
    picket_any_number(rob, NULL);
    return 0;
}
