// check --model pso --engine seq => safe
// check --model pso --engine explore => safe
// check --model pso --engine seq -DRELAXED => violation assertion:26
// A release store has a store barrier before it, which also keeps stores after it from passing those before it: the
// later flag cannot reach memory before the message, though the release store itself may.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static _Atomic int message, other, flag;

static void *send(void *unused) {
    atomic_store_explicit(&message, 1, memory_order_relaxed);
    atomic_store_explicit(&other, 1, ORDER);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *receive(void *unused) {
    assert(!atomic_load(&flag) || atomic_load(&message));
    return unused;
}

int main(void) {
    pthread_t sender, receiver;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
