// check --model sc --engine brute => violation assertion:6
// SV-COMP's own definition of reach_error is taken as written.
#include <assert.h>

void reach_error(void) {
    assert(0); // here
}

void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR: { reach_error(); }
    }
}

int main(void) {
    int x = 3;
    __VERIFIER_assert(x == 3);
    __VERIFIER_assert(x == 4);
    return 0;
}
