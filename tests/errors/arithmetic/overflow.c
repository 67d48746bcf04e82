// check --model sc --engine brute => violation division-by-zero:7
// The quotient of the smallest number and -1 does not exist; x86 stops as for a zero.
#include <limits.h>

int main(void) {
    volatile int smallest = INT_MIN, minus = -1;
    return smallest / minus; // here
}
