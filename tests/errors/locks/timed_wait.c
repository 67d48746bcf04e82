// check --model sc --engine brute => safe assuming spurious
// check --model sc --engine brute -DTIMELY => violation assertion:16
// Waiting with a time limit ends by itself, so there is no deadlock.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec later = {2000000000, 0};
    pthread_mutex_lock(&lock);
    int code = pthread_cond_timedwait(&condition, &lock, &later);
#ifdef TIMELY
    assert(code == 0); // here
#endif
    (void)code;
    pthread_mutex_unlock(&lock);
    return 0;
}
