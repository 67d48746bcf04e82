// check --model sc => safe traces 3
// check --model tso -j 2 => safe traces 3
// check --model pso => safe traces 3
// check --engine brute --collect traces => safe traces 3
// check -DLARGE => safe traces 10
// check -DLARGE --engine brute --collect traces => safe traces 10
/* A loop that waits for a value which an atomic section overwrites may end before the section, between two of them, or
 * never; the same if the section touches many variables. */
#include <pthread.h>

#include "picket.h"

static volatile int flag;
static int x[8];

static void *writer(void *argument) {
    (void)argument;
    for (int value = 2; value <= 4; value++) {
        picket_atomic_begin();
#ifdef LARGE
        for (int i = 0; i < 8; i++) {
            x[i] = value;
        }
#endif
        flag = value * 2;
        flag = value % 4;
        picket_atomic_end();
    }
    return NULL;
}

static void *waiter(void *argument) {
    (void)argument;
    while (flag == 0) {
    }
    x[0]++;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, waiter, NULL);
    pthread_join(one, NULL);
    return 0;
}
