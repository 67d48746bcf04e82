// run => native
// Counters by atomic operations of several threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int total;
static _Atomic unsigned char small;
static atomic_long maximum;

static void *run(void *argument) {
    int id = *(int *)argument;
    for (int i = 0; i < 40; i++) {
        atomic_fetch_add(&total, id);
        small++;
        long seen = atomic_load(&maximum), mine = id * 100 + i;
        while (seen < mine && !atomic_compare_exchange_weak(&maximum, &seen, mine))
            ;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    int ids[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, &ids[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %ld\n", total, small, maximum);
    return 0;
}
