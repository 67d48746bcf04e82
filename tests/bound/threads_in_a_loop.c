// Threads created in a loop, with locals of main that they share.
//
// check --engine rounds --rounds 3 => violation assertion:46
// check --engine age --age 1 => violation assertion:46
// check --engine rounds --rounds 2 -DLOCKED => safe within bounds
// check --engine age --age 1 -DLOCKED => safe within bounds
#include <assert.h>
#include <pthread.h>

#define THREADS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct job {
    int *mine;
    int *other;
    int saw;
};

static void *work(void *argument) {
    struct job *job = argument;
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    *job->mine = 1;
    job->saw = *job->other;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

#define CHECK(jobs) assert((jobs)[0].saw || (jobs)[1].saw)

int main(void) {
    int cells[THREADS] = {0};
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){&cells[i], &cells[(i + 1) % THREADS], 0};
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK(jobs);
}
