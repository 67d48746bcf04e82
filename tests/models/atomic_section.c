// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Atomic sections wait for the buffer at both ends and let no other thread in.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y, count;

static void __VERIFIER_atomic_add(int n) {
    int old = count;
    count = old + n;
}

static void *run(void *unused) {
    __VERIFIER_atomic_begin();
    x++;
    assert(x == y + 1);
    y++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add(2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 && y == 2 && count == 4);
    return 0;
}
