// check --engine explore => violation dangling-pointer:20
// check --engine reach => violation dangling-pointer:20
// check --engine brute => violation dangling-pointer:20
// check --engine lazy => violation dangling-pointer:20
// check --engine seq => violation dangling-pointer:20
// check --engine explore --model sc => violation dangling-pointer:20
// check --engine explore -DEXIT => safe
// check --engine brute -DEXIT => safe
// check --engine seq -DEXIT => safe
// check --engine explore -DJOIN => safe
// check --engine explore -DTHREAD_EXIT => violation dangling-pointer:20
// The locals of main end when main returns, as C has it, though the process is about to end: a thread that still uses
// them is in error.  exit ends the process while they live.
#include <pthread.h>
#include <stdlib.h>

static pthread_t thread;

static void *use(void *local) {
    *(int *)local = 1;
    return NULL;
}

int main(void) {
    int local = 0;
    pthread_create(&thread, NULL, use, &local);
#ifdef JOIN
    pthread_join(thread, NULL);
#elif defined EXIT
    exit(0);
#elif defined THREAD_EXIT
    pthread_exit(NULL);
#endif
    return 0;
}
