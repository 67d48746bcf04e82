// run => native
// _Exit runs no handlers.
#include <stdio.h>
#include <stdlib.h>

static void handler(void) {
    printf("not printed\n");
}

int main(void) {
    atexit(handler);
    printf("before\n");
    fflush(stdout);
    _Exit(9);
}
