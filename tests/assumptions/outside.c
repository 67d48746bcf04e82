// check --engine explore -DENVIRONMENT => safe assuming environment
// check --engine reach -DENVIRONMENT => safe assuming environment
// check --engine seq -DENVIRONMENT => safe assuming environment
// check --engine explore -DARGUMENTS => safe assuming arguments
// check --engine reach -DARGUMENTS => safe assuming arguments
// check --engine seq -DARGUMENTS => safe assuming arguments
// check --engine explore -DINPUT => safe assuming input
// check --engine reach -DINPUT => safe assuming input
// check --engine seq -DINPUT => safe assuming input
// check --engine explore -DSIGNALS => safe assuming signals
// check --engine reach -DSIGNALS => safe assuming signals
// check --engine seq -DSIGNALS => safe assuming signals
// check --engine explore -DSYSTEM => safe assuming system
// check --engine reach -DSYSTEM => safe assuming system
// check --engine seq -DSYSTEM => safe assuming system
// check --engine explore -DCLOCK => safe assuming clock
// check --engine reach -DCLOCK => safe assuming clock
// check --engine seq -DCLOCK => safe assuming clock
// check --engine explore => safe
// check --engine explore -DDEADLINE => violation assertion:70
// check --engine seq -DDEADLINE => violation assertion:70
// check --engine explore -DMONOTONE => safe assuming clock
// check --engine seq -DMONOTONE => safe assuming clock
// check --engine explore -DJOINED => safe assuming clock
// check --engine reach -DJOINED => safe assuming clock
// check --engine seq -DJOINED => safe assuming clock
// check --engine explore --model pso -DSEEN => safe assuming clock
// check --engine seq -DSEEN => safe assuming clock
// What the outside decides: each is named where a program asks for it.  The clock goes back in no thread, nor from one
// thread to another that has seen what the first did afterwards, and an hour may pass between two readings.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct timespec then;
static atomic_int done;

static void *look(void *unused) {
    clock_gettime(CLOCK_MONOTONIC, &then);
    atomic_store_explicit(&done, 1, memory_order_release);
    return unused;
}

#ifdef ARGUMENTS
int main(int count, char **arguments) {
    return count > 5 && arguments[1][0];
}
#else
int main(void) {
#ifdef ENVIRONMENT
    assert(!getenv("HOME") || 1);
#elif defined INPUT
    int value = 0;
    scanf("%d", &value);
#elif defined SIGNALS
    signal(SIGINT, SIG_IGN);
#elif defined SYSTEM
    assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
#elif defined CLOCK
    time_t start = time(NULL);
    assert(start > 0);
#elif defined DEADLINE
    time_t start = time(NULL);
    assert(time(NULL) - start < 60);
#elif defined MONOTONE
    struct timespec one, other;
    clock_gettime(CLOCK_MONOTONIC, &one);
    clock_gettime(CLOCK_MONOTONIC, &other);
    assert(other.tv_sec > one.tv_sec || (other.tv_sec == one.tv_sec && other.tv_nsec >= one.tv_nsec));
#elif defined JOINED || defined SEEN
    pthread_t thread;
    struct timespec now;
    pthread_create(&thread, NULL, look, NULL);
#ifdef JOINED
    pthread_join(thread, NULL);
#else
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
    }
#endif
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > then.tv_sec || (now.tv_sec == then.tv_sec && now.tv_nsec >= then.tv_nsec));
#endif
    return 0;
}
#endif
