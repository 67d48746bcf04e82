// prove => safe
// prove => output "safe under TSO: 2 assertions and 4 claims hold, for any number of threads"
// prove => output "abstracted: the load of H"
// prove --timeout 3 -DREAD=h<=H => undecided
// prove --timeout 3 -DREAD=h==H => undecided
// prove -DREAD=h<H => error "picket_reads excludes what is really read"
// prove -DPLAIN => safe
// prove -DPLAIN => output "safe under TSO: 2 assertions hold, for any number of threads"
// prove -DPLAIN => output "the load of H, which may return any number from 0 to what is there"
// prove -DPLAIN --explain => output "each whose index is below T = 7"
// prove -DTWICE -DPLAIN => violation assertion
/* The work-stealing queue of Fig. 3 of the paper: what is taken or stolen was put.  Its owner's load of H passes the
 * store to T, and is no right mover; it is one if it may return every number from 0 to H.  That every access is within
 * the array needs the lower bound, which the paper's figure lacks, and the claims about H and T.  As it is written
 * (PLAIN) the abstraction is found, and facts about H, T and all items below them.  TWICE: that nothing is taken twice
 * is false under TSO. */
#include <picket.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef READ
#define READ 0 <= h &&h <= H
#endif
#define SIZE 8
static atomic_int H, T;
static int items[SIZE];

static int load(atomic_int *p) {
    return atomic_load_explicit(p, memory_order_relaxed);
}
static void store(atomic_int *p, int v) {
    atomic_store_explicit(p, v, memory_order_relaxed);
}

static int put(int item) {
    int t = load(&T);
    if (t >= SIZE) {
        return 0;
    }
    items[t] = item;
    store(&T, t + 1);
    return 1;
}

static int take(void) {
    for (;;) {
#ifndef PLAIN
        picket_claim(0 <= T);
#endif
        int t = load(&T) - 1;
        store(&T, t);
        int h = atomic_load_explicit(&H, memory_order_relaxed);
#ifndef PLAIN
        picket_reads(h, READ);
#endif
        if (t < h) {
            store(&T, h);
            return -1;
        }
        int item = items[t];
        if (t > h) {
            return item;
        }
        store(&T, h + 1);
        if (__sync_bool_compare_and_swap((int *)&H, h, h + 1)) {
            return item;
        }
    }
}

static int steal(void) {
    for (;;) {
        int h = load(&H);
        int t = load(&T);
        if (h >= t) {
            return -1;
        }
        int item = items[h];
        if (__sync_bool_compare_and_swap((int *)&H, h, h + 1)) {
            return item;
        }
    }
}

static int was_put(int item) {
#ifdef TWICE
    static int taken;
    return item != 7 || __sync_fetch_and_add(&taken, 1) == 0;
#else
    return item == 7;
#endif
}

static void *owner(void *argument) {
#ifdef TWICE
    put(6);
    put(7);
    picket_assert(was_put(take()));
#else
    for (;;) {
#ifndef PLAIN
        picket_claim(0 <= T);
#endif
        if (picket_nondet_bool()) {
            put(7);
        } else {
            int item = take();
            picket_assert(item == -1 || was_put(item));
        }
    }
#endif
    return argument;
}

static void *thief(void *argument) {
    int item = steal();
    picket_assert(item == -1 || was_put(item));
    return argument;
}

int main(void) {
    pthread_t thread;
#ifndef PLAIN
    picket_invariant(0 <= H && H <= SIZE);
    picket_invariant(-1 <= T && T <= SIZE);
#endif
    pthread_create(&thread, 0, owner, 0);
    picket_any_number(thief, 0);
    return 0;
}
