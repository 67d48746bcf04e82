// run => native
// printf of integers: flags, widths, precisions, length modifiers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int values[] = {0, 1, -1, 42, -42, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 7; i++) {
        int v = values[i];
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d|]\n", v, v, v, v, v, v, v, v, v);
        printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08x] [%-8x|]\n", (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v,
               (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
    }
    printf("%hhd %hhu %hd %hu\n", (char)-1, (unsigned char)-1, (short)-1, (unsigned short)-1);
    printf("%ld %lu %lld %llu %lx %llX\n", -5L, 5UL, -6LL, 6ULL, 0xdeadbeefcafeUL, 0xfeedULL);
    printf("%zu %zd %td %jd %ju\n", (size_t)7, (ptrdiff_t)-7, (ptrdiff_t)8, (intmax_t)-9, (uintmax_t)9);
    printf("%*d|%-*d|%.*d\n", 6, 42, 6, 42, 4, 42);
    printf("%i %%  %c%c\n", 12, 'o', 'k');
    printf("%5c|%-5c|\n", 'x', 'y');
    printf("%1$d %2$s %1$d\n", 3, "positional");
    return 0;
}
