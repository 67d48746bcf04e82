// check --model sc --engine brute => violation dangling-pointer:8
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return *p; // here
}
