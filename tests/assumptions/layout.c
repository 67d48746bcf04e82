// check --engine explore -DBETWEEN => safe assuming layout
// check --engine reach -DBETWEEN => safe assuming layout
// check --engine brute -DBETWEEN => safe assuming layout
// check --engine lazy -DBETWEEN => safe assuming layout
// check --engine rounds -DBETWEEN => safe assuming layout
// check --engine seq -DBETWEEN => safe assuming layout
// check --engine explore -DWITHIN => safe
// check --engine reach -DWITHIN => safe
// check --engine brute -DWITHIN => safe
// check --engine lazy -DWITHIN => safe
// check --engine rounds -DWITHIN => safe
// check --engine seq -DWITHIN => safe
// check --engine explore -DLOW_BITS => safe assuming layout
// check --engine reach -DLOW_BITS => safe assuming layout
// check --engine brute -DLOW_BITS => safe assuming layout
// check --engine lazy -DLOW_BITS => safe assuming layout
// check --engine rounds -DLOW_BITS => safe assuming layout
// check --engine seq -DLOW_BITS => safe assuming layout
// check --engine explore -DALIGNED => safe
// check --engine reach -DALIGNED => safe
// check --engine brute -DALIGNED => safe
// check --engine lazy -DALIGNED => safe
// check --engine rounds -DALIGNED => safe
// check --engine seq -DALIGNED => safe
// check --engine explore -DTAGGED => safe assuming malloc
// check --engine explore -DHASH => safe assuming layout
// check --engine explore -DEQUAL => safe
// check --engine explore -DASSUMED => safe assuming layout
// Which of two objects has the larger address, and bits of addresses that no alignment decides, are the same in all
// executions here, and need not be: the verdict says so.  Not where the answer does not depend on that.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

static int one, other;
static char bytes[8];
static _Alignas(64) int aligned;

static void *work(void *unused) {
    one = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    int taken = 0;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BETWEEN
    taken = &one < &other;
#elif defined WITHIN
    taken = &bytes[one] < &bytes[4];
#elif defined LOW_BITS
    taken = ((uintptr_t)&one & 16) != 0;
#elif defined ALIGNED
    taken = ((uintptr_t)&aligned & 16) != 0;
#elif defined TAGGED
    int *block = malloc(sizeof *block);
    uintptr_t tagged = (uintptr_t)block | 1;
    taken = (tagged & 1) != 0;
    free((void *)(tagged & ~(uintptr_t)1));
#elif defined HASH
    taken = (int)((uintptr_t)&one >> 4) % 7;
#elif defined EQUAL
    taken = (uintptr_t)&one == (uintptr_t)&other;
#elif defined ASSUMED
    __VERIFIER_assume(&one < &other || &other < &one);
#endif
    pthread_join(thread, NULL);
    return taken;
}
