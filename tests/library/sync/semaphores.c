// run => native
// Semaphores: values, trywait, hand-over between threads.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t empty, full;
static int box;

static void *producer(void *unused) {
    for (int i = 0; i < 5; i++) {
        sem_wait(&empty);
        box = i * 3;
        sem_post(&full);
    }
    return unused;
}

int main(void) {
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    int value, failed = sem_trywait(&full) == -1;
    printf("%d %d\n", failed, errno == EAGAIN);
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 5; i++) {
        sem_wait(&full);
        printf("%d ", box);
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    sem_getvalue(&empty, &value);
    printf("\n%d\n", value);
    struct timespec past = {1, 0};
    printf("%d\n", sem_timedwait(&full, &past) == -1 && errno == ETIMEDOUT);
    sem_destroy(&empty);
    sem_destroy(&full);
    return 0;
}
