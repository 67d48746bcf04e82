// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 38 blocked 0
// check --engine explore --model tso => safe traces 38 blocked 0
// check --engine explore --model pso => safe traces 38 blocked 0
// run => native
/* Concurrency Kit's ticket spinlock: two threads count under the lock, and no count is lost. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>
#include <stddef.h>

static ck_spinlock_ticket_t lock;
static int counter;

static void *count(void *argument) {
    for (int i = 0; i < 2; i++) {
        ck_spinlock_ticket_lock(&lock);
        int seen = counter;
        counter = seen + 1;
        ck_spinlock_ticket_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ck_spinlock_ticket_init(&lock);
    for (long i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, count, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == 4);
    return 0;
}
