/* C11 <threads.h>, on the same intrinsics as <pthread.h>. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "intrinsics.h"

static int c11_result(int code) {
    switch (code) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

static void *c11_thread_main(void *(*function)(void *), void *argument) {
    int value = ((thrd_start_t)(void *)function)(argument);
    __picket_run_key_destructors();
    __picket_thread_exit((void *)(long)value);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    *thread = __picket_thread_child();
    __picket_thread_create(c11_thread_main, (void *)function, argument);
    return thrd_success;
}

int thrd_join(thrd_t thread, int *value) {
    struct picket_joined joined = __picket_thread_join(thread);
    PICKET_CHECK_JOINABLE(joined.code);
    if (joined.code == 0 && value) {
        *value = (int)(long)joined.value;
    }
    return c11_result((int)joined.code);
}

int thrd_detach(thrd_t thread) {
    int code = __picket_thread_detach(thread);
    PICKET_CHECK_JOINABLE(code);
    return c11_result(code);
}

void thrd_exit(int value) {
    __picket_run_key_destructors();
    __picket_thread_exit((void *)(long)value);
}

int thrd_equal(thrd_t first, thrd_t second) {
    return first == second;
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
    (void)duration;
    (void)remaining;
    __picket_sleep();
    return 0;
}

int mtx_init(mtx_t *mutex, int type) {
    ((int *)mutex)[0] = 0;
    ((int *)mutex)[1] = 0;
    ((int *)mutex)[4] = (type & mtx_recursive) ? PTHREAD_MUTEX_RECURSIVE : 0;
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex) {
    PICKET_DESTROY(mutex, "mutex", word != 0);
}

int mtx_lock(mtx_t *mutex) {
    return c11_result(__picket_mutex_lock(mutex));
}

int mtx_trylock(mtx_t *mutex) {
    return c11_result(__picket_mutex_trylock(mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    (void)deadline;
    return c11_result(__picket_mutex_timedlock(mutex));
}

int mtx_unlock(mtx_t *mutex) {
    return c11_result(__picket_mutex_unlock(mutex));
}

int cnd_init(cnd_t *condition) {
    ((int *)condition)[0] = 0;
    ((int *)condition)[1] = 0;
    return thrd_success;
}

void cnd_destroy(cnd_t *condition) {
    PICKET_DESTROY(condition, "condition variable", ((int *)condition)[1] != 0);
}

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return c11_result(__picket_cond_wait(condition, mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    (void)deadline;
    return c11_result(__picket_cond_timedwait(condition, mutex));
}

int cnd_signal(cnd_t *condition) {
    return c11_result(__picket_cond_signal(condition));
}

int cnd_broadcast(cnd_t *condition) {
    return c11_result(__picket_cond_broadcast(condition));
}

void call_once(once_flag *flag, void (*function)(void)) {
    if (__picket_once_begin(flag)) {
        function();
        __picket_once_end(flag);
    }
}

int tss_create(tss_t *key, tss_dtor_t destructor) {
    return c11_result(pthread_key_create((pthread_key_t *)key, destructor));
}

void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value) {
    return c11_result(pthread_setspecific(key, value));
}
