// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:33
// check --model pso --engine brute -DFENCED => safe
// A sequence lock: a reader that sees the same even number twice has read one version.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define BARRIER() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define BARRIER() (void)0
#endif

static int sequence, a, b;

static void *writer(void *unused) {
    sequence = 1;
    BARRIER();
    a = 1;
    b = 1;
    BARRIER();
    sequence = 2;
    return unused;
}

static void *reader(void *unused) {
    int before = sequence;
    int first = a;
    int second = b;
    int after = sequence;
    if (before == after && before % 2 == 0)
        assert(first == second); // here
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
