// The THE protocol of Cilk (M. Frigo, C. E. Leiserson and K. H. Randall, "The implementation of the Cilk-5
// multithreaded language", 1998): owner and thief each claim a task before they look; only the owner who meets a thief
// takes the lock.
#define ONCE
#include "work_stealing.h"

static _Atomic int tasks[TASKS];
static _Atomic int head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int task) {
    int at = LOAD(tail);
    STORE(tasks[at], task);
    STORE_FENCE_FROM_PSO();
    STORE(tail, at + 1);
}

static int take(void) {
    int at = LOAD(tail) - 1;
    STORE(tail, at);
    FENCE_FROM_TSO();
    if (LOAD(head) > at) {
        STORE(tail, at + 1);
        pthread_mutex_lock(&lock);
        STORE(tail, at);
        bool empty = LOAD(head) > at;
        if (empty) {
            STORE(tail, at + 1);
        }
        pthread_mutex_unlock(&lock);
        if (empty) {
            return 0;
        }
    }
    return LOAD(tasks[at]);
}

static int steal(void) {
    pthread_mutex_lock(&lock);
    int at = LOAD(head);
    STORE(head, at + 1);
    FENCE_FROM_TSO();
    int task = 0;
    if (at + 1 > LOAD(tail)) {
        STORE(head, at);
    } else {
        task = LOAD(tasks[at]);
    }
    pthread_mutex_unlock(&lock);
    return task;
}
