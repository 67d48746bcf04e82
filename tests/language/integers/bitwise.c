// run => native
// Bit operations and the idioms built from them.
#include <stdint.h>
#include <stdio.h>

static uint32_t reverse(uint32_t x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static int count(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

int main(void) {
    uint32_t x = 1;
    for (int i = 0; i < 8; i++) {
        x = x * 1664525u + 1013904223u;
        printf("%08x %08x %d %x %x %x %d\n", x, reverse(x), count(x), x & -x, ~x, x ^ x >> 1, !x);
    }
    unsigned flags = 0;
    flags |= 1u << 3;
    flags ^= 0xff;
    flags &= ~(1u << 5);
    printf("%u\n", flags);
    return 0;
}
