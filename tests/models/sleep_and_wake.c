// check --model sc --engine brute => safe
// check --model tso --engine brute => violation deadlock
// check --model tso --engine brute -DFENCED => safe
// A waker that sees none asleep does not post; a sleeper that sees no work sleeps. Without fences both may be wrong.
#include <pthread.h>
#include <semaphore.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int work, asleep;
static sem_t wake;

static void *sleeper(void *unused) {
    asleep = 1;
    FENCE();
    if (!work)
        sem_wait(&wake);
    return unused;
}

static void *waker(void *unused) {
    work = 1;
    FENCE();
    if (asleep)
        sem_post(&wake);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&wake, 0, 0);
    pthread_create(&a, NULL, sleeper, NULL);
    pthread_create(&b, NULL, waker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
