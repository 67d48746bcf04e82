// Two threads add to each other's sum, N times each: the highest sum that they can reach is the Fibonacci number
// 2N + 2. -DUNSAFE claims that it is never reached. A third thread reads the sums while they grow; with -DJOIN main
// looks when both threads have ended.
#include "harness.h"

#ifndef N
#define N 5
#endif

static _Atomic int first = 1, second = 1;

static const int highest_sums[] = {1, 3, 8, 21, 55, 144, 377, 987, 2584, 6765}; // by N

static void check_sums(void) {
    int one = LOAD(first);
    int other = LOAD(second);
#ifdef UNSAFE
    assert(one < highest_sums[N] && other < highest_sums[N]);
#else
    assert(one <= highest_sums[N] && other <= highest_sums[N]);
#endif
}

static void *work(void *argument) {
    switch ((intptr_t)argument) {
    case 0:
        for (int i = 0; i < N; i++) {
            STORE(first, LOAD(first) + LOAD(second));
        }
        break;
    case 1:
        for (int i = 0; i < N; i++) {
            STORE(second, LOAD(second) + LOAD(first));
        }
        break;
    default:
        check_sums();
        break;
    }
    return NULL;
}

int main(void) {
#ifdef JOIN
    run_threads(2, work);
    check_sums();
#else
    run_threads(3, work);
#endif
    return 0;
}
