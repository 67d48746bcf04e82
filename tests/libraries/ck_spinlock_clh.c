// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 6 blocked 0
// check --engine explore --model tso => safe traces 6 blocked 0
// check --engine explore --model pso => violation assertion:37
// run => native
/* Concurrency Kit's CLH queue lock: two threads count under the lock, and no count is lost. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>
#include <stddef.h>

static ck_spinlock_clh_t *lock;
static ck_spinlock_clh_t nodes[3];
static int counter;

static void *count(void *argument) {
    ck_spinlock_clh_t *node = &nodes[(long)argument];
    for (int i = 0; i < 2; i++) {
        ck_spinlock_clh_lock(&lock, node);
        int seen = counter;
        counter = seen + 1;
        ck_spinlock_clh_unlock(&node);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ck_spinlock_clh_init(&lock, &nodes[2]);
    for (long i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, count, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == 4);
    return 0;
}
