// check --model sc --engine brute => violation reach_error:26
// A nondeterministic Boolean decides the order; a nondeterministic character is bounded.
#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int x;

void *run(void *arg) {
    unsigned char step = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(step < 3);
    x += step;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    if (__VERIFIER_nondet_bool())
        x = 5;
    pthread_join(t, NULL);
    if (x == 7)
        reach_error(); // here
    return 0;
}
