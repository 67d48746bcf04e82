// check --model sc --engine brute => violation out-of-bounds:14
// check --model sc --engine brute -DLOCKED => safe
// The index is checked before another thread moves it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[2], top = 1;

static void *push(void *unused) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    if (top < 2) {
        stack[top] = 1; // here
        top++;
    }
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
