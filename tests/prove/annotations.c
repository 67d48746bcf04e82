// prove => safe
// prove -DSTORES => error "annotations.c:38:5: error: the condition of an annotation must not store"
// prove -DUPDATES => error "the condition of an annotation must not read and modify"
// prove -DCALLS => error "the condition of an annotation must not call a function"
// prove -DWAITS => error "the condition of an annotation must not wait or end anything"
// prove -DEXCLUDES => error "picket_reads excludes what is really read: 2, for instance"
// prove -DELSEWHERE => error "the condition of an abstraction must read no other location than the access"
// prove -DNO_LOAD => error "its first argument is not what a load just before it has read"
// prove -DNO_UPDATE => error "its first argument is not the result of a read-modify-write"
// prove -DPRIVATE => error "is not what a load just before it has read"
// prove -DINSIDE => error "an annotation in an atomic section"
// prove -DLATE => error "picket_invariant that is not in main before its first thread"
// prove -DLOCAL => error "that always holds must not use local variables"
// check -DSTORES => safe
// check --model sc --check claims -DSTORES => error "the condition of an annotation must not store"
/* Annotations that cannot be used are refused, with the line; commands that do not use them do not mind. */
#include <picket.h>
#include <stddef.h>

static int x;
static int y;
static int sum;

static int __attribute__((noinline)) twice(int n) {
    return n > 100 ? twice(n - 1) : 2 * n;
}

static void *work(void *argument) {
    (void)argument;
    (void)twice;
#ifdef PRIVATE
    volatile int own = 0;
    int q = own;
    picket_reads(q, q == 0);
#endif
    int r = x;
#if defined STORES
    picket_claim((y = 1));
#elif defined UPDATES
    picket_claim(__atomic_fetch_add(&x, 0, __ATOMIC_SEQ_CST) == 0);
#elif defined CALLS
    picket_claim(twice(x) >= 0);
#elif defined WAITS
    picket_claim((picket_fence(), 1));
#elif defined EXCLUDES
    picket_reads(r, r == x && r != 2);
#elif defined ELSEWHERE
    picket_reads(r, r == x || r == y);
#elif defined NO_LOAD
    picket_reads(sum - 1, 1);
#elif defined NO_UPDATE
    picket_may_fail(r, 1);
#elif defined INSIDE
    picket_atomic_begin();
    picket_claim(1);
    picket_atomic_end();
#elif defined LATE
    picket_invariant(x >= 0);
#else
    picket_reads(r, r == x || r == 0);
    int old = __atomic_exchange_n(&y, 1, __ATOMIC_SEQ_CST);
    picket_may_fail(old, old == 1);
    sum = old;
#endif
    sum = r;
    return NULL;
}

int main(void) {
#ifdef LOCAL
    int local = picket_nondet_int(0, 3);
    picket_invariant(x >= local);
#endif
    picket_any_number(work, NULL);
    x = 2;
    return 0;
}
