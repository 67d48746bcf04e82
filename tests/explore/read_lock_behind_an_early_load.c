// check --model sc --engine explore => safe traces 3
// check --model tso --engine explore => safe traces 3
// check --model pso --engine explore => safe traces 3
// A read lock adds to the number of readers.  A load of that number that the own buffer serves comes before it as one
// that reads memory does.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *argument) {
    pthread_rwlock_rdlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    volatile int *readers = &((volatile int *)&lock)[1];
    int seen;
    pthread_create(&thread, NULL, reader, NULL);
    *readers = 1;
    seen = *readers;
    (void)seen;
    return 0;
}
