// check --engine explore --model sc => safe traces 4
// check --engine explore --model tso => safe traces 4
// check --engine explore --model pso => safe traces 4
// check -DREADERS=4 --engine explore --model tso => safe traces 16
//
// Readers of a reader-writer lock do not disturb each other: each comes before or after the writer.
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int value = x;
    (void)value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++) {
        pthread_create(&threads[i], NULL, reader, NULL);
    }
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
