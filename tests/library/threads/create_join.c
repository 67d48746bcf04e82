// run => native
// Threads get an argument and give back a value; joined in another order than created.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

struct task {
    int from, to;
    long result;
};

static void *sum(void *argument) {
    struct task *task = argument;
    for (int i = task->from; i < task->to; i++)
        task->result += i;
    return task;
}

static void *number(void *argument) {
    return (void *)((intptr_t)argument * 2);
}

static void *leave(void *argument) {
    pthread_exit((char *)argument + 1);
}

int main(void) {
    pthread_t threads[3];
    struct task tasks[3] = {{0, 10, 0}, {10, 20, 0}, {20, 30, 0}};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, sum, &tasks[i]);
    long total = 0;
    for (int i = 2; i >= 0; i--) {
        void *result;
        pthread_join(threads[i], &result);
        total += ((struct task *)result)->result;
    }
    printf("%ld\n", total);
    void *value;
    pthread_create(&threads[0], NULL, number, (void *)21);
    pthread_join(threads[0], &value);
    printf("%d\n", (int)(intptr_t)value);
    char text[] = "ab";
    pthread_create(&threads[1], NULL, leave, text);
    pthread_join(threads[1], &value);
    printf("%s\n", (char *)value);
    return 0;
}
