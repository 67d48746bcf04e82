// check --engine brute --model sc => violation unlock-not-owner:68
// check --engine explore --model sc => violation unlock-not-owner:68
// check --engine explore --model tso => violation unlock-not-owner:68
// check --engine explore --model pso => violation unlock-not-owner:68
// check --engine reach --model sc => violation unlock-not-owner:68
// check --engine reach --model tso => violation unlock-not-owner:68
// check --engine lazy => violation unlock-not-owner:68
// check --engine rounds --rounds 3 => violation unlock-not-owner:68
// check --engine random --model sc => violation unlock-not-owner:68
// check --engine brute --model sc -DRECURSIVE => violation unlock-not-owner:68
// check --engine explore --model sc -DRECURSIVE => violation unlock-not-owner:68
// check --engine reach --model sc -DRECURSIVE => violation unlock-not-owner:68
// check --engine brute --model sc -DTWICE => violation unlock-not-owner:68
// check --engine explore --model tso -DTWICE => violation unlock-not-owner:68
// check --engine brute --model sc -DMANY => violation unlock-not-owner:68
// check --engine explore --model sc -DMANY => violation unlock-not-owner:68
// check --engine brute --model sc -DNEVER_HELD => violation unlock-not-owner:68
// check --engine explore --model sc -DNEVER_HELD => violation unlock-not-owner:68
// check --engine brute --model sc -DOWN => safe
// check --engine explore --model sc -DOWN => safe
// check --engine explore --model tso -DOWN => safe
// check --engine reach --model sc -DOWN => safe
// check --engine lazy -DOWN => safe
//
// A thread holds a lock for reading and unlocks another one, which only another thread holds for reading.
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t more[9];
static sem_t held;

static void *hold(void *unused) {
    pthread_rwlock_rdlock(&b);
    sem_post(&held);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&held, 0, 0);
    pthread_create(&thread, NULL, hold, NULL);
    sem_wait(&held);
    pthread_rwlock_rdlock(&a);
#if defined RECURSIVE
    /* Taken twice and given back once, so that it is still held. */
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
#elif defined TWICE
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&b);
#elif defined MANY
    for (int i = 0; i < 9; i++) {
        pthread_rwlock_rdlock(&more[i]);
    }
    for (int i = 0; i < 9; i += 2) {
        pthread_rwlock_unlock(&more[i]);
    }
#elif defined NEVER_HELD
    pthread_rwlock_unlock(&a);
#elif defined OWN
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
#endif
    pthread_rwlock_unlock(&b); // here
    (void)more;
    return 0;
}
