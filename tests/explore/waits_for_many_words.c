// check --engine explore --model sc => safe traces 1 blocked 0
// check --engine explore --model tso => safe traces 1 blocked 0
// check --engine explore --model pso => safe traces 1 blocked 0
/* A thread waits for one word after the other, more than the tables of explore hold at first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WORDS = 600 };

static _Atomic long word[WORDS];
static _Atomic long answer[WORDS];

static void *ask(void *argument) {
    (void)argument;
    for (int i = 0; i < WORDS; i++) {
        word[i] = 1;
        while (answer[i] == 0) {
        }
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ask, 0);
    for (int i = 0; i < WORDS; i++) {
        while (word[i] == 0) {
        }
        answer[i] = 1;
    }
    pthread_join(thread, 0);
    assert(answer[WORDS - 1] == 1);
}
