// check --model sc --engine brute => safe assuming malloc
// check --model tso --engine brute => safe assuming malloc
// check --model pso --engine brute => violation dangling-pointer:12
// check --model pso --engine brute -DRELEASE => safe assuming malloc
// Under PSO the flag that allows the free may reach memory before the last store to the object.
#include <pthread.h>
#include <stdlib.h>

static int done, *shared;

static void *user(void *unused) {
    *shared = 5; // here
#ifdef RELEASE
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
#else
    done = 1;
#endif
    return unused;
}

static void *owner(void *unused) {
    if (done)
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
