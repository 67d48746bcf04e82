/* Complex numbers: functions that the compiler calls for * and /, and the simple functions of <complex.h>.
 *
 * In C an infinite operand gives an infinite result even if the plain formula gives two NaNs.  Then infinite operands
 * are replaced by ones (with their signs), NaNs by zeros, and the product is computed again. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

static double boxed(double part) {
    return copysign(__builtin_isinf(part) ? 1.0 : 0.0, part);
}

static double without_nan(double part) {
    return __builtin_isnan(part) ? copysign(0.0, part) : part;
}

static int is_infinite(double real, double imaginary) {
    return __builtin_isinf(real) || __builtin_isinf(imaginary);
}

static double complex pack(double real, double imaginary) {
    return __builtin_complex(real, imaginary);
}

/* The product if the plain formula gave NaN twice. */
static double complex multiply_again(double a, double b, double c, double d, double complex plain) {
    if (is_infinite(a, b)) {
        a = boxed(a);
        b = boxed(b);
        c = without_nan(c);
        d = without_nan(d);
    } else if (is_infinite(c, d)) {
        a = without_nan(a);
        b = without_nan(b);
    } else if (is_infinite(a * c, b * d) || is_infinite(a * d, b * c)) {
        a = without_nan(a);
        b = without_nan(b);
        c = without_nan(c);
        d = without_nan(d);
    } else {
        return plain;
    }
    if (is_infinite(c, d)) {
        c = boxed(c);
        d = boxed(d);
    }
    return pack(HUGE_VAL * (a * c - b * d), HUGE_VAL * (a * d + b * c));
}

double complex __muldc3(double a, double b, double c, double d) {
    double complex plain = pack(a * c - b * d, a * d + b * c);
    if (__builtin_isnan(__real__ plain) && __builtin_isnan(__imag__ plain)) {
        return multiply_again(a, b, c, d, plain);
    }
    return plain;
}

/* Exact enough in double; the parts are rounded once. */
float complex __mulsc3(float a, float b, float c, float d) {
    float real = a * c - b * d;
    float imaginary = a * d + b * c;
    if (real != real && imaginary != imaginary) {
        return (float complex)__muldc3(a, b, c, d);
    }
    return __builtin_complex(real, imaginary);
}

/* The divisor is scaled to about 1, so that its square neither overflows nor vanishes. */
double complex __divdc3(double a, double b, double c, double d) {
    int shift = 0;
    double largest = fmax(fabs(c), fabs(d));
    if (largest != 0 && __builtin_isfinite(largest)) {
        shift = -ilogb(largest);
        c = scalbn(c, shift);
        d = scalbn(d, shift);
    }
    double square = c * c + d * d;
    double real = scalbn((a * c + b * d) / square, shift);
    double imaginary = scalbn((b * c - a * d) / square, shift);
    if (real != real && imaginary != imaginary) {
        if (square == 0 && (a == a || b == b)) {
            real = copysign(HUGE_VAL, c) * a;
            imaginary = copysign(HUGE_VAL, c) * b;
        } else if (is_infinite(a, b) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            real = HUGE_VAL * (boxed(a) * c + boxed(b) * d);
            imaginary = HUGE_VAL * (boxed(b) * c - boxed(a) * d);
        } else if (is_infinite(c, d) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            real = 0.0 * (a * boxed(c) + b * boxed(d));
            imaginary = 0.0 * (b * boxed(c) - a * boxed(d));
        }
    }
    return pack(real, imaginary);
}

float complex __divsc3(float a, float b, float c, float d) {
    return (float complex)__divdc3(a, b, c, d);
}

double cabs(double complex z) {
    return hypot(__real__ z, __imag__ z);
}

float cabsf(float complex z) {
    return hypotf(__real__ z, __imag__ z);
}

double carg(double complex z) {
    return atan2(__imag__ z, __real__ z);
}

double creal(double complex z) {
    return __real__ z;
}

float crealf(float complex z) {
    return __real__ z;
}

double cimag(double complex z) {
    return __imag__ z;
}

float cimagf(float complex z) {
    return __imag__ z;
}

double complex conj(double complex z) {
    return pack(__real__ z, -__imag__ z);
}

float complex conjf(float complex z) {
    return __builtin_complex(__real__ z, -__imag__ z);
}
