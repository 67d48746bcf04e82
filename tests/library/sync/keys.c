// run => native
// Thread-specific data, with destructors at the end of each thread.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key, plain;

static void destroy(void *value) {
    printf("destroy %d\n", *(int *)value);
    free(value);
}

static void *run(void *argument) {
    printf("%d\n", pthread_getspecific(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)argument;
    pthread_setspecific(key, mine);
    pthread_setspecific(plain, argument);
    printf("%d %d\n", *(int *)pthread_getspecific(key), pthread_getspecific(plain) == argument);
    return NULL;
}

int main(void) {
    pthread_key_create(&key, destroy);
    pthread_key_create(&plain, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_t t;
        int number = i * 11;
        pthread_create(&t, NULL, run, &number);
        pthread_join(t, NULL);
    }
    printf("%d\n", pthread_getspecific(plain) == NULL);
    printf("%d\n", pthread_key_delete(plain));
    return 0;
}
