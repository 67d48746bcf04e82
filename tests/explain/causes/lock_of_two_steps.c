// A lock that looks and then takes: two threads get in, and their counter shows it.
// check --model sc => violation assertion:22 because lost update, check then act
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int locked;
static int counter;
static void *work(void *unused) {
    while (__atomic_load_n(&locked, __ATOMIC_SEQ_CST)) {
    }
    __atomic_store_n(&locked, 1, __ATOMIC_SEQ_CST);
    counter++;
    __atomic_store_n(&locked, 0, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(counter == 2);
    return 0;
}
