// run => native
// Small numeric algorithms: Newton, Simpson, a linear system, Mandelbrot.
#include <stdio.h>

static double root(double x) {
    double guess = x;
    for (int i = 0; i < 30; i++)
        guess = (guess + x / guess) / 2;
    return guess;
}

static double f(double x) {
    return x * x * x - 2 * x + 1;
}

static double simpson(double (*g)(double), double a, double b, int n) {
    double h = (b - a) / n, sum = g(a) + g(b);
    for (int i = 1; i < n; i++)
        sum += g(a + i * h) * (i % 2 ? 4 : 2);
    return sum * h / 3;
}

static void solve(int n, double a[n][n + 1]) {
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            double factor = a[k][i] / a[i][i];
            for (int j = i; j <= n; j++)
                a[k][j] -= factor * a[i][j];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int j = i + 1; j < n; j++)
            a[i][n] -= a[i][j] * a[j][n];
        a[i][n] /= a[i][i];
    }
}

int main(void) {
    printf("%.15f %.12f\n", root(2), root(123456));
    printf("%.12f\n", simpson(f, 0, 2, 20));
    double system[3][4] = {{2, 1, -1, 8}, {-3, -1, 2, -11}, {-2, 1, 2, -3}};
    solve(3, system);
    printf("%.6f %.6f %.6f\n", system[0][3], system[1][3], system[2][3]);
    for (int y = -4; y <= 4; y++) {
        for (int x = -16; x <= 6; x++) {
            double re = 0, im = 0;
            int n = 0;
            for (; n < 20 && re * re + im * im < 4; n++) {
                double t = re * re - im * im + x / 8.0;
                im = 2 * re * im + y / 4.0;
                re = t;
            }
            putchar(n == 20 ? '#' : n > 6 ? '+' : '.');
        }
        putchar('\n');
    }
    return 0;
}
