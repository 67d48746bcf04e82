/* pthread_once. */
#define _GNU_SOURCE
#include <pthread.h>

#include "intrinsics.h"

int pthread_once(pthread_once_t *once, void (*function)(void)) {
    if (__picket_once_begin(once)) {
        function();
        __picket_once_end(once);
    }
    return 0;
}
