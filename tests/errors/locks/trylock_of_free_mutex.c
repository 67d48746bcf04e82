// check --model tso --engine brute => safe
// trylock does not fail without a reason.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    assert(pthread_mutex_trylock(&lock) == 0);
    assert(pthread_mutex_trylock(&lock) != 0);
    return 0;
}
