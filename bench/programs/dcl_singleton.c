// Double-checked locking: a thread that finds the instance does not lock. It must not be found before it is filled in.
#include "harness.h"

#ifndef THREADS
#define THREADS 2
#endif

struct singleton {
    _Atomic int value;
};

static _Atomic(struct singleton *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct singleton *singleton_get(void) {
    if (!LOAD(instance)) {
        pthread_mutex_lock(&lock);
        if (!LOAD(instance)) {
            struct singleton *made = malloc(sizeof *made);
            STORE(made->value, 42);
            STORE_FENCE_FROM_PSO();
            STORE(instance, made);
        }
        pthread_mutex_unlock(&lock);
    }
    return LOAD(instance);
}

static void *use(void *argument) {
    assert(LOAD(singleton_get()->value) == 42);
    return argument;
}

int main(void) {
    run_threads(THREADS, use);
    return 0;
}
