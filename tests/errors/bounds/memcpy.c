// check --model sc --engine brute => violation out-of-bounds:8
// The line is that of the call.
#include <string.h>

static char small[4], large[9] = "12345678";

int main(void) {
    memcpy(small, large, sizeof large); // here
    return 0;
}
