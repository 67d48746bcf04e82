/* The store to y reaches memory between the two accesses of line 15 in the execution found: it is shown before. */
#include <assert.h>
#include <pthread.h>
static volatile int x, y, count;
static void *first(void *unused) {
    x = 1;
    if (y == 0) {
        count++;
    }
    return unused;
}
static void *second(void *unused) {
    y = 1;
    if (x == 0) {
        count++;
    }
    assert(count < 2);
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
