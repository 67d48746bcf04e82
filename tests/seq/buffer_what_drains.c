// check --engine seq --model tso => violation assertion:93
// check --engine seq --model pso => violation assertion:93
// check --engine seq --model sc => safe
// check --engine seq --model tso -DFAILED_CAS => safe
// check --engine seq --model pso -DFAILED_CAS => safe
// check --engine seq --model pso -DEXCHANGE => safe
// check --engine seq --model tso -DLOCK => safe
// check --engine seq --model pso -DLOCK => safe
// check --engine seq --model tso -DUNLOCK => safe
// check --engine seq --model pso -DUNLOCK => safe
// check --engine seq --model tso -DSPIN_UNLOCK => violation assertion:93
// check --engine seq --model pso -DSPIN_UNLOCK => violation assertion:93
// check --engine seq --model tso -DJOIN => safe
// check --engine seq --model pso -DJOIN => safe
// check --engine seq --model tso -DSECTION => safe
// check --engine seq --model pso -DSECTION => safe
// check --engine seq --model tso -DFENCE_NOT_TAKEN => violation assertion:93
// check --engine seq --model pso -DFENCE_NOT_TAKEN => violation assertion:93
// check --engine seq --model pso -DCAS_NOT_TAKEN => violation assertion:93
// check --engine seq --model tso -DLOCK_NOT_TAKEN => violation assertion:93
// check --engine seq --model pso -DLOCK_NOT_TAKEN => violation assertion:93
// check --engine seq --model tso -DFENCE_SOMETIMES => violation assertion:93
// check --engine explore --model tso -DFAILED_CAS => safe
// check --engine explore --model tso -DSPIN_UNLOCK => violation assertion:93
// check --engine explore --model pso -DFENCE_SOMETIMES => violation assertion:93
// Store buffering with one operation between the store and the load: does it drain the store?
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x, y, z, r0, r1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;

static void *other(void *unused) {
    y = 1;
    picket_fence();
    r1 = x;
    return unused;
}

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread, ended;
    pthread_spin_init(&spin, 0);
    pthread_create(&ended, NULL, nothing, NULL);
    pthread_create(&thread, NULL, other, NULL);
#ifdef SPIN_UNLOCK
    pthread_spin_lock(&spin);
#endif
#ifdef UNLOCK
    pthread_mutex_lock(&lock);
#endif
    x = 1;
#ifdef FAILED_CAS
    __sync_bool_compare_and_swap(&z, 5, 6);
#elif defined EXCHANGE
    __atomic_exchange_n(&z, 5, __ATOMIC_RELAXED);
#elif defined LOCK
    pthread_mutex_lock(&lock);
#elif defined UNLOCK
    pthread_mutex_unlock(&lock);
#elif defined SPIN_UNLOCK
    pthread_spin_unlock(&spin);
#elif defined JOIN
    pthread_join(ended, NULL);
#elif defined SECTION
    picket_atomic_begin();
    z = 1;
    picket_atomic_end();
#elif defined FENCE_NOT_TAKEN
    if (z) {
        picket_fence();
    }
#elif defined FENCE_SOMETIMES
    if (picket_nondet_int(0, 1000) != 500) {
        picket_fence();
    }
#elif defined CAS_NOT_TAKEN
    if (z) {
        __sync_bool_compare_and_swap(&z, 5, 6);
    }
#elif defined LOCK_NOT_TAKEN
    if (z) {
        pthread_mutex_lock(&lock);
    }
#endif
    r0 = y;
    pthread_join(thread, NULL);
    assert(r0 || r1);
}
