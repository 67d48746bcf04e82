/* Random numbers of <stdlib.h>: the sequences of glibc, so that a program prints what it prints natively.  All threads
 * share them.  In glibc a lock protects random and rand; here it is an atomic section, which empties the store buffer
 * as that lock does.  The drand48 family is not protected, in glibc or here. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#include "intrinsics.h"

#define TERMS 31
#define DISTANCE 3

/* x[n] = x[n-3] + x[n-31] over the last 31 terms, begun by a multiplicative generator; the first 310 are dropped. */
struct terms {
    uint32_t term[TERMS];
    unsigned next; /* the oldest one */
};

/* The state after srandom(1). */
static struct terms shared = {
    {
        2568305073u, 379960547u,  1735697613u, 1040273694u, 1313901226u, 1627687941u, 4115662359u, 2221633813u,
        1780058412u, 2305464239u, 3678992694u, 344556628u,  939512070u,  3045851036u, 1507946756u, 3482421833u,
        154635395u,  1388815473u, 2368290473u, 525320961u,  3285938622u, 968117788u,  4171517689u, 1284210865u,
        435012392u,  2277460957u, 3383902437u, 3924708123u, 1132637927u, 1398500161u, 4089365978u,
    },
    3};

static uint32_t terms_next(struct terms *terms) {
    uint32_t sum = terms->term[terms->next] + terms->term[(terms->next + TERMS - DISTANCE) % TERMS];
    terms->term[terms->next] = sum;
    terms->next = (terms->next + 1) % TERMS;
    return sum >> 1;
}

/* Begins glibc's sequence, shared by all threads. */
void srandom(unsigned seed) {
    struct terms terms;
    int32_t word = seed == 0 ? 1 : (int32_t)seed;
    terms.term[0] = (uint32_t)word;
    for (int i = 1; i < TERMS; i++) {
        word = (int32_t)(16807 * (int64_t)(word % 127773) - 2836 * (int64_t)(word / 127773));
        if (word < 0) {
            word += INT32_MAX;
        }
        terms.term[i] = (uint32_t)word;
    }
    terms.next = DISTANCE;
    for (int i = 0; i < 10 * TERMS; i++) {
        terms_next(&terms);
    }
    __picket_atomic_begin();
    shared = terms;
    __picket_atomic_end();
}

/* The next of glibc's sequence, shared by all threads. */
long random(void) {
    __picket_atomic_begin();
    uint32_t number = terms_next(&shared);
    __picket_atomic_end();
    return number;
}

void srand(unsigned seed) {
    srandom(seed);
}

/* The next of glibc's sequence, shared by all threads. */
int rand(void) {
    return (int)random();
}

int rand_r(unsigned *seed) {
    unsigned next = *seed;
    next = next * 1103515245 + 12345;
    unsigned result = next / 65536 % 2048;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    *seed = next;
    return (int)result;
}

/* The 48-bit linear congruential generator of POSIX. */
static uint64_t state48;

static uint64_t next48(void) {
    state48 = (state48 * UINT64_C(0x5deece66d) + 11) & UINT64_C(0xffffffffffff);
    return state48;
}

void srand48(long seed) {
    state48 = (uint64_t)(uint32_t)seed << 16 | 0x330e;
}

long lrand48(void) {
    return (long)(next48() >> 17);
}

long mrand48(void) {
    return (int32_t)(next48() >> 16);
}

double drand48(void) {
    return (double)next48() / 281474976710656.0;
}
