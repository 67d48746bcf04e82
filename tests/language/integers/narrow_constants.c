// run => native
// Constants that a narrow signed type has as negative numbers.
#include <stdatomic.h>
#include <stdio.h>

static signed char byte;
static short half;
static char letters[2];
static unsigned char raw;
static _Atomic short counter;
static _Atomic signed char level;

int main(void) {
    byte = -1;
    half = -2;
    letters[1] = (char)200;
    raw = 200;
    atomic_store(&counter, -3);
    printf("%d\n", atomic_exchange(&counter, -4));
    counter &= ~1;
    level = -5;
    printf("%d\n", atomic_fetch_add(&level, -6));
    short expected = -4;
    printf("%d\n", atomic_compare_exchange_strong(&counter, &expected, -7));
    printf("%d %d %d %d %d %d\n", byte, half, letters[1], raw, counter, level);
    return 0;
}
