// "Last zero" (P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, "Optimal dynamic partial order reduction", 2014): N
// writers a[j] = a[j - 1] + 1, and a reader that looks for the last zero from above: (N + 3) * 2^(N - 2) traces.
#include "harness.h"

#ifndef N
#define N 3
#endif

static _Atomic int a[N + 1];

static void *work(void *argument) {
    int j = (int)(intptr_t)argument;
    if (j > 0) {
        STORE(a[j], LOAD(a[j - 1]) + 1);
        return NULL;
    }
    int last = N;
    while (LOAD(a[last]) != 0) {
        last--;
    }
    return NULL;
}

int main(void) {
    run_threads(N + 1, work);
    return 0;
}
