// run => native
// Shifts of every width, by constant and by variable counts.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    for (int n = 0; n < 32; n += 5) {
        uint32_t u = 0x89abcdefu;
        int32_t s = -123456789;
        printf("%d: %x %x %d\n", n, u << n, u >> n, s >> n);
    }
    for (int n = 0; n < 64; n += 9) {
        uint64_t u = 0x89abcdef01234567u;
        int64_t s = -1234567890123456789;
        printf("%d: %llx %llx %lld\n", n, (unsigned long long)(u << n), (unsigned long long)(u >> n),
               (long long)(s >> n));
    }
    uint8_t b = 0x81;
    int8_t sb = (int8_t)0x81;
    printf("%x %x %x %d\n", (uint8_t)(b << 1), b >> 1, b << 1, sb >> 1);
    uint16_t h = 0x8001;
    h <<= 3;
    printf("%x\n", h);
    h >>= 2;
    printf("%x\n", h);
    uint32_t rotated = 0x12345678;
    for (unsigned n = 1; n < 32; n++) {
        rotated = rotated << n | rotated >> (32 - n);
    }
    printf("%x\n", rotated);
    return 0;
}
