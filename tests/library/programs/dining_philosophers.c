// run => native
// Philosophers who take the lower fork first all eat.
#include <pthread.h>
#include <stdio.h>

#define N 4

static pthread_mutex_t forks[N];
static int meals[N];

static void *dine(void *argument) {
    int me = *(int *)argument, left = me, right = (me + 1) % N;
    int first = left < right ? left : right, second = left + right - first;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        meals[me]++;
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int ids[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < N; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, dine, &ids[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        printf("%d ", meals[i]);
    printf("\n");
    return 0;
}
