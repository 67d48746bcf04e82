// check --model sc --engine brute => violation invalid-free:7
#include <stdlib.h>

int main(void) {
    int x[4] = {0};
    int *volatile p = x;
    free(p); // here
    return 0;
}
