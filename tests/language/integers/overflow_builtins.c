// run => native
// The overflow builtins, in several widths and signs.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int r;
    unsigned u;
    long l;
    unsigned long ul;
    signed char c;
    int values[] = {0, 1, -1, INT_MAX, INT_MIN, 46341, -46341};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            int a = values[i], b = values[j];
            int o1 = __builtin_add_overflow(a, b, &r), r1 = r;
            int o2 = __builtin_sub_overflow(a, b, &r), r2 = r;
            int o3 = __builtin_mul_overflow(a, b, &r), r3 = r;
            printf("%d:%d %d:%d %d:%d\n", o1, r1, o2, r2, o3, r3);
            int o4 = __builtin_add_overflow((unsigned)a, (unsigned)b, &u);
            printf("%d:%u ", o4, u);
            int o5 = __builtin_mul_overflow((long)a * 65536, (long)b, &l);
            printf("%d:%ld ", o5, l);
            int o6 = __builtin_sub_overflow((unsigned long)a, (unsigned long)b, &ul);
            printf("%d:%lu ", o6, ul);
            int o7 = __builtin_add_overflow(a, b, &c);
            printf("%d:%d\n", o7, c);
        }
    }
    printf("%d\n", __builtin_sadd_overflow(INT_MAX, 1, &r));
    printf("%d\n", __builtin_umul_overflow(65536u, 65536u, &u));
    return 0;
}
