// check --engine explore => safe
// check --engine explore -DHEAP => safe assuming uninitialised, malloc
// check --engine explore -DARRAY => safe assuming uninitialised
// check --engine explore -DPASSED => safe assuming uninitialised
// check --engine explore -DSHARED => safe assuming uninitialised
// check --engine explore -DSHARED --model pso => safe assuming uninitialised
// check --engine explore -DLOCK => safe assuming uninitialised
// check --engine explore -DWRITTEN => safe assuming malloc
// check --engine reach -DHEAP => safe assuming uninitialised, malloc
// check --engine reach -DARRAY => safe assuming uninitialised
// check --engine reach -DSHARED => safe assuming uninitialised
// check --engine reach -DLOCK => safe assuming uninitialised
// check --engine reach -DWRITTEN => safe assuming malloc
// check --engine brute -DARRAY => safe assuming uninitialised
// check --engine brute -DSHARED => safe assuming uninitialised
// check --engine brute -DWRITTEN => safe assuming malloc
// check --engine lazy -DARRAY => safe assuming uninitialised
// check --engine lazy -DSHARED => safe assuming uninitialised
// check --engine lazy -DLOCK => safe assuming uninitialised
// check --engine switches -DSHARED => safe assuming uninitialised
// check --engine seq -DHEAP => safe assuming uninitialised, malloc
// check --engine seq -DARRAY => safe assuming uninitialised
// check --engine seq -DPASSED => safe assuming uninitialised
// check --engine seq -DSHARED => safe assuming uninitialised
// check --engine seq -DSHARED --model pso => safe assuming uninitialised
// check --engine seq -DLOCK => safe assuming uninitialised
// check --engine seq -DWRITTEN => safe assuming malloc
// check --check uninit -DARRAY => violation uninitialised
/* Blocks of the heap, arrays, locals whose address is taken: reading what was never written returns 0, which is
 * assumed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int *shared;

static void *reads(void *unused) {
    (void)unused;
    if (shared) {
        assert(shared[1] == 0);
    }
    return NULL;
}

__attribute__((noinline)) static int passed(const int *number) {
    return number[0];
}

int main(void) {
    pthread_t thread;
#ifdef HEAP
    int *block = malloc(2 * sizeof *block);
    assert(block[1] == 0);
#endif
#ifdef ARRAY
    volatile int index = 1;
    int array[4];
    array[0] = 1;
    assert(array[index] == 0);
#endif
#ifdef PASSED
    int number;
    assert(passed(&number) == 0);
#endif
#ifdef SHARED
    int numbers[2];
    numbers[0] = 1;
    shared = numbers;
#endif
#ifdef WRITTEN
    int *block = calloc(2, sizeof *block);
    int *other = malloc(2 * sizeof *other);
    memcpy(other, block, 2 * sizeof *other);
    shared = other;
    int array[2] = {0};
    int number;
    number = 0;
    assert(passed(&number) == 0 && passed(array) == 0);
#endif
#ifdef LOCK
    pthread_mutex_t mutex;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    pthread_create(&thread, NULL, reads, NULL);
    pthread_join(thread, NULL);
    return 0;
}
