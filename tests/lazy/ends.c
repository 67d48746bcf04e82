// A store that is delayed past a load with something between them, or that is itself something, that no copy of the
// code keeps in registers: the end of an object on the heap, of a local, a store of 16 bytes.
//
// check --engine lazy -DHEAP => violation assertion
// check --engine lazy -DHEAP -DFENCED => safe assuming malloc
// check --engine lazy -DHEAP -DHARMLESS => safe assuming malloc
// check --engine lazy -DLOCAL => violation assertion
// check --engine lazy -DLOCAL -DFENCED => safe
// check --engine lazy -DLOCAL -DHARMLESS => safe
// check --engine lazy -DWIDE => violation assertion
// check --engine lazy -DWIDE -DFENCED => safe
// check --engine lazy -DWIDE -DHARMLESS => safe
// check --engine lazy -DWIDE -DFENCED -DENDLESS => safe
// check --engine lazy -DWIDE -DENDLESS => violation assertion
// check --engine brute -DHEAP -DHARMLESS => safe assuming malloc
// check --engine brute -DLOCAL -DHARMLESS => safe
// check --engine brute -DWIDE -DHARMLESS => safe
// robust -DHEAP => exit 1
// robust -DHEAP --engine oracle => exit 1
// robust -DHEAP -DFENCED => exit 0
// robust -DLOCAL --engine oracle => exit 1
// robust -DLOCAL -DFENCED => exit 0
// robust -DWIDE --engine oracle => exit 1
// robust -DWIDE -DFENCED => exit 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WIDE
static _Atomic __int128 x;
#else
static atomic_int x;
#endif
static atomic_int y;
static int *_Atomic place;
static atomic_int seen;

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() (void)0
#endif
#ifdef ENDLESS
#define AGAIN 1
#else
#define AGAIN 0
#endif

static void store(void) {
#ifdef LOCAL
    int local = 1;
    atomic_store_explicit(&place, &local, memory_order_relaxed);
#endif
#ifdef HEAP
    int *cell = malloc(sizeof *cell);
    *cell = 1;
#endif
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef HEAP
    free(cell);
#endif
}

static void *one(void *argument) {
    do {
        store();
        FENCE();
        int got = atomic_load_explicit(&y, memory_order_relaxed);
        if (!AGAIN && !got) {
            atomic_fetch_or(&seen, 1);
        }
#ifndef HARMLESS
        assert(got || !AGAIN || (atomic_load(&seen) & 2) == 0);
#endif
    } while (AGAIN);
    return argument;
}

static void *two(void *argument) {
    do {
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_load_explicit(&x, memory_order_relaxed) == 0) {
            atomic_fetch_or(&seen, 2);
        }
    } while (AGAIN);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#ifndef HARMLESS
    assert(seen != 3);
#endif
    return 0;
}
