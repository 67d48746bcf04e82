/* The error is three calls deep: one is recursive, two are inlined. */
#include <assert.h>
#include <pthread.h>
static int sum;
static void must_be_small(int value) {
    assert(value < 3);
}
static void add(int value) {
    sum += value;
    must_be_small(sum);
}
static void add_all(int count) {
    if (count > 0) {
        add(count);
        add_all(count - 1);
    }
}
static void *work(void *unused) {
    add_all(2);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
