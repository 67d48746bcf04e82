// run => native
// Arithmetic in every integer width wraps or promotes as C says.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t u8 = 250;
    int8_t s8 = 120;
    uint16_t u16 = 65530;
    int16_t s16 = -32760;
    uint32_t u32 = 4294967290u;
    int32_t s32 = -2147483640;
    uint64_t u64 = UINT64_MAX - 5;
    int64_t s64 = INT64_MIN + 5;
    for (int i = 0; i < 10; i++) {
        u8++;
        s8 = (int8_t)(s8 + 1);
        u16 += 3;
        s16 = (int16_t)(s16 - 3);
        u32 += 7;
        s32 += 11;
        u64 += 13;
        s64 += 17;
        printf("%u %d %u %d %u %d %llu %lld\n", u8, s8, u16, s16, u32, s32, (unsigned long long)u64, (long long)s64);
    }
    printf("%d %d %ld %lld %u\n", CHAR_BIT, INT_MAX, LONG_MIN, LLONG_MAX, UINT_MAX);
    printf("%d %d %d\n", SCHAR_MIN, SHRT_MIN, USHRT_MAX);
    return 0;
}
