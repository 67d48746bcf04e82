// check --model sc --engine seq => violation deadlock
// check --model tso --engine seq => violation deadlock
// check --model tso --engine explore => violation deadlock
// check --model tso --engine seq -DFREED => safe
// Two threads spin on a flag by exchanging, and who has it keeps it: the exchanges of the others change nothing, so
// that each of them waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static void *take(void *unused) {
    while (atomic_exchange(&taken, 1)) {
    }
#ifdef FREED
    atomic_store(&taken, 0);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other, third;
    pthread_create(&one, NULL, take, NULL);
    pthread_create(&other, NULL, take, NULL);
    pthread_create(&third, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    pthread_join(third, NULL);
    return 0;
}
