// A loop bound that the user gives holds for `lazy` too, and is named; so is the depth of recursion.
//
// check --engine lazy --unroll 2 => safe within bounds
// check --engine lazy -DDEPTH=3 => safe
// check --engine lazy -DDEPTH=100 => safe
// check --engine lazy -DDEPTH=150 => safe within bounds
// check --engine lazy -DDEPTH=150 => output "recursion at most 128 deep: --recursion"
// check --engine lazy -DDEPTH=150 --recursion 160 => safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef DEPTH
#define DEPTH 0
#endif

static atomic_int rounds;
static atomic_int go;

static int climb(int n) {
    return n == 0 ? 0 : climb(n - 1) + 1;
}

static void *count(void *unused) {
    if (DEPTH > 0) {
        if (atomic_load(&go)) {
            assert(climb(DEPTH) == DEPTH);
        }
        return unused;
    }
    while (atomic_load(&go) && atomic_fetch_add(&rounds, 1) < 100) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    atomic_store(&go, 1);
    return 0;
}
