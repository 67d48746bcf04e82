// check --engine seq --model sc => safe assuming malloc
// check --engine seq --model tso => safe assuming malloc
// check --engine seq --model pso => safe assuming malloc
// An object that is allocated only on one path, after another
#include <pthread.h>

extern void reach_error(void);
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *shared;

static void *work(void *unused) {
    if (shared) {
        *shared += 1;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    int *other = NULL;
    if (__VERIFIER_nondet_int() > 7) {
        other = malloc(3 * sizeof *other);
    }
    shared = malloc(sizeof *shared);
    if (!shared) {
        return 0;
    }
    *shared = 6;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    if (*shared != 7) {
        reach_error();
    }
    free(shared);
    free(other);
    return 0;
}
