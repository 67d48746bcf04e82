// run => native
// A thread pool with a work list; the result does not depend on the schedule.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int n;
    struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int closed;
static long total;

static long work(int n) {
    return n < 2 ? n : work(n - 1) + work(n - 2);
}

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!jobs && !closed)
            pthread_cond_wait(&more, &lock);
        struct job *job = jobs;
        if (job)
            jobs = job->next;
        pthread_mutex_unlock(&lock);
        if (!job)
            return unused;
        long result = work(job->n);
        free(job);
        pthread_mutex_lock(&lock);
        total += result;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 1; i <= 12; i++) {
        struct job *job = malloc(sizeof *job);
        job->n = i;
        pthread_mutex_lock(&lock);
        job->next = jobs;
        jobs = job;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", total);
    return 0;
}
