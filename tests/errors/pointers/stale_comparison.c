// check --model sc => safe within bounds
// check --model sc --check stale => violation stale-pointer:17
// check --model sc --engine seq => safe within bounds
// check --model sc --engine seq --check stale => violation stale-pointer:17
// Whether a freed address equals a new one depends on the allocator: here addresses are not used again, so the answer
// holds within that bound.
#include <stdlib.h>

static void *kept;

int main(void) {
    kept = malloc(8);
    free(kept);
    void *other = malloc(8);
    void *old = kept;
    int same = 0;
    if (old == other) { // here
        same = 1;
    }
    free(other);
    return same;
}
