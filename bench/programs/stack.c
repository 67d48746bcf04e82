// A stack under a lock, one thread that pushes and one that pops. With -DUNSAFE the popping thread asks whether
// anything was ever pushed, not whether anything is there.
#include "harness.h"

#ifndef SIZE
#define SIZE 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int elements[SIZE];
static int count;
static bool pushed;

static void push(int element) {
    assert(count < SIZE);
    elements[count] = element;
    count++;
}

static int pop(void) {
    assert(count > 0);
    count--;
    return elements[count];
}

static void *pusher(void *unused) {
    for (int i = 1; i <= SIZE; i++) {
        pthread_mutex_lock(&lock);
        push(i);
        pushed = true;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static bool may_pop(void) {
#ifdef UNSAFE
    return pushed;
#else
    return count > 0;
#endif
}

static void *popper(void *unused) {
    for (int i = 1; i <= SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (may_pop()) {
            assert(pop() != 0);
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    run_pair(pusher, popper);
    return 0;
}
