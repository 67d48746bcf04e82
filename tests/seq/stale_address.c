// Comparisons of the address of an object that another thread frees.  A comparison belongs to the step before it: the
// free must have reached memory by then, or be the thread's own.
//
// check --engine brute --model sc --check stale => violation stale-pointer:49
// check --engine seq --model sc --check stale => violation stale-pointer:49
// check --engine seq --model tso --check stale => violation stale-pointer:49
// check --engine seq --model pso --check stale => violation stale-pointer:49
// check --engine seq --model tso --check stale --rounds 4 => violation stale-pointer:49
// check --engine seq --model tso => safe within bounds
// The comparison is made with the load before it, which comes before the free.
// check -DBEFORE --engine brute --model pso --check stale => safe assuming malloc
// check -DBEFORE --engine seq --model sc --check stale => safe assuming malloc
// check -DBEFORE --engine seq --model tso --check stale => safe assuming malloc
// check -DBEFORE --engine seq --model pso --check stale => safe assuming malloc
// Only if the flag that is stored after the free is seen.
// check -DFLAG --engine brute --model tso --check stale => violation stale-pointer:49
// check -DFLAG --engine seq --model tso --check stale => violation stale-pointer:49
// check -DFLAG -DNOT_YET --engine brute --model sc --check stale => safe assuming malloc
// check -DFLAG -DNOT_YET --engine seq --model sc --check stale => safe assuming malloc
// check -DFLAG -DNOT_YET --engine brute --model tso --check stale => safe assuming malloc
// check -DFLAG -DNOT_YET --engine seq --model tso --check stale => safe assuming malloc
// A compare-and-swap compares what it finds and what it expects.
// check -DSWAP --engine brute --model tso --check stale => violation stale-pointer:58
// check -DSWAP --engine seq --model tso --check stale => violation stale-pointer:58
// check -DSWAP --engine seq --model sc --check stale => violation stale-pointer:58
// The thread's own free, still in its buffer.
// check -DOWN --engine brute --model pso --check stale => violation stale-pointer:70
// check -DOWN --engine seq --model pso --check stale => violation stale-pointer:70
// check -DOWN --engine seq --model sc --check stale => violation stale-pointer:70
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) kept;
static atomic_int flag;
static char *mine;
static int same;

static void *compares(void *argument) {
#ifdef SWAP
    goto swap;
#endif
    char *address = atomic_load(&kept);
#ifdef FLAG
    if (!atomic_load(&flag)) {
        return argument;
    }
#endif
    same = address == (char *)argument; // the comparison
#ifdef BEFORE
    atomic_store(&flag, 1);
#endif
    return argument;
#ifdef SWAP
swap:
    same = atomic_load(&flag);
    char *expected = mine;
    atomic_compare_exchange_strong(&kept, &expected, NULL); // finds what is freed
    return argument;
#endif
}

int main(void) {
    pthread_t thread;
    mine = malloc(8);
    kept = mine;
#ifdef OWN
    pthread_create(&thread, NULL, compares, NULL);
    free(mine);
    same = kept == mine; // the own one
    return same;
#endif
    pthread_create(&thread, NULL, compares, malloc(8));
#ifdef BEFORE
    if (!atomic_load(&flag)) {
        return 0;
    }
#endif
    free(mine);
#ifdef NOT_YET
    return 0;
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}
