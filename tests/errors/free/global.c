// check --model sc --engine brute => violation invalid-free:8
#include <stdlib.h>

static int x;

int main(void) {
    int *volatile p = &x;
    free(p); // here
    return 0;
}
