// check --engine brute --model sc => violation assertion
// check --engine explore --model sc => violation assertion
// check --engine explore --model tso => violation assertion
// check --engine explore --model pso => violation assertion
//
// A thread reads a word of a lock that main holds: it is no reader of the lock, and a writer that waits does not race
// with it but with main.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *looker(void *unused) {
    (void)((volatile int *)&lock)[1];
    return unused;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, looker, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_rwlock_wrlock(&lock);
    assert(x == 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}
