// run => native
// rand with the default and with given seeds, rand_r.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    printf("\n");
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    printf("\n");
    srand(42);
    printf("%d %d\n", rand() % 6 + 1, RAND_MAX == 2147483647);
    unsigned seed = 3;
    int a = rand_r(&seed), b = rand_r(&seed);
    printf("%d %d\n", a, b);
    return 0;
}
