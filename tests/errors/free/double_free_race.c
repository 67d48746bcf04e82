// check --model sc --engine brute => violation double-free:17
// check --model sc --engine brute -DATOMIC => safe assuming malloc
// Two threads both find the pointer and free it.
#include <pthread.h>
#include <stdlib.h>

static char *shared;

static void *release(void *unused) {
#ifdef ATOMIC
    char *p = __atomic_exchange_n(&shared, NULL, __ATOMIC_ACQ_REL);
#else
    char *p = shared;
    shared = NULL;
#endif
    if (p)
        free(p); // here
    return unused;
}

int main(void) {
    shared = malloc(1);
    pthread_t a, b;
    pthread_create(&a, NULL, release, NULL);
    pthread_create(&b, NULL, release, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
