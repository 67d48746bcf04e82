// run => exit 134, abort:6
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("before\n");
    abort();
}
