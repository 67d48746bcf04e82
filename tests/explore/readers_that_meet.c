// check --engine brute --model sc => violation assertion
// check --engine explore --model sc => violation assertion
// check --engine explore --model tso => violation assertion
// check --engine explore --model pso => violation assertion
//
// Two readers leave their lock only once both hold it.  A writer comes after both, or before both, though not before
// one of them alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside[2];
static int x;

static void *reader(void *number) {
    long self = (long)number;
    pthread_rwlock_rdlock(&lock);
    assert(x == 0);
    atomic_store(&inside[self], 1);
    while (!atomic_load(&inside[1 - self])) {
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, (void *)0);
    pthread_create(&threads[1], NULL, reader, (void *)1);
    pthread_create(&threads[2], NULL, writer, NULL);
    return 0;
}
