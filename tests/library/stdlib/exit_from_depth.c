// run => native
// exit from a deep call runs the handlers, in reverse order, with the given code.
#include <stdio.h>
#include <stdlib.h>

static void one(void) {
    printf("one\n");
}
static void two(void) {
    printf("two\n");
}

static void dive(int depth) {
    if (depth == 0) {
        printf("leaving\n");
        exit(300 + 17);
    }
    dive(depth - 1);
    printf("never printed\n");
}

int main(void) {
    atexit(one);
    atexit(two);
    dive(10);
    return 1;
}
