// A square root of any number: its values are too many to be tried one by one, and the solver knows no floating point.
// check => error "refused.c:10: error: explore: a nondeterministic value with more than 4096 possible values"
// check --timeout 20 => error "seq: "
#include <assert.h>
#include <math.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int value = __VERIFIER_nondet_int();
    assert(sqrt(value) != 1234.5);
    return 0;
}
