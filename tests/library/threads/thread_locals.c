// run => native
// Each thread has its own copy of thread-local variables, fresh from the initial values.
#include <pthread.h>
#include <stdio.h>

static _Thread_local int counter = 10;
static _Thread_local char name[8] = "none";
static int *addresses[3];

static void *run(void *argument) {
    int id = *(int *)argument;
    addresses[id] = &counter;
    for (int i = 0; i < id; i++)
        counter++;
    name[0] = (char)('a' + id);
    *(int *)argument = counter * 100 + name[0];
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int ids[3];
    counter = 77;
    for (int i = 0; i < 3; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, run, &ids[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d %s\n", ids[0], ids[1], ids[2], counter, name);
    printf("%d\n", addresses[0] != &counter);
    return 0;
}
