// check --model sc --engine brute => violation null-pointer:7
// The line is that of the call, not a line of the library.
#include <string.h>

int main(void) {
    char *volatile p = 0;
    strcpy(p, "text"); // here
    return 0;
}
