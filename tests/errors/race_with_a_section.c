// check --engine reach --check races => violation race:44
// check --engine reach --model sc --check races => violation race:44
// check --engine brute --check races => violation race:44
// check --engine brute --model pso --check races => violation race:44
// check --engine explore --check races => violation race:44
// check --engine explore --model sc --check races => violation race:44
// check --engine explore --model pso --check races => violation race:44
// check --engine random --check races => violation race:44
// check --engine reach --check races -DBOTH => safe
// check --engine brute --check races -DBOTH => safe
// check --engine explore --check races -DBOTH => safe
// check --engine brute --check races -DORDERED => safe
// check --engine explore --check races -DORDERED => safe
// check --engine reach --check races -DORDERED => safe
// A section keeps others from stepping, not from racing with it: a plain access outside sections beside a write in one.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_in_section(void *unused) {
    pthread_mutex_lock(&lock);
    __VERIFIER_atomic_begin();
    shared = 1;
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_in_section, NULL);
#ifdef BOTH
    __VERIFIER_atomic_begin();
    int seen = shared;
    __VERIFIER_atomic_end();
#elif defined ORDERED
    pthread_mutex_lock(&lock);
    int seen = shared;
    pthread_mutex_unlock(&lock);
#else
    int seen = shared;
#endif
    pthread_join(thread, NULL);
    return seen;
}
