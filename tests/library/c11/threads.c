// run => native
// C11 threads: create, join, mutex, condition variable, once, thread-specific storage.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int turn, runs;

static void init(void) {
    runs++;
}
static void destroy(void *value) {
    printf("destroy %d\n", *(int *)value);
}

static int run(void *argument) {
    static int seven = 7;
    call_once(&once, init);
    tss_set(key, &seven);
    mtx_lock(&lock);
    while (turn != 1)
        cnd_wait(&changed, &lock);
    turn = 2;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return *(int *)argument + *(int *)tss_get(key);
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    tss_create(&key, destroy);
    call_once(&once, init);
    int input = 35, result;
    thrd_t t;
    printf("%d\n", thrd_create(&t, run, &input) == thrd_success);
    mtx_lock(&lock);
    turn = 1;
    cnd_signal(&changed);
    while (turn != 2)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(t, &result);
    printf("%d\n", mtx_trylock(&lock) == thrd_success);
    printf("%d\n", mtx_trylock(&lock) == thrd_busy);
    mtx_unlock(&lock);
    printf("%d %d\n", result, runs);
    mtx_destroy(&lock);
    cnd_destroy(&changed);
    printf("%d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
    return 0;
}
