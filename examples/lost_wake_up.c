// A sleeper and a waker, each of whom announces itself before it looks: a deadlock that only store buffers make.
//
//     ./picket check examples/lost_wake_up.c               a deadlock under TSO
//     ./picket check --model sc examples/lost_wake_up.c    none under sequential consistency
//     ./picket check -DFENCED examples/lost_wake_up.c      none with fences
#include <pthread.h>
#include <semaphore.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE()
#endif

static int work;
static int asleep;
static sem_t wake;

static void *sleeper(void *unused) {
    asleep = 1;
    FENCE();
    if (!work) {
        sem_wait(&wake);
    }
    return unused;
}

static void *waker(void *unused) {
    work = 1;
    FENCE();
    if (asleep) {
        sem_post(&wake);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&wake, 0, 0);
    pthread_create(&threads[0], NULL, sleeper, NULL);
    pthread_create(&threads[1], NULL, waker, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
