// prove --model pso => error "the theorem is about TSO"
// prove -DRECURSION => error "refused.c:22: error: prove cannot do this: recursion"
// prove -DTARGET => error "refused.c:35: error: prove cannot do this: a store whose target is not known"
// prove -DLOOP => error "prove cannot do this: an atomic section with a loop"
// prove -DCALL => error "refused.c:44: error: prove cannot do this: a call whose target is not known"
// prove --smt /dev/null/none => error "cannot make the directory"
/* What a proof cannot do, with the line. */
#include <picket.h>
#include <pthread.h>

static int x;
static long number;
static int (*function)(int);

static int twice(int n) {
    return 2 * n;
}

static int down(int n) {
    x = n;
    if (n > 0) {
        return down(n - 1);
    }
    return twice(n);
}

static void *work(void *argument) {
    (void)argument;
    x = picket_nondet_int(0, 9);
    number = x;
#ifdef RECURSION
    down(x);
#endif
#ifdef TARGET
    *(int *)(number * number) = 1;
#endif
#ifdef LOOP
    picket_atomic_begin();
    for (int i = 0; i < x; i++) {
        x--;
    }
    picket_atomic_end();
#elif defined CALL
    ((int (*)(int))(number * number))(3);
#endif
    function = x ? twice : NULL;
    return argument;
}

int main(void) {
    picket_any_number(work, 0);
    down(0);
    return 0;
}
