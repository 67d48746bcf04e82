/* Store buffering, beside threads of which there are too many to say what is safe. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, both, counters[6];
static void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&y, memory_order_relaxed)) {
        both++;
    }
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&x, memory_order_relaxed)) {
        assert(++both < 2);
    }
    return unused;
}
static void *count(void *number) {
    for (int i = 0; i < 20; i++) {
        atomic_fetch_add(&counters[(long)number], 1);
        atomic_fetch_add(&counters[(long)number ^ 1], 2);
        atomic_fetch_xor(&counters[(long)number], 1);
    }
    return NULL;
}
int main(void) {
    pthread_t threads[8];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (long i = 0; i < 6; i++) {
        pthread_create(&threads[i + 2], NULL, count, (void *)i);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
