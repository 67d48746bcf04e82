// run => native
// strcpy, strncpy, strcat, strncat, stpcpy, memcpy, memmove, memset, memccpy.
#include <stdio.h>
#include <string.h>

static void dump(const char *p, int n) {
    for (int i = 0; i < n; i++)
        putchar(p[i] ? p[i] : '.');
    putchar('\n');
}

int main(void) {
    char a[24];
    memset(a, '-', sizeof a);
    strcpy(a, "hello");
    dump(a, 24);
    strncpy(a + 8, "abcdef", 3);
    dump(a, 24);
    strncpy(a + 12, "xy", 6);
    dump(a, 24);
    strcat(a, " w");
    strncat(a, "orldly", 4);
    dump(a, 24);
    char *end = stpcpy(a, "stp");
    printf("%td\n", end - a);
    dump(a, 24);
    char b[33] = "0123456789abcdefghijklmnopqrstuv";
    memmove(b + 3, b, 20);
    dump(b, 32);
    memmove(b, b + 5, 20);
    dump(b, 32);
    memmove(b + 7, b + 7, 5);
    memcpy(b + 10, "ZZ", 2);
    memset(b + 1, 0, 3);
    dump(b, 32);
    for (int n = 0; n < 20; n++) {
        char from[24] = "abcdefghijklmnopqrstuvw", to[24] = {0};
        memcpy(to + n % 5, from + n % 3, (size_t)n);
        dump(to, 24);
    }
    char *stop = memccpy(a, "one;two", ';', 8);
    printf("%td\n", stop - a);
    return 0;
}
