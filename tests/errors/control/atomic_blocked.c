// check --model sc --engine brute => violation blocked-in-atomic:20
// A lock that another thread holds is waited for inside an atomic section.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock); // here
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
