// prove => safe
// prove --explain => output "fact: "
// prove -DFLAG_FIRST => violation assertion
// prove -DUNLOCKED => safe
/* Double-checked locking for any number of threads, without annotations: a thread that has seen the flag finds the
 * value. FLAG_FIRST raises the flag before the value is there.  Without the lock (UNLOCKED) the value may be stored
 * several times, but it is always the same. */
#include <picket.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int value;

static void *work(void *argument) {
    if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
#ifndef UNLOCKED
        pthread_mutex_lock(&mutex);
#endif
        if (!ready) {
#ifdef FLAG_FIRST
            __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
#endif
            value = 42;
            __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
        }
#ifndef UNLOCKED
        pthread_mutex_unlock(&mutex);
#endif
    }
    picket_assert(value == 42);
    return argument;
}

int main(void) {
    picket_any_number(work, NULL);
    (void)mutex;
    return 0;
}
