/* A counter without a lock, three threads: one column. */
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *argument) {
    count += *(int *)argument;
    return 0;
}
int main(void) {
    static int numbers[3] = {1, 2, 4};
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], 0, add, &numbers[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], 0);
    }
    assert(count != 4);
    return 0;
}
