// run => native
// Read-write locks: many readers, one writer, the try forms.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *try_it(void *unused) {
    int r = pthread_rwlock_tryrdlock(&lock);
    printf("read %d\n", r == 0 ? 0 : r == EBUSY ? 1 : 2);
    if (r == 0)
        pthread_rwlock_unlock(&lock);
    int w = pthread_rwlock_trywrlock(&lock);
    printf("write %d\n", w == 0 ? 0 : w == EBUSY ? 1 : 2);
    if (w == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

static void ask(void) {
    pthread_t t;
    pthread_create(&t, NULL, try_it, NULL);
    pthread_join(t, NULL);
}

static void *writer(void *unused) {
    for (int i = 0; i < 10; i++) {
        pthread_rwlock_wrlock(&lock);
        value++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    ask();
    pthread_rwlock_rdlock(&lock);
    ask();
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    ask();
    pthread_rwlock_unlock(&lock);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_rwlock_rdlock(&lock);
    printf("%d\n", value);
    pthread_rwlock_unlock(&lock);
    printf("%d\n", pthread_rwlock_destroy(&lock));
    return 0;
}
