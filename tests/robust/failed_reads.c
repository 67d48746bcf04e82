// The reads that fail in a waiting loop are events: both may see the other's store late, and that is a cycle, though
// every execution ends in the same state.
//
// robust => exit 1
// robust --engine oracle => exit 1
// robust --engine oracle -DFENCED => exit 0
// robust -DFENCED => exit 0
// robust -DFENCED -j 2 => exit 0
// robust --engine explore => exit 1
// robust --engine explore -DFENCED => exit 0
// robust --model pso => exit 1
// robust --model pso -DFENCED => output "robust under PSO"
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE()
#endif

static atomic_int x;
static atomic_int y;

static void *one(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    FENCE();
    while (atomic_load_explicit(&y, memory_order_relaxed) == 0) {
    }
    return unused;
}

static void *two(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    FENCE();
    while (atomic_load_explicit(&x, memory_order_relaxed) == 0) {
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
