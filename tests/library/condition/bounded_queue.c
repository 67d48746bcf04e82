// run => native
// A bounded queue between a producer and a consumer.
#include <pthread.h>
#include <stdio.h>

#define SIZE 3

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[SIZE], head, count;
} queue;

static void put(int x) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == SIZE)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.items[(queue.head + queue.count++) % SIZE] = x;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static int get(void) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    int x = queue.items[queue.head];
    queue.head = (queue.head + 1) % SIZE;
    queue.count--;
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.lock);
    return x;
}

static void *producer(void *unused) {
    for (int i = 1; i <= 20; i++)
        put(i * i);
    put(-1);
    return unused;
}

int main(void) {
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.not_full, NULL);
    pthread_cond_init(&queue.not_empty, NULL);
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int x; (x = get()) >= 0;)
        printf("%d ", x);
    printf("\n");
    pthread_join(t, NULL);
    pthread_cond_destroy(&queue.not_full);
    pthread_cond_destroy(&queue.not_empty);
    pthread_mutex_destroy(&queue.lock);
    return 0;
}
