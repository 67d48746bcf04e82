// run => native
// pthread_once runs its function once, whichever thread comes first.
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, seen[4];

static void init(void) {
    runs++;
}

static void *run(void *slot) {
    pthread_once(&once, init);
    *(int *)slot = runs;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, &seen[i]);
    run(&seen[3]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d: %d %d %d %d\n", runs, seen[0], seen[1], seen[2], seen[3]);
    return 0;
}
