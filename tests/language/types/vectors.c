// run => native
// GNU vector types, element-wise.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));

static v4 mix(v4 a, v4 b) {
    return a * 3 + (b >> 1);
}

int main(void) {
    v4 a = {1, 2, 3, 4}, b = {10, -20, 30, -40};
    v4 c = mix(a, b), d = a > 2, e = a & 1;
    for (int i = 0; i < 4; i++)
        printf("%d %d %d\n", c[i], d[i], e[i]);
    f4 x = {1, 2, 3, 4}, y = x / 2 + 1;
    y[2] = 9;
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    f2 z = {1.5f, 2.5f};
    z += z;
    printf("%g %g\n", z[0], z[1]);
    v4 s = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
    return 0;
}
