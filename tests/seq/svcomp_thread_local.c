// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// Thread-local variables
#include <pthread.h>

extern void reach_error(void);

static __thread int own = 4;
static int sums[2];

static void *work(void *which) {
    own += 1 + (int)(long)which;
    sums[(long)which] = own;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(thread, NULL);
    if (sums[0] != 5 || sums[1] != 6) {
        reach_error();
    }
    return 0;
}
