// check --engine explore => violation misused-pointer:29
// check --engine brute => violation misused-pointer:29
// check --engine reach => violation misused-pointer:29
// check --engine lazy => violation misused-pointer:29
// check --engine seq => violation misused-pointer:29
// check --engine age => violation misused-pointer:29
// check --engine rounds => violation misused-pointer:29
// check --engine random => violation misused-pointer:29
// check -DAPART --engine explore => safe assuming spurious
// check -DAPART --engine seq => safe assuming spurious
/* A condition variable that shares bytes with the mutex that is given with it. */
#include <pthread.h>

static union {
    pthread_mutex_t mutex;
    char bytes[200];
} both = {PTHREAD_MUTEX_INITIALIZER};

#ifdef APART
#define CONDITION ((pthread_cond_t *)(both.bytes + 80))
#else
#define CONDITION ((pthread_cond_t *)(both.bytes + 4))
#endif

int main(void) {
    struct timespec now = {0, 0};
    pthread_mutex_lock(&both.mutex);

    pthread_cond_timedwait(CONDITION, &both.mutex, &now);
    pthread_mutex_unlock(&both.mutex);
    return 0;
}
