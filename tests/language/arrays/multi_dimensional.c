// run => native
// Arrays of two and three dimensions, as globals, locals and parameters.
#include <stdio.h>

static int cube[3][4][5];

static void fill(int rows[][5], int count, int seed) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < 5; j++) {
            rows[i][j] = seed + i * 10 + j;
        }
    }
}

static void multiply(double a[3][3], const double b[3][3], const double c[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                a[i][j] += b[i][k] * c[k][j];
            }
        }
    }
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        fill(cube[i], 4, i * 100);
    }
    int total = 0;
    for (int k = 0; k < 5; k++) {
        for (int j = 3; j >= 0; j--) {
            for (int i = 0; i < 3; i++) {
                total = total * 3 + cube[i][j][k];
                total %= 1000003;
            }
        }
    }
    printf("%d %d %d\n", total, cube[2][3][4], *(*(*(cube + 1) + 2) + 3));
    double a[3][3], b[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, c[3][3] = {{2, 0, 1}, {0, 3, 0}, {1, 0, 2}};
    multiply(a, b, c);
    for (int i = 0; i < 3; i++) {
        printf("%g %g %g\n", a[i][0], a[i][1], a[i][2]);
    }
    int(*row)[5] = cube[1];
    row++;
    printf("%d %td\n", (*row)[2], &cube[2][0] - &cube[0][0]);
    return 0;
}
