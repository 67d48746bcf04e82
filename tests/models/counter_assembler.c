// check --model tso --engine brute => violation assertion:31
// check --model tso --engine brute -DLOCKED => safe
// A locked increment loses nothing; without the lock prefix it does.
#include <assert.h>
#include <pthread.h>

#ifdef LOCKED
#define PREFIX "lock; "
#else
#define PREFIX ""
#endif
static int x;

static void *first(void *unused) {
    __asm__ volatile(PREFIX "incl %0" : "+m"(x) : : "memory", "cc");
    return unused;
}

static void *second(void *unused) {
    __asm__ volatile(PREFIX "incl %0" : "+m"(x) : : "memory", "cc");
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!(x != 2));
    return 0;
}
