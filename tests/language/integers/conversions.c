// run => native
// Conversions between widths and signs truncate, extend with the sign, or extend with zeros.
#include <stdint.h>
#include <stdio.h>

static long widen(int x) {
    return x;
}
static unsigned long widen_unsigned(unsigned x) {
    return x;
}
static short narrow(long x) {
    return (short)x;
}
static _Bool truth(long x) {
    return x;
}

int main(void) {
    long values[] = {0,     1,     -1,    127,        128,        255,         256,     32767,
                     32768, 65535, 65536, 2147483647, 2147483648, -2147483649, 1L << 40};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long v = values[i];
        printf("%ld: %d %u %d %u %d %u %ld %lu %d %d\n", v, (int8_t)v, (uint8_t)v, (int16_t)v, (uint16_t)v, (int32_t)v,
               (uint32_t)v, widen((int)v), widen_unsigned((unsigned)v), narrow(v), truth(v));
    }
    unsigned char c = (unsigned char)-1;
    signed char d = -1;
    printf("%d %d %d %d\n", c == d, c == (unsigned char)d, (int)c, (int)d);
    printf("%d\n", -1 < 1u);
    printf("%d\n", -1L < 1u);
    printf("%d\n", (unsigned short)-1 < 1);
    return 0;
}
