// check --model sc --engine brute => violation abort:15
// One order of two threads calls abort.
#include <pthread.h>
#include <stdlib.h>

static int flag;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

static void *look(void *unused) {
    if (flag)
        abort(); // here
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
