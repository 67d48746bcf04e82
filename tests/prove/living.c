// prove => safe assuming malloc
// prove --timeout 2 -DUNKNOWN_SIZE => undecided
// prove -DBEYOND => violation out-of-bounds
// prove -DNOTHING => violation null-pointer
// prove -DENDED => violation dangling-pointer
// prove -DCONSTANT => violation write-to-constant
/* If something is asserted, every access must hit a living object.  Threads share a box that main has made, through a
 * pointer that is null at first. */
#include <picket.h>
#include <pthread.h>
#include <stdlib.h>

static const int fixed = 3;
static int numbers[4];
static int *volatile shared;

static void *work(void *argument) {
    int i = picket_nondet_int(0, 3);
    numbers[i] = 1;
#ifdef BEYOND
    numbers[i + 1] = 1;
#endif
#ifdef CONSTANT
    *(int *)&fixed = 4;
#endif
    int *box = shared;
#ifndef NOTHING
    if (box)
#endif
    {
        *box = 2;
    }
    picket_assert(i >= 0 && i <= 3);
    (void)fixed;
    return argument;
}

static void *give(void *argument) {
#ifdef UNKNOWN_SIZE
    int *box = malloc((size_t)picket_nondet_int(4, 8));
#else
    int *box = malloc(sizeof *box);
#endif
    shared = box;
#ifdef ENDED
    free(box);
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    picket_any_number(work, NULL);
    return 0;
}
