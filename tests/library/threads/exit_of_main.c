// run => native
// pthread_exit in main leaves the other thread running; the process ends with code 0.
#include <pthread.h>
#include <stdio.h>

static pthread_t first;

static void *run(void *unused) {
    pthread_join(first, NULL);
    puts("main is gone");
    return unused;
}

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, NULL, run, NULL);
    pthread_exit(NULL);
}
