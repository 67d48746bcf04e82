// check --check races --model sc => violation race:15
// check --check races --model tso => violation race:15
// check --check races --model pso => violation race:15
// check --check races --engine brute => violation race:15
// check --check races --engine random --runs 100 => violation race
// check --model tso => safe
/* Two threads count in a plain variable with no lock between them. */
#include <pthread.h>

static int counter;

static void *count(void *argument) {
    (void)argument;
    for (int i = 0; i < 1; i++) {
        counter++;
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
