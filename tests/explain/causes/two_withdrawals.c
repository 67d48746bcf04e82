// The new balance is computed in a function from what was read in another.
// check --model sc => violation assertion:31 because lost update
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int balance = 100;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int get(void) {
    pthread_mutex_lock(&mutex);
    int now = balance;
    pthread_mutex_unlock(&mutex);
    return now;
}
static void set(int now) {
    pthread_mutex_lock(&mutex);
    balance = now;
    pthread_mutex_unlock(&mutex);
}
static void *withdraw(void *amount) {
    int now = get();
    now -= (int)(long)amount;
    set(now);
    return NULL;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, withdraw, (void *)10);
    pthread_create(&other, NULL, withdraw, (void *)20);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(get() == 70);
    return 0;
}
