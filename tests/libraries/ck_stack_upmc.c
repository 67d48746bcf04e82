// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 40 blocked 0
// check --engine explore --model tso => safe traces 40 blocked 0
// check --engine explore --model pso => safe traces 40 blocked 0
// run => native
/* Concurrency Kit's stack (upmc): two threads push and pop; each element is popped once. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

struct item {
    ck_stack_entry_t entry;
    int value;
};

static ck_stack_t stack __attribute__((aligned(16)));
static struct item items[2] = {{.value = 1}, {.value = 2}};
static int popped[2];

static void *work(void *argument) {
    long me = (long)argument;
    ck_stack_push_upmc(&stack, &items[me].entry);
    ck_stack_entry_t *entry = ck_stack_pop_upmc(&stack);
    assert(entry != NULL);
    popped[me] = ((struct item *)entry)->value;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ck_stack_init(&stack);
    pthread_create(&threads[0], NULL, work, (void *)0);
    pthread_create(&threads[1], NULL, work, (void *)1);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(popped[0] + popped[1] == 3);
    assert(CK_STACK_ISEMPTY(&stack));
    return 0;
}
