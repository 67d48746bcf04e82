// A loop that reads another address after some iterations does not only wait: what the counter decides is an address,
// by a branch whose arms only compute, or by a delay that is as long as the counter says.
//
// check --engine explore --model sc => violation assertion:48
// check --engine brute --model sc => violation assertion:48
// check --engine reach --model sc => violation assertion:48
// check --engine seq --model sc => violation assertion:48
// check --engine seq --model tso => violation assertion:48
// check --engine explore --model sc -DDELAY => violation assertion:48
// check --engine brute --model sc -DDELAY => violation assertion:48
// check --engine seq --model sc -DDELAY => violation assertion:48
// With a counter that decides only how long it pauses, the loop waits.
// check --engine explore --model sc -DPAUSE => safe traces 0 blocked 1
// check --engine brute --model sc -DPAUSE => safe
// check --engine seq --model sc -DPAUSE => safe
// check --engine seq --model tso -DPAUSE => safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int places[2] = {0, 1};

static void *other(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int count = 0;
    for (;;) {
        int place = 0;
#if defined DELAY || defined PAUSE
        int steps = 0;
        for (int i = 0; i < count; i++) {
            steps++;
        }
#endif
#ifdef DELAY
        place = steps > 2;
#elif !defined PAUSE
        if (count > 2) {
            place = 1;
        }
#endif
        if (atomic_load(&places[place])) {
            assert(0);
        }
        count++;
    }
}
