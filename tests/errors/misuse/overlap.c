// check -DCONSTANT => violation overlapping-copy:22
// check -DVARIABLE => violation overlapping-copy:24
// check -DVARIABLE --engine seq => violation overlapping-copy:24
// check -DVARIABLE --engine brute => violation overlapping-copy:24
// check -DBACKWARDS => violation overlapping-copy:26
// check -DVARIABLE --check no-misuse => safe
// check -DMOVE => safe
// check -DSAME => safe
// check -DBESIDE => safe
// memcpy between parts of one object that overlap; memmove may, and so may a copy to where it comes from.
#include <string.h>

struct pair {
    long values[40];
};

static char bytes[64];
static volatile int length = 8;

int main(void) {
#ifdef CONSTANT
    memcpy(bytes + 4, bytes, 8);
#elif defined VARIABLE
    memcpy(bytes + 4, bytes, (size_t)length);
#elif defined BACKWARDS
    memcpy(bytes, bytes + 4, (size_t)length);
#elif defined MOVE
    memmove(bytes + 4, bytes, (size_t)length);
#elif defined SAME
    static struct pair pair;
    struct pair *volatile one = &pair;
    *one = pair;
#elif defined BESIDE
    memcpy(bytes + 8, bytes, (size_t)length);
#endif
    return 0;
}
