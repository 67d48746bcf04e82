// run => native
// Mutexes of every type: recursive, error-checking, normal; what they return.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t shared;

static void *from_outside(void *unused) {
    (void)unused;
    printf("other trylock %d\n", pthread_mutex_trylock(&shared) == EBUSY);
    printf("other unlock %d\n", pthread_mutex_unlock(&shared) == EPERM);
    return NULL;
}

static void ask_other(void) {
    pthread_t t;
    pthread_create(&t, NULL, from_outside, NULL);
    pthread_join(t, NULL);
}

static void make(int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    int got;
    pthread_mutexattr_gettype(&attributes, &got);
    printf("type %d\n", got == type);
    pthread_mutex_init(&shared, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int main(void) {
    make(PTHREAD_MUTEX_RECURSIVE);
    printf("%d ", pthread_mutex_lock(&shared));
    printf("%d ", pthread_mutex_lock(&shared));
    printf("%d\n", pthread_mutex_trylock(&shared));
    ask_other();
    printf("%d ", pthread_mutex_unlock(&shared));
    printf("%d\n", pthread_mutex_unlock(&shared));
    ask_other();
    printf("%d\n", pthread_mutex_unlock(&shared));
    printf("%d\n", pthread_mutex_destroy(&shared));
    make(PTHREAD_MUTEX_ERRORCHECK);
    printf("%d\n", pthread_mutex_lock(&shared));
    printf("%d\n", pthread_mutex_lock(&shared) == EDEADLK);
    ask_other();
    printf("%d\n", pthread_mutex_unlock(&shared));
    printf("%d\n", pthread_mutex_unlock(&shared) == EPERM);
    make(PTHREAD_MUTEX_NORMAL);
    printf("%d ", pthread_mutex_lock(&shared));
    printf("%d\n", pthread_mutex_trylock(&shared) == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&shared));
    static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    printf("%d ", pthread_mutex_lock(&recursive));
    printf("%d\n", pthread_mutex_lock(&recursive));
    return 0;
}
