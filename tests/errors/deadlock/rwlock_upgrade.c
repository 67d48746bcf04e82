// check --model sc --engine brute => violation deadlock
// Two readers that both want to write.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, run, NULL);
    run(NULL);
    pthread_join(a, NULL);
    return 0;
}
