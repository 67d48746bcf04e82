// check --model sc --engine brute => violation out-of-bounds:7
// The access begins inside and ends outside.
#include <stdlib.h>

int main(void) {
    char *p = malloc(6);
    *(int *)(p + 3) = 1; // here
    return 0;
}
