// run => native
// Counting, swapping and rotating bits by builtins.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint64_t x = 0x00f0123400560080u;
    for (int i = 0; i < 6; i++) {
        uint32_t w = (uint32_t)(x | 1);
        printf("%d %d %d %d %d %d\n", __builtin_popcount(w), __builtin_popcountll(x), __builtin_clz(w),
               __builtin_ctz(w), __builtin_clzll(x), __builtin_ctzll(x));
        printf("%x %x %llx\n", __builtin_bswap16((uint16_t)w), __builtin_bswap32(w),
               (unsigned long long)__builtin_bswap64(x));
        printf("%d %d %d %d\n", __builtin_parity(w), __builtin_ffs((int)w), __builtin_ffsll((long long)x),
               __builtin_clrsb((int)w));
        x = x * 6364136223846793005u + 1442695040888963407u;
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%d\n", __builtin_expect(x != 0, 1) ? 1 : 2);
    printf("%d %d\n", __builtin_abs(-5), __builtin_constant_p(5));
    return 0;
}
