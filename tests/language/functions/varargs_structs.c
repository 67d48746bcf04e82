// run => native
// Structs of several sizes and classes through the ellipsis.
#include <stdarg.h>
#include <stdio.h>

struct tiny {
    char a;
};
struct pair {
    int x, y;
};
struct real {
    double d;
    float f;
};
struct big {
    long a, b, c;
};
struct odd {
    char text[13];
};

static void show(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 't':
            printf("tiny %c\n", va_arg(ap, struct tiny).a);
            break;
        case 'p': {
            struct pair p = va_arg(ap, struct pair);
            printf("pair %d %d\n", p.x, p.y);
            break;
        }
        case 'r': {
            struct real r = va_arg(ap, struct real);
            printf("real %g %g\n", r.d, r.f);
            break;
        }
        case 'b': {
            struct big b = va_arg(ap, struct big);
            printf("big %ld %ld %ld\n", b.a, b.b, b.c);
            break;
        }
        case 'o': {
            struct odd o = va_arg(ap, struct odd);
            printf("odd %s\n", o.text);
            break;
        }
        case 'i':
            printf("int %d\n", va_arg(ap, int));
            break;
        case 'w': {
            __int128 w = va_arg(ap, __int128);
            printf("wide %ld\n", (long)(w >> 60));
            break;
        }
        }
    }
    va_end(ap);
}

int main(void) {
    struct tiny t = {'x'};
    struct pair p = {3, -4};
    struct real r = {1.5, 2.5f};
    struct big b = {100, 200, 300};
    struct odd o = {"thirteen chr"};
    show("tprbo", t, p, r, b, o);
    show("ibipirit", 1, b, 2, p, 3, r, 4, t);
    show("ooooii", o, o, o, o, 5, 6);
    show("iwiw", 1, (__int128)7 << 62, 2, (__int128)-9 * ((__int128)1 << 64));
    return 0;
}
