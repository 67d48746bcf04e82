// check --model sc --engine brute => violation stack-overflow:5
#include <string.h>

int main(void) {
    volatile char huge[1 << 30]; // here
    huge[5] = 1;
    return huge[5];
}
