// check --engine explore => safe
// check --engine reach => safe
// check --engine brute => safe
// check --engine lazy => safe
// check --engine rounds => safe
// check --engine seq => safe
// check --engine explore -DIGNORED => safe assuming uninitialised
// check --engine reach -DIGNORED => safe assuming uninitialised
// check --engine brute -DIGNORED => safe assuming uninitialised
// check --engine lazy -DIGNORED => safe assuming uninitialised
// check --engine rounds -DIGNORED => safe assuming uninitialised
// check --engine seq -DIGNORED => safe assuming uninitialised
// check --check uninit -DIGNORED => violation uninitialised:34
// A local that a function sets through its address if it succeeds: nobody reads it after a failure, unless the result
// is IGNORED.
#include <assert.h>
#include <pthread.h>

static int full;
static int item;

static int pop(int *to) {
    if (!full) {
        return 0;
    }
    *to = item;
    return 1;
}

static void *consume(void *unused) {
    int value;
#ifdef IGNORED
    pop(&value);
    assert(value < 8);
#else
    if (pop(&value)) {
        assert(value == 7);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    item = 7;
    full = 1;
    pthread_join(thread, NULL);
    return 0;
}
