// run => native
// inline, noinline, weak, alias, always_inline, pure functions, old-style definitions.
#include <stdio.h>

static inline int square(int x) {
    return x * x;
}
__attribute__((always_inline)) static inline int cube(int x) {
    return x * square(x);
}
__attribute__((noinline)) static int add(int x, int y) {
    return x + y;
}
__attribute__((weak)) int weak_value(void) {
    return 17;
}
__attribute__((pure)) static int length(const char *s) {
    int n = 0;
    while (s[n])
        n++;
    return n;
}
int original(int x) {
    return x - 1;
}
int copied(int x) __attribute__((alias("original")));
extern int never_defined(void) __attribute__((weak));

static int old_style(a, b)
int a;
char b;
{
    return a - b;
}

int main(void) {
    printf("%d %d %d %d %d\n", square(5), cube(3), add(2, 3), weak_value(), length("four"));
    printf("%d %d\n", copied(10), old_style(100, 'A'));
    printf("%d\n", never_defined ? 1 : 0);
    return 0;
}
