// run => native
// Division and remainder truncate towards zero, in every width and sign.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int numbers[] = {7, -7, 100, -100, 1, -1, 2147483647, -2147483647};
    int divisors[] = {3, -3, 7, -7, 1, 1000, -1000};
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < 7; j++) {
            printf("%d/%d=%d r %d; ", numbers[i], divisors[j], numbers[i] / divisors[j], numbers[i] % divisors[j]);
        }
        printf("\n");
    }
    uint64_t big = 0xfedcba9876543210u;
    printf("%llu %llu\n", (unsigned long long)(big / 12345), (unsigned long long)(big % 12345));
    int64_t negative = (int64_t)big;
    printf("%lld %lld\n", (long long)(negative / 12345), (long long)(negative % 12345));
    int8_t small = -128;
    printf("%d %d %d\n", small / -1, small % 7, (uint8_t)small / 7);
    unsigned short us = 60000;
    printf("%d %d\n", us / 7, us % 7);
    return 0;
}
