// run => native
// Plain char is signed here; character constants and comparisons follow.
#include <stdio.h>

int main(void) {
    char c = '\xff';
    unsigned char u = '\xff';
    printf("%d %d %d\n", c, u, c == u);
    const char *text = "a\377b";
    int sum = 0;
    for (const char *p = text; *p; p++) {
        sum += *p;
    }
    printf("%d\n", sum);
    printf("%d %d %d %d\n", '\n', '\0', '\\', '\x41');
    char counter = 126;
    counter++;
    printf("%d\n", counter);
    counter = (char)(counter + 1);
    printf("%d\n", counter);
    printf("%d %d\n", L'x', 'ab' == 24930);
    return c == -1 ? 7 : 8;
}
