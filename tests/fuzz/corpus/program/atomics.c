/* An input of fuzz_program: read by the front end, saved, and then damaged. */
#include "picket.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, x;
static int data;
static void *f(void *a) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_fetch_add(&x, 2);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    while (!atomic_load(&flag))
        ;
    int e = 0;
    atomic_compare_exchange_strong(&x, &e, 5);
    int k = picket_nondet_int(1, 3);
    picket_assume(k != 2);
    picket_atomic_begin();
    data += k;
    picket_atomic_end();
    assert(data > 0);
    pthread_join(t, 0);
}
