// run => native
// C99 complex numbers.
#include <complex.h>
#include <stdio.h>

static double complex square(double complex z) {
    return z * z;
}
static float complex turn(float complex z) {
    return z * I;
}

int main(void) {
    double complex a = 1 + 2 * I, b = 3 - 0.5 * I;
    double complex sum = a + b, product = a * b, difference = a - b;
    printf("%g %g\n", creal(sum), cimag(sum));
    printf("%g %g\n", creal(product), cimag(product));
    printf("%g %g\n", creal(difference), cimag(difference));
    a = square(a);
    printf("%g %g\n", creal(a), cimag(a));
    float complex f = turn(2.0f + 1.0f * I);
    printf("%g %g\n", crealf(f), cimagf(f));
    printf("%d\n", a == -3 + 4 * I);
    return 0;
}
