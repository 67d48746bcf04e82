// check --check races --engine explore --model tso => violation race
// check --check races --engine brute --model tso => violation race
//
// The loop reads a word of which the thread itself has stored a byte: it reaches memory, and the race with the other
// thread's byte can be seen, only when its own store has drained.
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t whole;
    uint8_t bytes[4];
} cell;

static void *store(void *unused) {
    cell.bytes[3] = 2;
    return unused;
}

static void *wait(void *unused) {
    cell.bytes[2] = 2;
    while (__atomic_load_n(&cell.whole, __ATOMIC_RELAXED) != 1) {
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, store, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    pthread_exit(NULL);
}
