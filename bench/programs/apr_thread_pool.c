// A pool of threads after the Apache Portable Runtime: a list of tasks under a lock, workers that sleep on a condition
// variable, and an owner that hands in tasks, says that there will be no more, and waits for the workers.
#include "harness.h"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

struct task {
    struct task *next;
    void (*call)(int *argument);
    int *argument;
};

struct thread_pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct task *first, *last;
    bool closing;
    pthread_t workers[WORKERS];
};

static struct thread_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static int results[TASKS];

static struct task *next_task(void) {
    pthread_mutex_lock(&pool.lock);
    while (!pool.first && !pool.closing) {
        pthread_cond_wait(&pool.more, &pool.lock);
    }
    struct task *task = pool.first;
    if (task) {
        pool.first = task->next;
    }
    pthread_mutex_unlock(&pool.lock);
    return task;
}

static void *worker(void *unused) {
    struct task *task;
    while ((task = next_task())) {
        task->call(task->argument);
        free(task);
    }
    return unused;
}

static void thread_pool_push(void (*call)(int *argument), int *argument) {
    struct task *task = malloc(sizeof *task);
    *task = (struct task){NULL, call, argument};
    pthread_mutex_lock(&pool.lock);
    if (pool.first) {
        pool.last->next = task;
    } else {
        pool.first = task;
    }
    pool.last = task;
    pthread_cond_signal(&pool.more);
    pthread_mutex_unlock(&pool.lock);
}

static void thread_pool_close(void) {
    pthread_mutex_lock(&pool.lock);
    pool.closing = true;
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(pool.workers[i], NULL);
    }
}

static void count(int *result) {
    (*result)++;
}

int main(void) {
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&pool.workers[i], NULL, worker, NULL);
    }
    for (int i = 0; i < TASKS; i++) {
        thread_pool_push(count, &results[i]);
    }
    thread_pool_close();
    for (int i = 0; i < TASKS; i++) {
        assert(results[i] == 1);
    }
    return 0;
}
