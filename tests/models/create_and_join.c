// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Creating and joining a thread wait for the buffer: no store is lost between parent and child.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *child(void *unused) {
    y = x + 1;
    return unused;
}

static void *first(void *unused) {
    pthread_t t;
    void *nothing;
    x = 1;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, &nothing);
    return (void *)(long)(y);
}

int main(void) {
    pthread_t threads[1];
    void *r1;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_join(threads[0], &r1);
    assert(!((long)r1 != 2));
    return 0;
}
