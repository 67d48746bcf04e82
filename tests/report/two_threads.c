/* Store buffering: each thread stores and then reads what the other one stores. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int x, y;
static atomic_int both;
static void *first(void *unused) {
    x = 1;
    if (y == 0) {
        both++;
    }
    assert(both < 2);
    return unused;
}
static void *second(void *unused) {
    y = 1;
    if (x == 0) {
        both++;
    }
    assert(both < 2);
    return unused;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
