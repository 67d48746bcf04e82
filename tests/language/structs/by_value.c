// run => native
// Structs of 1 to 40 bytes as arguments, results and in assignment.
#include <stdio.h>

#define SIZED(n)                                                                                                       \
    struct s##n {                                                                                                      \
        unsigned char b[n];                                                                                            \
    };                                                                                                                 \
    static struct s##n make##n(int seed) {                                                                             \
        struct s##n s;                                                                                                 \
        for (int i = 0; i < n; i++)                                                                                    \
            s.b[i] = (unsigned char)(seed + i * 3);                                                                    \
        return s;                                                                                                      \
    }                                                                                                                  \
    static int sum##n(struct s##n s, int scale) {                                                                      \
        int sum = 0;                                                                                                   \
        for (int i = 0; i < n; i++)                                                                                    \
            sum += s.b[i] * scale;                                                                                     \
        s.b[0] = 0;                                                                                                    \
        return sum;                                                                                                    \
    }

// clang-format off
SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8)
SIZED(9) SIZED(11) SIZED(12) SIZED(13) SIZED(15) SIZED(16) SIZED(17) SIZED(20)
SIZED(23) SIZED(24) SIZED(31) SIZED(32) SIZED(33) SIZED(40)
// clang-format on

#define TRY(n)                                                                                                         \
    do {                                                                                                               \
        struct s##n x = make##n(n), y;                                                                                 \
        y = x;                                                                                                         \
        y.b[n - 1]++;                                                                                                  \
        printf("%d: %zu %d %d\n", n, sizeof x, sum##n(x, 2), sum##n(y, 3));                                            \
    } while (0)

        int main(void) {
    TRY(1);
    TRY(2);
    TRY(3);
    TRY(4);
    TRY(5);
    TRY(6);
    TRY(7);
    TRY(8);
    TRY(9);
    TRY(11);
    TRY(12);
    TRY(13);
    TRY(15);
    TRY(16);
    TRY(17);
    TRY(20);
    TRY(23);
    TRY(24);
    TRY(31);
    TRY(32);
    TRY(33);
    TRY(40);
    return 0;
}
