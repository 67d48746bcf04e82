/* Thread-specific data of <pthread.h>.  Values are thread-local; the set of keys is shared.  A deleted key's number is
 * not used again. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "intrinsics.h"

#define KEYS 64

static unsigned key_count;
static void (*key_destructors[KEYS])(void *);
static _Thread_local void *key_values[KEYS];

/* Keys below this one may have a value in this thread: a thread that never set one reads no shared memory. */
static _Thread_local unsigned keys_set;

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    unsigned number = __atomic_fetch_add(&key_count, 1, __ATOMIC_SEQ_CST);
    if (number >= KEYS) {
        return EAGAIN;
    }
    key_destructors[number] = destructor;
    *key = number;
    return 0;
}

int pthread_key_delete(pthread_key_t key) {
    if (key >= KEYS) {
        return EINVAL;
    }
    key_destructors[key] = NULL;
    return 0;
}

void *pthread_getspecific(pthread_key_t key) {
    return key < KEYS ? key_values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= KEYS) {
        return EINVAL;
    }
    key_values[key] = (void *)value;
    if (value && keys_set <= key) {
        keys_set = key + 1;
    }
    return 0;
}

static int run_destructors_once(void) {
    int called = 0;
    for (unsigned key = 0; key < keys_set; key++) {
        void *value = key_values[key];
        if (!value) {
            continue;
        }
        key_values[key] = NULL;
        void (*destructor)(void *) = key_destructors[key];
        if (destructor) {
            destructor(value);
            called = 1;
        }
    }
    return called;
}

/* A destructor may set values again, so there are several passes. */
void __picket_run_key_destructors(void) {
    if (keys_set == 0) {
        return;
    }
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_destructors_once(); round++) {
    }
}
