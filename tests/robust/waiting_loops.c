// robust --model tso => exit 1
// robust --model pso => exit 1
// robust --model tso -DFENCED => exit 0
// robust --model pso -DFENCED => exit 0
// robust --model tso -DONE_WAITS => exit 0
/* Both threads write and then wait for the other.  Each may find the other's write missing and go round once more: that
 * both do is possible only with store buffers, though the loops end in the same way. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void write_and_wait(atomic_int *mine, atomic_int *other) {
    atomic_store_explicit(mine, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (atomic_load_explicit(other, memory_order_relaxed) == 0) {
    }
}

static void *run(void *argument) {
    (void)argument;
#ifdef ONE_WAITS
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#else
    write_and_wait(&y, &x);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    write_and_wait(&x, &y);
    pthread_join(thread, NULL);
    return 0;
}
