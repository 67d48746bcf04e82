// Threads with calls, calls through pointers, recursion, locals whose address goes down, arrays and thread-local
// variables: expanded into one flow graph they do what they did.
//
// check --engine lazy => safe
// check --engine lazy --model sc => safe
// check --engine lazy -DDELAYED => violation assertion
// check --engine lazy -j 2 -DDELAYED => violation assertion
// check --engine lazy -j 2 => safe
// check --engine brute -DDELAYED => violation assertion
// check --engine lazy -DDEEP => safe
// check --engine lazy --model pso => error "SC and TSO only"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static atomic_int y;
static int seen[2];
static _Thread_local int own;

static int depth(int n) {
    int local[2] = {n, 0};
    return n == 0 ? 0 : 1 + depth(local[0] - 1);
}

static void store_to(atomic_int *variable, int value) {
    int copies[3];
    for (int i = 0; i < 3; i++) {
        copies[i] = value + i;
    }
    atomic_store_explicit(variable, copies[1] - 1, memory_order_relaxed);
}

static int load_from(atomic_int *variable) {
    return atomic_load_explicit(variable, memory_order_relaxed);
}

static void no_fence(void) {
}

static void full_fence(void) {
    atomic_thread_fence(memory_order_seq_cst);
}

#ifdef DELAYED
static void (*const between[])(void) = {no_fence, no_fence};
#else
static void (*const between[])(void) = {full_fence, full_fence};
#endif

static void escape(int **where, int *what) {
    *where = what;
}

static void *one(void *unused) {
    int result = 0;
    int *alias;
    escape(&alias, &result);
    own = 1;
    store_to(&x, 1);
    between[0]();
    own += 2;
    *alias = load_from(&y) + own - 3;
    seen[0] = result;
    return unused;
}

static void *two(void *unused) {
    store_to(&y, 1);
    between[1]();
    seen[1] = load_from(&x);
    return unused;
}

int main(void) {
    pthread_t threads[2];
#ifdef DEEP
    assert(depth(20) == 20);
#else
    assert(depth(4) == 4);
#endif
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(seen[0] || seen[1]);
    return 0;
}
