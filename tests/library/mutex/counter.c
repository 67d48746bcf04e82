// run => native
// A counter under a mutex, and one under a spin lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int under_mutex, under_spin;

static void *run(void *unused) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        under_mutex++;
        pthread_mutex_unlock(&lock);
        pthread_spin_lock(&spin);
        under_spin += 2;
        pthread_spin_unlock(&spin);
    }
    return unused;
}

int main(void) {
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", under_mutex, under_spin);
    printf("%d\n", pthread_spin_trylock(&spin));
    printf("%d\n", pthread_spin_trylock(&spin) != 0);
    return 0;
}
