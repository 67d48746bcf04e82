// run => native
// Thread-local variables in a program with one thread: initial values, addresses, arrays.
#include <stdio.h>
#include <threads.h>

static _Thread_local int counter = 5;
thread_local char buffer[16] = "initial";
static __thread struct {
    int x, y;
} point = {1, 2};
static _Thread_local int zero;

static int *address(void) {
    return &counter;
}

int main(void) {
    counter++;
    *address() += 10;
    buffer[0] = 'I';
    point.y += point.x;
    zero += counter;
    printf("%d %s %d %d %d\n", counter, buffer, point.x, point.y, zero);
    static _Thread_local int inside = 3;
    inside *= 2;
    printf("%d %d\n", inside, address() == &counter);
    return 0;
}
