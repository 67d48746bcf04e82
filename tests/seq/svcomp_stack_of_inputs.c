// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A bounded stack of inputs that a mutex protects: it neither overflows nor underflows
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned items[SIZE];
static int top;

static void *push(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        unsigned item = __VERIFIER_nondet_uint() % SIZE;
        pthread_mutex_lock(&lock);
        items[top++] = item;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *pop(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (top > 0 && items[--top] >= SIZE) {
            reach_error();
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, push, NULL);
    pthread_create(&threads[1], NULL, pop, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
