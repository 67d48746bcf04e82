// check --model sc --engine brute => violation out-of-bounds:7
#include <stdlib.h>

int main(void) {
    long *p = calloc(2, sizeof *p);
    volatile int i = -1;
    p[i] = 7; // here
    return 0;
}
