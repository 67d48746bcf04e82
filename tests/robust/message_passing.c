// robust --model tso => safe
// robust --model pso => violation not-robust:17
// robust --model pso -DRELEASE => safe
// Two stores in order: TSO keeps the order, PSO does not unless the second one is a release.
#include <pthread.h>

#ifdef RELEASE
#define ORDER __ATOMIC_RELEASE
#else
#define ORDER __ATOMIC_RELAXED
#endif

static int message, ready;

static void *sender(void *unused) {
    /* The store of the message may be overtaken. */
    __atomic_store_n(&message, 42, __ATOMIC_RELAXED);
    __atomic_store_n(&ready, 1, ORDER);
    return unused;
}

static void *receiver(void *unused) {
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
        (void)__atomic_load_n(&message, __ATOMIC_RELAXED);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
