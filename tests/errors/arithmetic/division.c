// check --model sc --engine brute => violation division-by-zero:14
#include <pthread.h>

static int divisor = 1;

static void *clear(void *unused) {
    divisor = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    int result = 100 / divisor; // here
    pthread_join(t, NULL);
    return result;
}
