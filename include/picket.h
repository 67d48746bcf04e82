/* picket.h: functions by which a program addresses Picket.
 *
 * A program that includes this header can still be compiled and run natively: then the functions below are small
 * stand-ins.  Under Picket (which defines __PICKET__) they are part of what is verified.
 *
 *     #include <picket.h>
 *     int x = picket_nondet_int(0, 3);   // every value from 0 to 3 is tried
 *     picket_assume(x != 2);             // executions in which x is 2 are dropped
 *     picket_assert(x < 4);              // must hold in all others */
#ifndef PICKET_H
#define PICKET_H

#ifdef __cplusplus
extern "C" {
#endif

/* picket_assert(CONDITION): an error if the condition is false.  Like assert, but NDEBUG does not switch it off. */
#define picket_assert(condition) ((condition) ? (void)0 : __picket_assert_failed(#condition))

#ifdef __PICKET__

void __picket_assert_failed(const char *expression) __attribute__((noreturn));

/* Drops the execution if the condition is 0: what follows does not count. */
void picket_assume(int condition);

/* Any value from low to high, both included. */
int picket_nondet_int(int low, int high);
long picket_nondet_long(long low, long high);

/* True or false. */
int picket_nondet_bool(void);

/* Creates detached threads that call body(argument): any number of them for `picket prove`, for the other
 * commands the number given by --threads (default 2). */
#ifndef PICKET_THREADS
#define PICKET_THREADS 2
#endif
void __picket_any_number(void *(*body)(void *), void *argument, int threads);
#define picket_any_number(body, argument) __picket_any_number(body, argument, PICKET_THREADS)

/* Between these two no other thread steps and no other store buffer drains.  The own buffer is empty at both ends.  A
 * section that has to wait inside (for a lock, say) is an error. */
void picket_atomic_begin(void);
void picket_atomic_end(void);

/* Annotations for `picket prove`; other commands ignore them.  Their expressions read memory and
 * local variables, and do nothing else.
 *
 *     picket_claim(e)          e holds whenever a thread is at this line
 *     picket_invariant(e)      in main before its first thread: e always holds
 *     picket_reads(r, e)       after a load into r: it may return every r with e, which reads the same location
 *                              and local variables
 *     picket_may_fail(r, e)    after a read-modify-write or compare-and-swap into r: it may instead leave memory
 *                              unchanged and return any r with e
 *
 * Claims and invariants are about executions under SC; `picket check --model sc --check claims` tests them. */
#define picket_claim(e) __picket_noted(__picket_note(0, 0), !!(e))
#define picket_invariant(e) __picket_noted(__picket_note(1, 0), !!(e))
#define picket_reads(r, e) __picket_noted(__picket_note(2, (unsigned long)(r)), !!(e))
#define picket_may_fail(r, e) __picket_noted(__picket_note(3, (unsigned long)(r)), !!(e))
int __picket_note(int kind, unsigned long value);
void __picket_noted(int note, int condition);

/* A full memory fence, as mfence. */
void picket_fence(void);

/* Marks a loop that waits for another thread, as sched_yield does. */
void picket_yield(void);

#else

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static inline void __picket_assert_failed(const char *expression) {
    fprintf(stderr, "assertion \"%s\" failed\n", expression);
    abort();
}

static inline void picket_assume(int condition) {
    if (!condition) {
        exit(0);
    }
}

static inline int picket_nondet_int(int low, int high) {
    return (int)(low + rand() % ((long)high - low + 1));
}

static inline long picket_nondet_long(long low, long high) {
    unsigned long values = (unsigned long)high - (unsigned long)low + 1;
    return low + (long)(values == 0 ? (unsigned long)rand() : (unsigned long)rand() % values);
}

static inline int picket_nondet_bool(void) {
    return rand() & 1;
}

/* Four threads. */
static inline void picket_any_number(void *(*body)(void *), void *argument) {
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, body, argument) == 0) {
            pthread_detach(thread);
        }
    }
}

#define picket_claim(e) ((void)sizeof(e))
#define picket_invariant(e) ((void)sizeof(e))
#define picket_reads(r, e) ((void)sizeof(r), (void)sizeof(e))
#define picket_may_fail(r, e) ((void)sizeof(r), (void)sizeof(e))

static inline void picket_fence(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void picket_yield(void) {
    sched_yield();
}

/* One lock for all sections of a file: atomic against each other, not against accesses outside. */
static inline int *picket_atomic_lock_word(void) {
    static int word;
    return &word;
}

static inline void picket_atomic_begin(void) {
    while (__atomic_exchange_n(picket_atomic_lock_word(), 1, __ATOMIC_SEQ_CST) != 0) {
        sched_yield();
    }
}

static inline void picket_atomic_end(void) {
    __atomic_store_n(picket_atomic_lock_word(), 0, __ATOMIC_SEQ_CST);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
