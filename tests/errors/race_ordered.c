// check --check races --model sc => safe
// check --check races --model tso => safe
// check --check races --model pso => safe
// check --check races --engine brute => safe
// check --check races -DRELAXED --model pso => violation race:46
// check --check races -DRELAXED --model tso => safe
// check --check races -DPLAIN_FLAG --model tso => violation race
// check --check races -DPLAIN_FLAG --engine brute => violation race
/* Plain data handed over after a flag, and a counter under a mutex: ordered, whichever thread comes first.  Under PSO
 * only a release store keeps the data before the flag. */
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, counter;
static atomic_int flag;

static void *give(void *argument) {
    (void)argument;
    data = 1;
#ifdef PLAIN_FLAG
    *(int *)&flag = 1;
#else
    atomic_store_explicit(&flag, 1, ORDER);
#endif
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t giver;
    pthread_create(&giver, NULL, give, NULL);
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
    int seen = data;
    pthread_join(giver, NULL);
    return seen - 1 + counter - 2;
}
