// check --model sc --engine brute => violation reach_error:42
// check --model sc --engine brute -DLIMIT=9 => safe
// Two threads add to each other's number.
#include <pthread.h>

#ifndef LIMIT
#define LIMIT 8
#endif

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int i = 1, j = 1;

void *t1(void *arg) {
    for (int k = 0; k < 2; k++) {
        __VERIFIER_atomic_begin();
        i = i + j;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

void *t2(void *arg) {
    for (int k = 0; k < 2; k++) {
        __VERIFIER_atomic_begin();
        j = j + i;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t id1, id2;
    pthread_create(&id1, NULL, t1, NULL);
    pthread_create(&id2, NULL, t2, NULL);
    __VERIFIER_atomic_begin();
    int largest = i > j ? i : j;
    __VERIFIER_atomic_end();
    if (largest >= LIMIT)
        reach_error(); // here
    return 0;
}
