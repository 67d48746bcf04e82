// robust --engine explore --model tso => violation not-robust:17
// An execution that ends in an error counts too, and so does what the other threads do without the one that failed.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *one(void *unused) {
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 1);
    __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
    (void)__atomic_load_n(&y, __ATOMIC_RELAXED);
    return unused;
}

static void *other(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    (void)__atomic_load_n(&x, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
