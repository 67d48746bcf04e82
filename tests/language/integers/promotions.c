// run => native
// Integer promotions and the usual arithmetic conversions.
#include <stdio.h>

#define KIND(x)                                                                                                        \
    _Generic((x),                                                                                                      \
        int: "int",                                                                                                    \
        unsigned: "unsigned",                                                                                          \
        long: "long",                                                                                                  \
        unsigned long: "unsigned long",                                                                                \
        long long: "long long",                                                                                        \
        unsigned long long: "unsigned long long",                                                                      \
        float: "float",                                                                                                \
        double: "double",                                                                                              \
        long double: "long double",                                                                                    \
        char: "char",                                                                                                  \
        short: "short",                                                                                                \
        default: "other")

int main(void) {
    char c = 1;
    unsigned char uc = 200;
    short s = 2;
    unsigned short us = 65535;
    int i = 3;
    unsigned u = 4;
    long l = 5;
    unsigned long ul = 6;
    float f = 1;
    double d = 2;
    long double ld = 3;
    printf("%s %s %s %s %s\n", KIND(c), KIND(+c), KIND(c + c), KIND(s * s), KIND(us + us));
    printf("%s %s %s %s %s\n", KIND(i + u), KIND(u + l), KIND(l + ul), KIND(i + 1LL), KIND(ul + 1LL));
    printf("%s %s %s %s\n", KIND(f + i), KIND(f + d), KIND(d + ld), KIND(l + f));
    printf("%d %d %d\n", uc + uc, ~uc, -uc);
    printf("%d %u\n", us + 1, (unsigned short)(us + 1));
    printf("%d\n", (uc << 23) < 0);
    printf("%s %s\n", KIND('a'), KIND(sizeof 1));
    return 0;
}
