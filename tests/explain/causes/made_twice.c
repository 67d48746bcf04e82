// Both make what neither has found.
// check --model sc => violation assertion:23 because check then act
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int made;
static int *place;
static int objects[2];
static void *get(void *unused) {
    (void)unused;
    if (!__atomic_load_n(&place, __ATOMIC_SEQ_CST)) {
        int next = __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&place, &objects[next], __ATOMIC_SEQ_CST);
    }
    return NULL;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, get, NULL);
    pthread_create(&other, NULL, get, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(made == 1);
    return 0;
}
