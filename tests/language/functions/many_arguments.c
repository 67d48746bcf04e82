// run => native
// More arguments than there are registers, of mixed classes; narrow arguments and results.
#include <stdint.h>
#include <stdio.h>

static long many(int a, double b, long c, float d, char e, short f, unsigned g, long h, double i, int j, int k,
                 long double l, int m) {
    return (long)(a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 + l * 12 +
                  m * 13);
}

static int8_t narrow(int8_t a, uint8_t b, int16_t c, uint16_t d, _Bool e) {
    return (int8_t)(a + b + c + d + e);
}
static uint16_t short_result(unsigned x) {
    return (uint16_t)x;
}
static _Bool boolean(int x) {
    return x;
}
static float single(float a, float b) {
    return a / b;
}

int main(void) {
    printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    printf("%d\n", narrow(-100, 255, -300, 65535, 1));
    printf("%u %d %d %g\n", short_result(123456), boolean(256), boolean(0), single(1, 3));
    int (*print)(const char *, ...) = printf;
    print("%d %s\n", 5, "through a pointer");
    return 0;
}
