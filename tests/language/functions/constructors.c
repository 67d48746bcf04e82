// run => native
// Constructors run before main, destructors and atexit handlers after it, in order.
#include <stdio.h>
#include <stdlib.h>

static int state = 1;

__attribute__((constructor)) static void first(void) {
    state = state * 10 + 2;
    printf("constructor %d\n", state);
}

__attribute__((constructor(200))) static void early(void) {
    state = state * 10 + 3;
    printf("early %d\n", state);
}

__attribute__((destructor)) static void last(void) {
    printf("destructor %d\n", state);
}

static void handler(void) {
    printf("handler %d\n", state++);
}
static void other(void) {
    printf("other %d\n", state++);
}

int main(void) {
    printf("main %d\n", state);
    atexit(handler);
    atexit(other);
    state = 50;
    return 3;
}
