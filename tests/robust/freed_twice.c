// robust --engine explore --model tso => safe within bounds
// robust --engine explore --model tso -DONCE => safe assuming malloc
/* When an object is freed twice, some of what the threads do then is skipped: the report says so. */
#include <pthread.h>
#include <stdlib.h>

static int *object;
static int x;

static void *other(void *argument) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
#ifndef ONCE
    free(object);
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    object = malloc(sizeof *object);
    pthread_create(&thread, NULL, other, NULL);
    free(object);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    (void)__atomic_load_n(&x, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return 0;
}
