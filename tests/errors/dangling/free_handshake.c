// check --model sc --engine brute => safe assuming malloc
// check --model tso --engine brute => violation dangling-pointer:21
// check --model tso --engine brute -DFENCED => safe assuming malloc
// A user and an owner announce themselves before they look; without fences, both may go ahead.
#include <pthread.h>
#include <stdlib.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int using, freeing;
static int *shared;

static void *user(void *unused) {
    using = 1;
    FENCE();
    if (!freeing)
        *shared = 5; // here
    return unused;
}

static void *owner(void *unused) {
    freeing = 1;
    FENCE();
    if (!using)
        free(shared);
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
