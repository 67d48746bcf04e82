// run => native
// printf of floating-point numbers.
#include <math.h>
#include <stdio.h>

int main(void) {
    double values[] = {0, 1, -1.5, 3.14159265358979, 1e10, 1e-10, 123456.789, 1e100, 0.1, 2.5, 1.0 / 3};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%010.2f] [%+.0f]\n", v, v, v, v, v, v);
        printf("[%e] [%.3E] [%g] [%G] [%.10g] [%#g] [%a]\n", v, v, v, v, v, v, v);
    }
    printf("%f %f %F %g\n", (double)INFINITY, -(double)INFINITY, (double)INFINITY, (double)NAN);
    printf("%Lf %Le %Lg %.20Lg\n", 1.25L, 1.25e300L, 1.0L / 3, 1.0L / 3);
    printf("%*.*f|%-*.*e|\n", 12, 4, 2.718281828, 14, 2, 31415.9);
    float f = 0.1f;
    printf("%f %.10f\n", f, f);
    return 0;
}
