// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 6 blocked 0
// check --engine explore --model tso => safe traces 6 blocked 0
// check --engine explore --model pso => violation assertion:37
// run => native
/* Concurrency Kit's Anderson array lock: two threads count under the lock, and no count is lost. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>
#include <stddef.h>

static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[2];
static int counter;

static void *count(void *argument) {
    ck_spinlock_anderson_thread_t *slot;
    for (int i = 0; i < 2; i++) {
        ck_spinlock_anderson_lock(&lock, &slot);
        int seen = counter;
        counter = seen + 1;
        ck_spinlock_anderson_unlock(&lock, slot);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ck_spinlock_anderson_init(&lock, slots, 2);
    for (long i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, count, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == 4);
    return 0;
}
