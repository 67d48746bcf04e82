// run => native
// Short circuit, ternaries, the GNU ?: form, and the order of effects they fix.
#include <stdio.h>

static int calls;
static int mark(int value, int bit) {
    calls |= 1 << bit;
    return value;
}

#define TRY(e)                                                                                                         \
    do {                                                                                                               \
        calls = 0;                                                                                                     \
        int r = (e);                                                                                                   \
        printf("%s = %d, calls %x\n", #e, r, calls);                                                                   \
    } while (0)

int main(void) {
    TRY(mark(0, 0) && mark(1, 1));
    TRY(mark(5, 0) && mark(1, 1));
    TRY(mark(0, 0) || mark(7, 1));
    TRY(mark(3, 0) || mark(0, 1));
    TRY(mark(0, 0) || (mark(1, 1) && mark(0, 2)) || mark(1, 3));
    TRY(mark(1, 0) ? mark(2, 1) : mark(3, 2));
    TRY(mark(0, 0) ? mark(2, 1) : mark(3, 2));
    TRY(mark(4, 0) ?: mark(3, 1));
    TRY(mark(0, 0) ?: mark(3, 1));
    TRY((mark(1, 0), mark(2, 1)));
    TRY(!mark(2, 0) == !mark(3, 1));
    int x = 5;
    int *p = NULL;
    printf("%d\n", p && *p);
    printf("%d\n", x > 3 ? x < 10 ? 1 : 2 : 3);
    const char *s = x ? "yes" : NULL;
    printf("%s\n", s);
    return (x -= 2) ? x : 9;
}
