// A recursive function that stores, and one that loads, with the stores of all its calls pending at once.
//
// check --engine rounds --rounds 2 => violation assertion:41
// check --engine age --age 1 => violation assertion:41
// check --engine rounds --rounds 2 -DFENCED => safe within bounds
// check --engine age --age 0 => safe within bounds
// check --engine brute --rounds 2 => violation assertion:41
// check --engine brute --age 0 => safe within bounds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define DEPTH 3

static atomic_int left[DEPTH];
static atomic_int right[DEPTH];
static int seen[2];

static void fill(atomic_int *cells, int depth) {
    if (depth > 0) {
        atomic_store_explicit(&cells[depth - 1], depth, memory_order_relaxed);
        fill(cells, depth - 1);
    }
}

static int sum(atomic_int *cells, int depth) {
    return depth == 0 ? 0 : atomic_load_explicit(&cells[depth - 1], memory_order_relaxed) + sum(cells, depth - 1);
}

static void *run(void *argument) {
    int me = *(int *)argument;
    fill(me ? right : left, DEPTH);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    seen[me] = sum(me ? left : right, DEPTH);
    return NULL;
}

static void check(void) {
    assert(seen[0] != 0 || seen[1] != 0);
}

int main(void) {
    static int names[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, run, &names[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    check();
}
