// check --engine explore => safe
// check --engine explore -DWRONG => violation assertion:22
// A thousand threads, one after the other or at once, meet no bound.
#include <assert.h>
#include <pthread.h>

#define THREADS 1000

static int counts[THREADS];

static void *work(void *count) {
    *(int *)count = 1;
    return NULL;
}

int main(void) {
    static pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, &counts[i]);
    }
#ifdef WRONG
    assert(counts[THREADS - 1] == 1);
#endif
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert(counts[i] == 1);
    }
    return 0;
}
