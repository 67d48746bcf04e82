// run => native
// GNU statement expressions, typeof, local labels, case ranges by macros, __auto_type.
#include <stdio.h>

#define MAX(a, b)                                                                                                      \
    ({                                                                                                                 \
        __typeof__(a) a_ = (a);                                                                                        \
        __typeof__(b) b_ = (b);                                                                                        \
        a_ > b_ ? a_ : b_;                                                                                             \
    })
#define FIND(array, n, value)                                                                                          \
    ({                                                                                                                 \
        __label__ found;                                                                                               \
        int at_ = -1;                                                                                                  \
        for (int i_ = 0; i_ < (n); i_++)                                                                               \
            if ((array)[i_] == (value)) {                                                                              \
                at_ = i_;                                                                                              \
                goto found;                                                                                            \
            }                                                                                                          \
    found:                                                                                                             \
        at_;                                                                                                           \
    })

int main(void) {
    int i = 3;
    printf("%d %d\n", MAX(i++, 2), i);
    printf("%g\n", MAX(1.5, 2));
    int numbers[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d\n", FIND(numbers, 6, 16), FIND(numbers, 6, 17));
    __auto_type x = 1ul << 40;
    printf("%lu %zu\n", x, sizeof x);
    __typeof__(numbers) copy = {[5] = 1};
    printf("%zu %d\n", sizeof copy, copy[5]);
    int y = ({
        int sum = 0;
        for (int k = 0; k < 6; k++)
            sum += numbers[k];
        sum;
    });
    printf("%d\n", y);
    return 0;
}
