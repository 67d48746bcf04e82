// Loops that never end: the oracle needs no bound.  Under PSO such programs are refused.
//
// robust => exit 1
// robust -DFENCED => exit 0
// robust -DFENCED -j 2 => exit 0
// robust --model pso => error "loop that need not end"
// robust --engine oracle --model pso => error "TSO only"
// robust --engine brute => error "auto, explore, oracle and prove"
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE()
#endif

static atomic_int flag[2];

static void run(int self) {
    for (;;) {
        atomic_store_explicit(&flag[self], 1, memory_order_relaxed);
        FENCE();
        if (atomic_load_explicit(&flag[1 - self], memory_order_relaxed) == 0) {
            atomic_store_explicit(&flag[self], 0, memory_order_relaxed);
        }
        FENCE();
    }
}

static void *one(void *unused) {
    run(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    run(1);
    return 0;
}
