// run => native
// sprintf, snprintf with truncation, asprintf, vsprintf.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrap(char *out, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    int n = vsprintf(out, format, ap);
    va_end(ap);
    return n;
}

int main(void) {
    char buffer[64], small[8];
    int n = sprintf(buffer, "%d-%s-%c", 12, "ab", 'z');
    printf("%d %s\n", n, buffer);
    n = snprintf(small, sizeof small, "%s", "longer than eight");
    printf("%d %s\n", n, small);
    n = snprintf(small, 1, "xyz");
    printf("%d [%s]\n", n, small);
    n = snprintf(NULL, 0, "%05d %s", 42, "measured");
    printf("%d\n", n);
    char *p;
    n = asprintf(&p, "%s has %d", "asprintf", 3);
    printf("%d %s\n", n, p);
    free(p);
    n = wrap(buffer, "%d%d%d %.2f", 1, 2, 3, 4.5);
    printf("%d %s\n", n, buffer);
    char large[3000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = 0;
    char *copy = malloc(4000);
    n = snprintf(copy, 4000, "<%s>", large);
    printf("%d %c%c\n", n, copy[0], copy[n - 1]);
    free(copy);
    return 0;
}
