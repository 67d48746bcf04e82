// run => native
// Variadic functions: ints, longs, doubles, pointers, many arguments, va_copy, passing a va_list on.
#include <stdarg.h>
#include <stdio.h>

static long sum(int count, ...) {
    va_list ap;
    va_start(ap, count);
    long total = 0;
    for (int i = 0; i < count; i++)
        total = total * 3 + va_arg(ap, int);
    va_end(ap);
    return total;
}

static double mixed(const char *types, ...) {
    va_list ap;
    va_start(ap, types);
    double total = 0;
    for (; *types; types++) {
        switch (*types) {
        case 'i':
            total += va_arg(ap, int);
            break;
        case 'l':
            total += (double)va_arg(ap, long);
            break;
        case 'd':
            total += va_arg(ap, double);
            break;
        case 'L':
            total += (double)va_arg(ap, long double);
            break;
        case 's':
            total += va_arg(ap, const char *)[0];
            break;
        case 'p':
            total += *va_arg(ap, int *);
            break;
        }
        total *= 1.5;
    }
    va_end(ap);
    return total;
}

static int inner(char *out, size_t size, const char *format, va_list ap) {
    return vsnprintf(out, size, format, ap);
}

static int format(char *out, size_t size, const char *format_, ...) {
    va_list ap, copy;
    va_start(ap, format_);
    va_copy(copy, ap);
    int first = inner(NULL, 0, format_, ap);
    int second = inner(out, size, format_, copy);
    va_end(copy);
    va_end(ap);
    return first * 100 + second;
}

static int take(va_list *ap) {
    return va_arg(*ap, int);
}
static int alternate(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = 0;
    while (n-- > 0) {
        r = r * 10 + take(&ap);
        if (n-- > 0)
            r = r * 10 + va_arg(ap, int);
    }
    va_end(ap);
    return r;
}

int main(void) {
    printf("%ld\n", sum(0));
    printf("%ld\n", sum(3, 1, 2, 3));
    printf("%ld\n", sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    int five = 5;
    printf("%g\n", mixed("idlsLpdidididididid", 1, 2.5, 3L, "A", 4.25L, &five, 1.0, 2, 3.0, 4, 5.0, 6, 7.0, 8, 9.0, 10,
                         11.0, 12, 13.0));
    printf("%g\n", mixed("LiLdL", 1.0L, 2, 3.0L, 4.0, 5.0L));
    char text[64];
    printf("%d\n", format(text, sizeof text, "%s-%d-%.1f-%c", "x", 42, 1.25, 'q'));
    printf("%s\n", text);
    printf("%d\n", alternate(5, 1, 2, 3, 4, 5));
    return 0;
}
