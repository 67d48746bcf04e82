// check --model sc --engine brute => violation assertion:6
// The line is that of the assertion, in a function that is called in a loop.
#include <assert.h>

static void check(int i, int limit) {
    assert(i < limit); // here
}

int main(void) {
    for (int i = 0; i < 10; i++)
        check(i, 7);
    return 0;
}
