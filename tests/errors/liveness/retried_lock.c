// check --model sc --engine brute --timeout 5 --check liveness -DMUTEX => violation liveness:28
// check --model sc --engine explore --timeout 5 --check liveness -DMUTEX => violation liveness:28
// check --model tso --engine explore --timeout 5 --check liveness -DMUTEX => violation liveness:28
// check --model sc --engine brute --timeout 5 --check liveness -DREAD_LOCK => violation liveness:28
// check --model sc --engine explore --timeout 5 --check liveness -DREAD_LOCK => violation liveness:28
// check --model sc --engine brute --timeout 5 --check liveness -DWRITE_LOCK => violation liveness:28
// check --model sc --engine explore --timeout 5 --check liveness -DWRITE_LOCK => violation liveness:28
// check --model sc --engine reach --timeout 5 --check liveness -DMUTEX => violation liveness:28
// A loop that retries to take a lock which its own thread holds waits for ever.
#include <pthread.h>

#if defined MUTEX
static pthread_mutex_t object = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&object)
#define TRYLOCK() pthread_mutex_trylock(&object)
#elif defined READ_LOCK
static pthread_rwlock_t object = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_rdlock(&object)
#define TRYLOCK() pthread_rwlock_trywrlock(&object)
#else
static pthread_rwlock_t object = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_wrlock(&object)
#define TRYLOCK() pthread_rwlock_trywrlock(&object)
#endif

int main(void) {
    LOCK();
    while (TRYLOCK()) { // here
    }
    return 0;
}
