// check --model sc --engine brute => violation dangling-pointer:9
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    int *old = p;
    p = realloc(p, 8 * sizeof *p);
    p[7] = 1;
    old[0] = 2; // here
    free(p);
    return 0;
}
