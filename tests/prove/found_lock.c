// prove => output "the store buffer adds no state, for any number of threads"
// prove => output "with which the thread continues to wait (idle)"
// prove --timeout 8 -DTRIES => undecided
// robust --engine prove => undecided
/* nbw-w-lr-rl, which the paper's method cannot prove: the store that frees a spin lock is followed by a load, and is
 * seen by any waiting thread.  It moves if the exchange may fail and the load may return what is waited with;
 * both are found, and only add waiting.  With TRIES a thread that does not get the lock gives up: that is no waiting.
 */
#include <picket.h>
#include <pthread.h>

static int lock;
static int version;
static int data;
static int inside;
static int seen;

static int acquire(void) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST)) {
#ifdef TRIES
        return 0;
#endif
        while (__atomic_load_n(&lock, __ATOMIC_RELAXED)) {
        }
    }
    return 1;
}

static void release(void) {
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void *writer(void *argument) {
    version = 1;
    data = 1;
    version = 2;
    return argument;
}

static void *lock_read(void *argument) {
    if (acquire()) {
        inside = 1;
        release();
        seen = version;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    picket_any_number(lock_read, NULL);
    return 0;
}
