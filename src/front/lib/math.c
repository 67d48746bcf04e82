/* The functions of <math.h> that are easier in C than as an instruction: parts of numbers, rounding to integers,
 * classification. */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdint.h>

#undef isnan
#undef isinf

union double_bits {
    double number;
    uint64_t bits;
};

union float_bits {
    float number;
    uint32_t bits;
};

union long_double_bits {
    long double number;
    struct {
        uint64_t mantissa;
        uint16_t exponent;
    } bits;
};

static int exponent_of(double number) {
    union double_bits u = {.number = number};
    return (int)(u.bits >> 52 & 2047);
}

int __isnan(double x) {
    return x != x;
}

int __isnanf(float x) {
    return x != x;
}

int __isnanl(long double x) {
    return x != x;
}

int isnan(double x) {
    return x != x;
}

int __isinf(double x) {
    return (x == HUGE_VAL) - (x == -HUGE_VAL);
}

int __isinff(float x) {
    return (x == HUGE_VALF) - (x == -HUGE_VALF);
}

int __isinfl(long double x) {
    return (x == HUGE_VALL) - (x == -HUGE_VALL);
}

int isinf(double x) {
    return __isinf(x);
}

int __finite(double x) {
    return x - x == 0;
}

int __finitef(float x) {
    return x - x == 0;
}

int __finitel(long double x) {
    return x - x == 0;
}

int finite(double x) {
    return __finite(x);
}

int __signbit(double x) {
    union double_bits u = {.number = x};
    return (int)(u.bits >> 63);
}

int __signbitf(float x) {
    union float_bits u = {.number = x};
    return (int)(u.bits >> 31);
}

int __signbitl(long double x) {
    union long_double_bits u = {.number = x};
    return u.bits.exponent >> 15;
}

int __fpclassify(double x) {
    if (x != x) {
        return FP_NAN;
    }
    if (__isinf(x)) {
        return FP_INFINITE;
    }
    if (x == 0) {
        return FP_ZERO;
    }
    return exponent_of(x) == 0 ? FP_SUBNORMAL : FP_NORMAL;
}

int __fpclassifyf(float x) {
    if (x != x) {
        return FP_NAN;
    }
    if (__isinff(x)) {
        return FP_INFINITE;
    }
    if (x == 0) {
        return FP_ZERO;
    }
    union float_bits u = {.number = x};
    return (u.bits >> 23 & 255) == 0 ? FP_SUBNORMAL : FP_NORMAL;
}

double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0 || !__finite(x)) {
        return x;
    }
    int bias = 1022;
    if (exponent_of(x) == 0) {
        x *= 0x1p54;
        bias += 54;
    }
    union double_bits u = {.number = x};
    *exponent = exponent_of(x) - bias;
    u.bits = (u.bits & ~(UINT64_C(2047) << 52)) | UINT64_C(1022) << 52;
    return u.number;
}

float frexpf(float x, int *exponent) {
    return (float)frexp(x, exponent);
}

static double power_of_two(int exponent) {
    union double_bits u = {.bits = (uint64_t)(exponent + 1023) << 52};
    return u.number;
}

/* In up to three exact steps and one that rounds. */
double scalbln(double x, long exponent) {
    if (exponent > 3000) {
        exponent = 3000;
    }
    if (exponent < -3000) {
        exponent = -3000;
    }
    while (exponent > 1023) {
        x *= 0x1p1023;
        exponent -= 1023;
    }
    while (exponent < -969) {
        x *= 0x1p-969;
        exponent += 969;
    }
    return x * power_of_two((int)exponent);
}

double scalbn(double x, int exponent) {
    return scalbln(x, exponent);
}

double ldexp(double x, int exponent) {
    return scalbln(x, exponent);
}

float ldexpf(float x, int exponent) {
    return (float)scalbln(x, exponent);
}

float scalbnf(float x, int exponent) {
    return (float)scalbln(x, exponent);
}

double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(__isinf(x) ? 0.0 : x - *whole, x);
}

float modff(float x, float *whole) {
    *whole = truncf(x);
    return copysignf(__isinff(x) ? 0.0F : x - *whole, x);
}

double logb(double x) {
    int exponent;
    if (x == 0) {
        return -HUGE_VAL;
    }
    if (!__finite(x)) {
        return x * x;
    }
    frexp(x, &exponent);
    return exponent - 1;
}

int ilogb(double x) {
    int exponent;
    if (x == 0) {
        return FP_ILOGB0;
    }
    if (!__finite(x)) {
        return __isnan(x) ? FP_ILOGBNAN : INT_MAX;
    }
    frexp(x, &exponent);
    return exponent - 1;
}

long lround(double x) {
    return (long)round(x);
}

long lroundf(float x) {
    return (long)roundf(x);
}

long long llround(double x) {
    return (long long)round(x);
}

long long llroundf(float x) {
    return (long long)roundf(x);
}

long lrint(double x) {
    return (long)rint(x);
}

long lrintf(float x) {
    return (long)rintf(x);
}

long long llrint(double x) {
    return (long long)rint(x);
}

long long llrintf(float x) {
    return (long long)rintf(x);
}

double fdim(double x, double y) {
    if (x != x || y != y) {
        return x + y;
    }
    return x > y ? x - y : 0;
}

float fdimf(float x, float y) {
    return (float)fdim(x, y);
}

double nan(const char *tag) {
    (void)tag;
    return __builtin_nan("");
}

float nanf(const char *tag) {
    (void)tag;
    return __builtin_nanf("");
}

double exp10(double x) {
    return pow(10, x);
}

double nextafter(double x, double y) {
    union double_bits u = {.number = x};
    if (x != x || y != y) {
        return x + y;
    }
    if (x == y) {
        return y;
    }
    if (x == 0) {
        u.bits = (y < 0 ? UINT64_C(1) << 63 : 0) | 1;
    } else if ((x < y) == (x > 0)) {
        u.bits++;
    } else {
        u.bits--;
    }
    return u.number;
}

void sincos(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}
