// run => native
// A barrier used in several rounds; in exactly one thread per round it returns so.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int serial[3], slots[3], sums[3];

static void *run(void *argument) {
    int id = *(int *)argument;
    for (int round = 0; round < 3; round++) {
        slots[id] = id + round * 10;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            sums[round] = slots[0] + slots[1] + slots[2];
            __atomic_fetch_add(&serial[round], 1, __ATOMIC_RELAXED);
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_t threads[3];
    int ids[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, &ids[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        printf("%d %d\n", serial[i], sums[i]);
    printf("%d\n", pthread_barrier_destroy(&barrier));
    return 0;
}
