// run => native
// Floating-point arithmetic in three precisions; conversion to and from integers; special values.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    float f = 1.1f;
    double d = 1.1;
    long double l = 1.1L;
    for (int i = 0; i < 5; i++) {
        f = f * f - 0.3f;
        d = d * d - 0.3;
        l = l * l - 0.3L;
        printf("%.9g %.17g %.18Lg\n", f, d, l);
    }
    printf("%d %d %d\n", f == (float)d, d == (double)l, 0.1f == 0.1);
    printf("%d %ld %u %llu\n", (int)-3.99, (long)1e18, (unsigned)4e9, (unsigned long long)1.8e19);
    printf("%g %g %g\n", (float)16777217, (double)(1L << 53) + 1, (double)UINT64_MAX);
    printf("%Lg %Lg\n", (long double)UINT64_MAX, (long double)INT64_MIN);
    double zero = 0, inf = 1 / zero, nan = zero / zero;
    printf("%f %f %d %d %d\n", inf, -inf, nan == nan, nan != nan, inf > DBL_MAX);
    printf("%d %d %d\n", nan < 1, nan > 1, !(nan >= 1));
    printf("%g %g %d\n", -zero, 1 / -zero, zero == -zero);
    printf("%g %g %g\n", FLT_MAX, DBL_MIN, DBL_EPSILON);
    printf("%d %d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isfinite(d) != 0, signbit(-zero) != 0);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    unsigned char c = 200;
    c /= 1.6f;
    printf("%d\n", c);
    short s = (short)-123.7f;
    printf("%d %g\n", s, (double)(float)1e-50);
    return 0;
}
