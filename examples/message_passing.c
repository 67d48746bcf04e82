// A message and a flag: the reader that sees the flag expects to see the message.
//
//     ./picket check examples/message_passing.c                          right under TSO: stores stay in order
//     ./picket check --model pso examples/message_passing.c              wrong under PSO
//     ./picket check --model pso -DRELEASE examples/message_passing.c    a release store repairs it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

static int message;
static atomic_int ready;

static void *writer(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, ORDER);
    return unused;
}

static void *reader(void *unused) {
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
    }
    assert(message == 42);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
