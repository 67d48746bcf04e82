// prove -DTTAS => safe
// prove -DTTAS => output "the store buffer adds no state; 1 assertion holds, for any number of threads"
// prove -DTTAS --model sc => output "safe under SC: 1 assertion holds, for any number of threads"
// prove -DMUTEX => safe
// robust --timeout 20 -DTICKET => safe
// prove -DTICKET => safe within bounds
// prove -DLINUX => safe within bounds
// prove -DTTAS -DEARLY => violation assertion
// prove -DTICKET -DEARLY => violation assertion
// prove -DMUTEX -DEARLY => violation assertion
// prove -DNONE => violation assertion
/* Mutual exclusion of any number of threads that return for ever, without annotations: a test-and-test-and-set lock,
 * a mutex, a ticket lock and the spin lock that Linux had, the last two unless their counters overflow.  With EARLY a
 * thread leaves before it is done, with NONE it never entered. */
#include <picket.h>
#include <pthread.h>

static int inside;

#if defined TTAS
static int locked;

static int lock(void) {
    while (__atomic_exchange_n(&locked, 1, __ATOMIC_SEQ_CST)) {
        while (__atomic_load_n(&locked, __ATOMIC_RELAXED)) {
        }
    }
    return 0;
}

static void unlock(int ticket) {
    (void)ticket;
    __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}
#elif defined TICKET
static unsigned next;
static unsigned serving;

static unsigned lock(void) {
    unsigned ticket = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&serving, __ATOMIC_RELAXED) != ticket) {
    }
    return ticket;
}

static void unlock(unsigned ticket) {
    __atomic_store_n(&serving, ticket + 1, __ATOMIC_RELEASE);
}
#elif defined LINUX
static int slots = 1;

static int lock(void) {
    while (__atomic_fetch_sub(&slots, 1, __ATOMIC_SEQ_CST) != 1) {
        while (__atomic_load_n(&slots, __ATOMIC_RELAXED) <= 0) {
        }
    }
    return 0;
}

static void unlock(int ticket) {
    (void)ticket;
    __atomic_store_n(&slots, 1, __ATOMIC_RELEASE);
}
#elif defined MUTEX
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock(void) {
    return pthread_mutex_lock(&mutex);
}

static void unlock(int ticket) {
    (void)ticket;
    pthread_mutex_unlock(&mutex);
}
#else
static int lock(void) {
    return 0;
}

static void unlock(int ticket) {
    (void)ticket;
}
#endif

static void *work(void *argument) {
    for (;;) {
        unsigned ticket = (unsigned)lock();
#ifdef EARLY
        unlock(ticket);
#endif
        inside = inside + 1;
        picket_assert(inside == 1);
        inside = inside - 1;
#ifndef EARLY
        unlock(ticket);
#endif
    }
    return argument;
}

int main(void) {
    picket_any_number(work, NULL);
    return 0;
}
