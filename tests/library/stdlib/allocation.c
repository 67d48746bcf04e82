// run => native
// malloc, calloc, realloc, aligned_alloc, posix_memalign, reallocarray, free(NULL).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *a = malloc(10 * sizeof *a);
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    a = realloc(a, 20 * sizeof *a);
    for (int i = 10; i < 20; i++)
        a[i] = -i;
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += a[i];
    printf("%d\n", sum);
    a = realloc(a, 3 * sizeof *a);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    free(a);
    char *z = calloc(7, 9);
    int zeros = 1;
    for (int i = 0; i < 63; i++)
        zeros &= z[i] == 0;
    printf("%d\n", zeros);
    free(z);
    free(NULL);
    void *p = aligned_alloc(64, 128), *q = NULL;
    int code = posix_memalign(&q, 32, 100);
    printf("%d %d %d\n", (int)((uintptr_t)p % 64), code, (int)((uintptr_t)q % 32));
    free(p);
    free(q);
    char *grown = realloc(NULL, 8);
    strcpy(grown, "grown");
    printf("%s\n", grown);
    free(grown);
    int *matrix = reallocarray(NULL, 6, sizeof *matrix);
    matrix[5] = 3;
    printf("%d\n", matrix[5]);
    free(matrix);
    return 0;
}
