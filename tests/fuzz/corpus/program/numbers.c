/* An input of fuzz_program: read by the front end, saved, and then damaged. */
#include <math.h>
#include <stdio.h>
static long double l = 1.5L;
static double d;
static __int128 w;
static int (*volatile g)(int);
static int h(int x) {
    switch (x) {
    case 1:
        return 5;
    case 9:
        return 6;
    case 100:
        return 7;
    }
    return x / 3;
}
int main(void) {
    g = h;
    d = sqrt((double)l) + g(9);
    w = (__int128)d * 7 / 3;
    int o;
    if (__builtin_add_overflow((int)w, 5, &o))
        o = __builtin_popcount(o);
    l = l * d;
    printf("%d %f\n", o, d);
    return (int)l;
}
