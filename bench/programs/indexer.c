// Threads put their messages into a shared hash table (C. Flanagan and P. Godefroid, "Dynamic partial-order reduction
// for model checking software", 2005). Up to 11 threads never meet: only a dynamic analysis of the indices can see it.
#include "harness.h"

#ifndef THREADS
#define THREADS 2
#endif
#define SIZE 128
#define MESSAGES 4

static _Atomic int table[SIZE];

static int message(int me, int number) {
    return number * 11 + me + 1;
}

static void *insert(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int i = 1; i <= MESSAGES; i++) {
        int word = message(me, i);
        int at = word * 7 % SIZE;
        while (!compare_and_swap(&table[at], 0, word)) {
            at = (at + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void) {
    run_threads(THREADS, insert);
    int filled = 0;
    for (int at = 0; at < SIZE; at++) {
        filled += LOAD(table[at]) != 0;
    }
    assert(filled == THREADS * MESSAGES);
    return 0;
}
