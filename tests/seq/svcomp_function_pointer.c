// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A thread function and a function pointer that depend on an input
#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int x;

static void add(int what) {
    x += what;
}

static void subtract(int what) {
    x -= what;
}

static void *one(void *what) {
    void (*change)(int) = __VERIFIER_nondet_bool() ? add : subtract;
    change((int)(long)what);
    return NULL;
}

static void *other(void *what) {
    x = 2 * (int)(long)what;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, __VERIFIER_nondet_bool() ? one : other, (void *)5);
    pthread_join(thread, NULL);
    if (x != 5 && x != -5 && x != 10) {
        reach_error();
    }
    return 0;
}
