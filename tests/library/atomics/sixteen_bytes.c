// run -- -mcx16 => native
// args: -mcx16
// 16-byte compare-and-swap by the __sync builtin.
#include <stdio.h>

int main(void) {
    static __int128 x __attribute__((aligned(16))) = ((__int128)7 << 64) | 5;
    __int128 old = __sync_val_compare_and_swap(&x, ((__int128)7 << 64) | 5, ((__int128)9 << 64) | 6);
    printf("%d %d\n", (int)(old >> 64), (int)old);
    printf("%d\n", __sync_bool_compare_and_swap(&x, (__int128)0, (__int128)1));
    printf("%d %d\n", (int)(x >> 64), (int)x);
    return 0;
}
