// check --model sc --engine brute => safe
// check --model sc --engine brute -DWIDE => violation assertion:12
// An assumption restricts a nondeterministic value.
#include <assert.h>
#include <picket.h>

int main(void) {
    int x = picket_nondet_int(0, 10);
#ifndef WIDE
    picket_assume(x % 2 == 0);
#endif
    assert(x != 7); // here
    return 0;
}
