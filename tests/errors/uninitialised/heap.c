// check --model sc --engine brute --check uninit => violation uninitialised:7
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    if (p[1] == 3) // here
        return 1;
    free(p);
    return 0;
}
