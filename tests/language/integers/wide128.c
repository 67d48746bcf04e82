// run => native
// 128-bit integers: arithmetic, shifts, comparison, conversion, as arguments and results.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print(const char *what, u128 x) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}

static u128 power(u128 base, unsigned exponent) {
    u128 result = 1;
    while (exponent--) {
        result *= base;
    }
    return result;
}

static i128 negate(i128 x) {
    return -x;
}

u128 global = ((u128)0x0123456789abcdef << 64) | 0xfedcba9876543210;

int main(void) {
    u128 a = power(10, 37);
    u128 b = power(7, 40);
    print("a", a);
    print("b", b);
    print("a+b", a + b);
    print("a-b", a - b);
    print("b-a", b - a);
    print("a*b", a * b);
    print("a/b", a / b);
    print("a%b", a % b);
    print("a&b", a & b);
    print("a|b", a | b);
    print("a^b", a ^ b);
    print("~a", ~a);
    for (int n = 0; n < 128; n += 21) {
        print("<<", a << n);
        print(">>", a >> n);
        print("sar", (u128)(negate((i128)a) >> n));
    }
    printf("%d %d %d %d\n", a < b, (i128)a < negate((i128)b), a == b, a >= b);
    print("global", global);
    global += (u128)1 << 70;
    print("global", global);
    print("div", (u128)(negate((i128)a) / 12345));
    print("mod", (u128)(negate((i128)a) % 12345));
    print("int", (u128)(i128)-5);
    print("double", (u128)1e30);
    printf("%.0f %.3e %.3e\n", (double)(i128)-5, (double)a, (double)negate((i128)a));
    return (int)(a % 251);
}
