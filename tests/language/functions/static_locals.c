// run => native
// Static locals keep their value; each function has its own.
#include <stdio.h>

static int next(void) {
    static int counter = 100;
    return counter++;
}

static int *slot(int i) {
    static int slots[4] = {1, 2, 3};
    return &slots[i];
}

static const char *name(int reset) {
    static char text[8] = "aaaa";
    static int at;
    if (reset)
        at = 0;
    text[at]++;
    at = (at + 1) % 4;
    return text;
}

static int nested(int n) {
    static int depth, deepest;
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (n > 0)
        nested(n - 1);
    depth--;
    return deepest;
}

int main(void) {
    next();
    next();
    printf("%d\n", next());
    *slot(3) += *slot(2);
    *slot(0) = 9;
    printf("%d %d %d %d\n", *slot(0), *slot(1), *slot(2), *slot(3));
    for (int i = 0; i < 6; i++)
        printf("%s ", name(i == 4));
    printf("\n");
    printf("%d ", nested(3));
    printf("%d ", nested(7));
    printf("%d\n", nested(2));
    {
        static int next = 5;
        printf("%d\n", next++);
    }
    return 0;
}
