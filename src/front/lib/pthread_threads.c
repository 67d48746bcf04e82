/* Threads of <pthread.h>: create, join, detach, exit and their attributes.  A pthread_t is the thread's number. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "intrinsics.h"

/* The layout of our pthread_attr_t, which is smaller than glibc's. */
struct attributes {
    int detach_state;
    int scope;
    int inherit_scheduler;
    int policy;
    int priority;
    int unused;
    size_t stack_size;
    size_t guard_size;
};

void *__picket_thread_main(void *(*function)(void *), void *argument) {
    void *value = function(argument);
    __picket_run_key_destructors();
    __picket_thread_exit(value);
}

/* The number is stored before the new thread can run, so it never reads its own pthread_t too early. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    *thread = __picket_thread_child();
    unsigned long number = __picket_thread_create(__picket_thread_main, function, argument);
    if (attributes && ((const struct attributes *)attributes)->detach_state == PTHREAD_CREATE_DETACHED) {
        __picket_thread_detach(number);
    }
    return 0;
}

/* picket_any_number of <picket.h>. */
void __picket_any_number(void *(*body)(void *), void *argument, int threads) {
    for (int i = 0; i < threads; i++) {
        __picket_thread_detach(__picket_thread_create(__picket_thread_main, body, argument));
    }
}

int pthread_join(pthread_t thread, void **value) {
    struct picket_joined joined = __picket_thread_join(thread);
    if (joined.code == 0) {
        if (value) {
            *value = joined.value;
        }
        return 0;
    }
    PICKET_CHECK_JOINABLE(joined.code);
    return (int)joined.code;
}

int pthread_tryjoin_np(pthread_t thread, void **value) {
    struct picket_joined joined = __picket_thread_tryjoin(thread);
    if (joined.code == 0) {
        if (value) {
            *value = joined.value;
        }
        return 0;
    }
    PICKET_CHECK_JOINABLE(joined.code);
    return (int)joined.code;
}

/* It may time out at any moment: as if the time were up at once. */
int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *deadline) {
    (void)deadline;
    int code = pthread_tryjoin_np(thread, value);
    return code == EBUSY ? ETIMEDOUT : code;
}

int pthread_detach(pthread_t thread) {
    int code = __picket_thread_detach(thread);
    PICKET_CHECK_JOINABLE(code);
    return code;
}

void pthread_exit(void *value) {
    __picket_run_key_destructors();
    __picket_thread_exit(value);
}

int pthread_equal(pthread_t first, pthread_t second) {
    return first == second;
}

int pthread_attr_init(pthread_attr_t *attributes) {
    *(struct attributes *)attributes = (struct attributes){.stack_size = 8 << 20, .guard_size = 4096};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) {
        return EINVAL;
    }
    ((struct attributes *)attributes)->detach_state = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
    *state = ((const struct attributes *)attributes)->detach_state;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
    if (size < 16384) {
        return EINVAL;
    }
    ((struct attributes *)attributes)->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size) {
    *size = ((const struct attributes *)attributes)->stack_size;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
    ((struct attributes *)attributes)->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
    *size = ((const struct attributes *)attributes)->guard_size;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
    ((struct attributes *)attributes)->scope = scope;
    return 0;
}

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) {
    *scope = ((const struct attributes *)attributes)->scope;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
    ((struct attributes *)attributes)->inherit_scheduler = inherit;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
    ((struct attributes *)attributes)->policy = policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters) {
    ((struct attributes *)attributes)->priority = parameters->sched_priority;
    return 0;
}

/* Scheduling, affinity, names and cancellation states change nothing here: every schedule is explored anyway. */
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set) {
    (void)attributes;
    (void)size;
    (void)set;
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    (void)thread;
    (void)size;
    (void)set;
    return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    __picket_assumes_system();
    (void)thread;
    __picket_memset(set, 0, size);
    *(unsigned char *)set = 15;
    return 0;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
    (void)process;
    (void)size;
    (void)set;
    return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    __picket_assumes_system();
    (void)process;
    __picket_memset(set, 0, size);
    *(unsigned char *)set = 15;
    return 0;
}

int sched_getcpu(void) {
    __picket_assumes_system();
    return (int)(__picket_self() & 3);
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
    int count = 0;
    for (size_t i = 0; i < size / sizeof(long); i++) {
        count += __builtin_popcountl(((const unsigned long *)set)[i]);
    }
    return count;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
    (void)thread;
    (void)policy;
    (void)parameters;
    return 0;
}

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters) {
    (void)thread;
    *policy = SCHED_OTHER;
    parameters->sched_priority = 0;
    return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread;
    (void)priority;
    return 0;
}

int pthread_setconcurrency(int level) {
    (void)level;
    return 0;
}

int pthread_getconcurrency(void) {
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread;
    (void)name;
    return 0;
}

/* The name is empty, whatever it was set to. */
int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    __picket_assumes_system();
    (void)thread;
    if (size == 0) {
        return ERANGE;
    }
    *name = 0;
    return 0;
}

/* No thread is ever cancelled, so these are only stored. */
static _Thread_local int cancel_state = PTHREAD_CANCEL_ENABLE;
static _Thread_local int cancel_type = PTHREAD_CANCEL_DEFERRED;

int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
        return EINVAL;
    }
    if (old) {
        *old = cancel_state;
    }
    cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
        return EINVAL;
    }
    if (old) {
        *old = cancel_type;
    }
    cancel_type = type;
    return 0;
}

void pthread_testcancel(void) {
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}
