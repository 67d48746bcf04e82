// check --model sc --engine brute => violation out-of-bounds:13
#include <stdlib.h>

struct text {
    int length;
    char bytes[];
};

int main(void) {
    struct text *t = malloc(sizeof *t + 3);
    t->length = 3;
    for (int i = 0; i <= t->length; i++)
        t->bytes[i] = 'x'; // here
    return 0;
}
