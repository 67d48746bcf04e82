// run => native
// Threads that create threads, and their identities.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *branch(void *argument) {
    int depth = *(int *)argument;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    if (depth > 0) {
        int below = depth - 1;
        pthread_t left, right;
        pthread_create(&left, NULL, branch, &below);
        pthread_create(&right, NULL, branch, &below);
        if (pthread_equal(left, right) || pthread_equal(left, pthread_self()))
            puts("not distinct");
        pthread_join(left, NULL);
        pthread_join(right, NULL);
    }
    return NULL;
}

int main(void) {
    int depth = 3;
    branch(&depth);
    printf("%d %d\n", count, pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
