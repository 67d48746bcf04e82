// check --check races --model tso => violation race
// check --check races --engine brute => violation race
// check --check races -DATOMIC --model tso => safe
/* The loop waits for a value that never comes, but it reads while the other thread writes. */
#include <pthread.h>

static int flag;

static void *write_one(void *argument) {
    (void)argument;
#ifdef ATOMIC
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
#else
    flag = 1;
#endif
    return NULL;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write_one, NULL);
    while (__atomic_load_n(&flag, __ATOMIC_RELAXED) != 2) {
    }
    return 0;
}
