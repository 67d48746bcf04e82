// check --model sc --engine brute => violation null-pointer:13
// The pointer is not yet set in one of the orders.
#include <pthread.h>

static int value = 5, *pointer;

static void *set(void *unused) {
    pointer = &value;
    return unused;
}

static void *use(void *unused) {
    int x = *pointer; // here
    return x ? unused : (void *)1;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
