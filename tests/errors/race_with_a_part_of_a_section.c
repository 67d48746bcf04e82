// check --check races -DWRITE_OUTSIDE => violation race
// check --check races -DWRITE_OUTSIDE --engine brute => violation race
// check --check races -DWRITE_OUTSIDE --engine reach => violation race
// check --check races -DATOMIC_OUTSIDE => violation race
// check --check races -DATOMIC_OUTSIDE --engine brute => violation race
// check --check races -DATOMIC_BOTH => safe
// check --check races -DATOMIC_BOTH --engine brute => safe
// check --check races -DWAITS => violation race
// check --check races -DWAITS --model pso => violation race
// check --check races -DWAITS --engine brute => violation race
// check --check races -DWAITS --engine reach => violation race
// check --check races -DCREATES => safe
// check --check races -DCREATES --engine brute => safe
// check --check races -DCREATES -DGOES_ON => violation race
// check --check races -DCREATES -DGOES_ON --engine brute => violation race
// check --check races -DCHOOSES => violation race
// check --check races -DCHOOSES --engine brute => violation race
// Which access of the section is in the race, and with what: a write outside, an atomic access outside, a loop that
// waits; of a thread that the section itself has created only with what the section does then.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int other;
#ifdef ATOMIC_BOTH
static _Atomic int shared;
#else
static int shared;
#endif

static void *outside(void *unused) {
#if defined ATOMIC_OUTSIDE || defined ATOMIC_BOTH
    __atomic_fetch_add((int *)&shared, 1, __ATOMIC_RELAXED);
#elif defined WAITS
    while (*(volatile int *)&shared == 0) {
    }
#else
#ifndef CREATES
    shared = 2;
#elif defined GOES_ON
    __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED); /* a step at once, not a store into the buffer */
#else
    shared = 3;
#endif
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
#ifndef CREATES
    pthread_create(&thread, NULL, outside, NULL);
#endif
    __VERIFIER_atomic_begin();
    other = 1;
#ifdef CHOOSES
    if (__VERIFIER_nondet_bool())
#endif
        shared = 1;
    int seen = shared + other;
#ifdef CREATES
    pthread_create(&thread, NULL, outside, NULL);
#ifdef GOES_ON
    seen += shared;
#endif
#endif
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return seen;
}
