// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:30
// check --model pso --engine brute -DRELEASE => safe
// A queue with one producer and one consumer.
#include <assert.h>
#include <pthread.h>

#ifdef RELEASE
#define ORDER __ATOMIC_RELEASE
#else
#define ORDER __ATOMIC_RELAXED
#endif

static int items[2], head, tail;

static void *producer(void *unused) {
    for (int i = 0; i < 2; i++) {
        items[i] = i + 5;
        __atomic_store_n(&tail, i + 1, ORDER);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 2; i++) {
        while (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == i)
            ;
        int item = items[i];
        assert(item == i + 5); // here
    }
    return unused;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
