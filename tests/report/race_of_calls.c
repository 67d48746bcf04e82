/* A race of one function that two others call. */
#include <pthread.h>
static int count;
static void increment(void) {
    count++;
}
static void *one(void *unused) {
    increment();
    return unused;
}
static void *two(void *unused) {
    increment();
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
