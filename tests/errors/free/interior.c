// check --model sc --engine brute => violation invalid-free:6
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p + 1); // here
    return 0;
}
