/* Ten threads, one after the other. */
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *argument) {
    count += (int)(long)argument;
    return 0;
}
int main(void) {
    pthread_t t[10];
    for (long i = 0; i < 10; i++) {
        pthread_create(&t[i], 0, add, (void *)(i + 1));
        pthread_join(t[i], 0);
    }
    assert(count != 55);
    return 0;
}
