// check --engine brute --model sc => violation assertion
// check --engine explore --model sc => violation assertion
// check --engine explore --model tso => violation assertion
// check --engine explore --model pso => violation assertion
//
// A waiting loop reads eight bytes that lie in two words of eight; main writes a byte in the second one.
#include <assert.h>
#include <pthread.h>

static struct {
    int before;
    unsigned long value;
} __attribute__((packed)) words __attribute__((aligned(8)));

static void *waiter(void *unused) {
    unsigned long seen;
    do {
        seen = *(volatile unsigned long *)&words.value;
    } while (seen == 7);
    assert(seen != 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    ((volatile unsigned char *)&words.value)[6] = 1;
    return 0;
}
