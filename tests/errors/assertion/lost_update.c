// check --model sc --engine brute => violation assertion:21
// check --model tso --engine random --runs 1000 => violation assertion:21
// Two unprotected increments.
#include <assert.h>
#include <pthread.h>

static int balance;

static void *deposit(void *unused) {
    int seen = balance;
    balance = seen + 100;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 200); // here
    return 0;
}
