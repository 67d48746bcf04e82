// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 40 blocked 0
// check --engine explore --model tso => safe traces 40 blocked 0
// check --engine explore --model pso => violation assertion:27
// run => native
/* Concurrency Kit's read-write lock: a reader never sees half of what a writer does. */
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>
#include <stddef.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int left;
static int right;

static void *write_both(void *argument) {
    ck_rwlock_write_lock(&lock);
    left++;
    right++;
    ck_rwlock_write_unlock(&lock);
    return argument;
}

static void *read_both(void *argument) {
    ck_rwlock_read_lock(&lock);
    assert(left == right);
    ck_rwlock_read_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, write_both, NULL);
    pthread_create(&threads[1], NULL, write_both, NULL);
    pthread_create(&threads[2], NULL, read_both, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(left == 2);
    return 0;
}
