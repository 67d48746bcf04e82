// run => native
// The functions of <math.h> in their exact or correctly rounded cases, and a few others at low precision.
#include <math.h>
#include <stdio.h>

int main(void) {
    double values[] = {0, 0.5, 1, 1.5, 2, 2.5, -0.5, -1.5, -2.5, 10.75, -7.25, 1e10};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i];
        printf("%g: %g %g %g %g %g %g %g\n", x, floor(x), ceil(x), trunc(x), round(x), rint(x), fabs(x), sqrt(fabs(x)));
        printf("  %ld %ld %.6f %.6f %.6f\n", lround(x), lrint(x), sin(x), cos(x), atan(x));
        printf("  %.6f %.6f %.6f\n", exp(x / 100), log(fabs(x) + 1), pow(fabs(x), 0.3));
        printf("  %g %g %g %g\n", fmod(x, 0.7) > -1 ? fmod(x, 2) : 0, fmin(x, 1), fmax(x, 1), copysign(3, x));
        int e;
        double m = frexp(x, &e), whole, part = modf(x, &whole);
        printf("  %g %d %g %g %g\n", m, e, whole, part, ldexp(x, 3));
    }
    printf("%.5f %.5f %.5f %.5f\n", tan(1), asin(0.5), acos(0.5), atan2(1, -1));
    printf("%.5f %.5f %.5f %.5f\n", sinh(1), cosh(1), tanh(1), cbrt(27));
    printf("%.5f %.5f %.5f %.5f\n", exp2(0.5), log2(10), log10(1000), hypot(3, 4));
    printf("%g %g\n", fma(2, 3, 4), fdim(5, 3));
    printf("%g %g %g %g\n", (double)sqrtf(2), (double)floorf(-1.5f), (double)powf(2, 0.5f), (double)fabsf(-2.5f));
    printf("%Lg %Lg %Lg\n", sqrtl(2.25L), floorl(-1.5L), fabsl(-3.25L));
    return 0;
}
