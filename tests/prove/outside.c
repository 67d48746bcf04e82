// prove => output "assumed: malloc does not fail ("
// prove -DWAITS => output "assumed: condition variables do not wake without a signal ("
// prove -DWEAK => output "assumed: weak compare-and-swaps do not fail spuriously ("
// prove -DCALLED_IN_MAIN => output "assumed: malloc does not fail ("
// prove -DNOTHING => output "the store buffer adds no state, for any number of threads"
// robust --engine prove => safe assuming malloc
// robust --engine prove -DNOTHING => safe
/* What a proof assumes of the outside: what an instruction that a thread reaches may meet, and main before it creates
 * threads. */
#include <picket.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *body(void *unused) {
#ifdef WAITS
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
#elif defined WEAK
    int old = 0;
    atomic_compare_exchange_weak(&number, &old, 1);
#elif !defined NOTHING && !defined CALLED_IN_MAIN
    free(malloc(8));
#endif
    atomic_fetch_add(&number, 1);
    (void)mutex;
    (void)condition;
    return unused;
}

int main(void) {
#ifdef CALLED_IN_MAIN
    free(malloc(8));
#endif
    picket_any_number(body, NULL);
    return 0;
}
