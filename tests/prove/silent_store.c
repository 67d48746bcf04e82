// prove => safe
// prove -DLOUD => violation state
/* Store buffering in which one store never changes anything: it commutes with every load. */
#include <picket.h>

#ifdef LOUD
static int x;
static int y;
#else
static int x = 1;
static int y = 1;
#endif
static int a;
static int b;

static void *one(void *argument) {
    (void)argument;
    x = 1;
    a = y;
    return 0;
}

static void *two(void *argument) {
    (void)argument;
    y = 1;
    b = x;
    return 0;
}

int main(void) {
    picket_any_number(one, 0);
    picket_any_number(two, 0);
    return 0;
}
