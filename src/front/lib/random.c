/* Random numbers of <stdlib.h>: the sequences that glibc gives, so that a program prints what it prints natively.  Each
 * thread has a sequence of its own: in glibc they share one, behind a lock. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#define TERMS 31
#define DISTANCE 3

/* x[n] = x[n-3] + x[n-31] over the last 31 terms, begun by a multiplicative generator; the first 310 are dropped. */
static _Thread_local uint32_t terms[TERMS];
static _Thread_local unsigned next_term; /* of the oldest one */
static _Thread_local int seeded;

static uint32_t random_next(void) {
    uint32_t sum = terms[next_term] + terms[(next_term + TERMS - DISTANCE) % TERMS];
    terms[next_term] = sum;
    next_term = (next_term + 1) % TERMS;
    return sum >> 1;
}

void srandom(unsigned seed) {
    int32_t word = seed == 0 ? 1 : (int32_t)seed;
    terms[0] = (uint32_t)word;
    for (int i = 1; i < TERMS; i++) {
        word = (int32_t)(16807 * (int64_t)(word % 127773) - 2836 * (int64_t)(word / 127773));
        if (word < 0) {
            word += INT32_MAX;
        }
        terms[i] = (uint32_t)word;
    }
    next_term = DISTANCE;
    seeded = 1;
    for (int i = 0; i < 10 * TERMS; i++) {
        random_next();
    }
}

long random(void) {
    if (!seeded) {
        srandom(1);
    }
    return random_next();
}

void srand(unsigned seed) {
    srandom(seed);
}

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
static _Thread_local uint64_t state48;

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
