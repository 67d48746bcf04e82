// The non-blocking write protocol with several buffers: the writer uses them in turn, so that a reader is disturbed
// only if it is overtaken by a whole round; a disturbed reader gives up here.
#include "harness.h"

#ifndef BUFFERS
#define BUFFERS 2
#endif
#ifndef WRITES
#define WRITES 3
#endif

struct buffer {
    _Atomic int left, right;
};

static _Atomic int counter; /* odd while the writer writes; twice the number of finished writes otherwise */
static struct buffer buffers[BUFFERS];

static void *writer(void *unused) {
    for (int i = 1; i <= WRITES; i++) {
        STORE(counter, 2 * i - 1);
        STORE_FENCE_FROM_PSO();
        STORE(buffers[i % BUFFERS].left, i);
        STORE(buffers[i % BUFFERS].right, i);
        STORE_FENCE_FROM_PSO();
        STORE(counter, 2 * i);
    }
    return unused;
}

static void *reader(void *unused) {
    int newest = LOAD(counter) / 2;
    int first = LOAD(buffers[newest % BUFFERS].left);
    int second = LOAD(buffers[newest % BUFFERS].right);
    bool disturbed = LOAD(counter) >= 2 * (newest + BUFFERS) - 1;
    assert(disturbed || (first == newest && second == newest));
    return unused;
}

int main(void) {
    run_pair(writer, reader);
    return 0;
}
