// check --model sc --engine brute => violation double-free:7
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p);
    free(p); // here
    return 0;
}
