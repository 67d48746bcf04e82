// check --model sc --engine brute => safe assuming malloc
// check --model sc --engine brute --check leaks => violation leak:6
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(10); // here
    p = NULL;
    return p != NULL;
}
