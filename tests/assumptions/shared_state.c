// check -DRAND => violation assertion:30
// check -DRAND --engine brute => violation assertion:30
// check -DRAND --check races => violation assertion:30
// check -DSTRTOK --check races => violation race
// check -DDRAND --check races => violation race
// check -DRAND_ALONE => safe
// The random numbers of rand, and where strtok stands, belong to all threads; a lock protects those of rand.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused) {
#ifdef RAND
    rand();
#elif defined STRTOK
    char text[] = "a b";
    strtok(text, " ");
#elif defined DRAND
    drand48();
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#if defined RAND || defined RAND_ALONE
    assert(rand() == 1804289383); /* the first */
#elif defined STRTOK
    char text[] = "c d";
    strtok(text, " ");
#elif defined DRAND
    drand48();
#endif
    pthread_join(thread, NULL);
    return 0;
}
