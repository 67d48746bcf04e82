// A pointer is checked, and is null when it is used.
// check --model sc => violation null-pointer:16 because check then act
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int value = 1;
static int *place = &value;
static void *clear(void *unused) {
    __atomic_store_n(&place, NULL, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    if (__atomic_load_n(&place, __ATOMIC_SEQ_CST)) {
        *__atomic_load_n(&place, __ATOMIC_SEQ_CST) = 2;
    }
    pthread_join(thread, NULL);
    return 0;
}
