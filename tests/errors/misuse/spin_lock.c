// check --engine brute --model sc -DOTHER => violation unlock-not-owner:61
// check --engine explore --model sc -DOTHER => violation unlock-not-owner:61
// check --engine explore --model tso -DOTHER => violation unlock-not-owner:61
// check --engine explore --model pso -DOTHER => violation unlock-not-owner:61
// check --engine reach --model tso -DOTHER => violation unlock-not-owner:61
// check --engine lazy -DOTHER => violation unlock-not-owner:61
// check --engine seq -DOTHER => violation unlock-not-owner:61
// check --engine rounds --rounds 3 -DOTHER => violation unlock-not-owner:61
// check --engine switches -DOTHER => violation unlock-not-owner:61
// check --engine explore -DTWICE => violation unlock-not-owner:65
// check --engine reach -DTWICE => violation unlock-not-owner:65
// check --engine seq -DTWICE => violation unlock-not-owner:65
// check --engine explore -DNEVER => violation unlock-not-owner:57
// check --engine explore -DDESTROYED => violation use-after-destroy:68
// check --engine explore -DTRIED => safe
// check --engine explore -DSEVERAL => safe
// check --engine brute -DSEVERAL --model pso => safe
// check --engine explore --model sc => safe
// check --engine explore --model tso => safe
// check --engine explore --model pso => safe
// check --engine reach --model tso => safe
// check --engine seq => safe
// robust --engine explore -DBUFFERED => violation not-robust
// robust --engine oracle -DBUFFERED => violation not-robust
/* A spin lock is unlocked by a thread that does not hold it.  Unlocking is a release store, also where that is looked
 * for: with -DBUFFERED a read overtakes it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock, second;
static int count;
static atomic_int other;

static void *works(void *unused) {
    (void)unused;
#ifdef BUFFERED
    atomic_store(&other, 1);
    pthread_spin_trylock(&lock);
#else
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&second, PTHREAD_PROCESS_PRIVATE);
#ifdef BUFFERED
    pthread_spin_lock(&lock);
#endif
    pthread_create(&thread, NULL, works, NULL);
#ifdef NEVER
    pthread_spin_unlock(&second);
#endif
#ifdef OTHER
    atomic_load(&other);
    pthread_spin_unlock(&lock);
#elif defined(TWICE)
    pthread_spin_lock(&second);
    pthread_spin_unlock(&second);
    pthread_spin_unlock(&second);
#elif defined(DESTROYED)
    pthread_spin_destroy(&second);
    pthread_spin_unlock(&second);
#elif defined(BUFFERED)
    pthread_spin_unlock(&lock);
    atomic_load_explicit(&other, memory_order_relaxed);
#else
#ifdef TRIED
    if (pthread_spin_trylock(&lock) == 0) {
        pthread_spin_unlock(&lock);
    }
#endif
#ifdef SEVERAL
    pthread_spin_lock(&second);
#endif
    pthread_spin_lock(&lock);
    count++;
#ifdef SEVERAL
    pthread_spin_unlock(&second);
#endif
    pthread_spin_unlock(&lock);
#endif
    pthread_join(thread, NULL);
#ifndef BUFFERED
    assert(count > 0);
#endif
    return 0;
}
