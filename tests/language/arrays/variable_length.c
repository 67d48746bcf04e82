// run => native
// Variable-length arrays: in loops, two-dimensional, as parameters, with sizeof.
#include <stdio.h>

static long trace(int n, int matrix[n][n]) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += matrix[i][i];
    }
    return sum;
}

static int depth(int n) {
    int local[n];
    for (int i = 0; i < n; i++) {
        local[i] = i * n;
    }
    int rest = n > 1 ? depth(n - 1) : 0;
    return local[n - 1] + rest;
}

int main(void) {
    for (int n = 1; n < 6; n++) {
        int matrix[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                matrix[i][j] = i * 7 + j;
            }
        }
        printf("%d %ld %zu\n", n, trace(n, matrix), sizeof matrix);
    }
    printf("%d\n", depth(12));
    int n = 3;
    char text[n * 4];
    snprintf(text, sizeof text, "%s", "a long text that is cut");
    printf("%s %zu\n", text, sizeof text);
    for (int i = 0; i < 1000; i++) {
        char scratch[i + 1];
        scratch[i] = (char)i;
        n += scratch[i];
    }
    printf("%d\n", n);
    return 0;
}
