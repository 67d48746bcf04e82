// run => exit 134, assertion:9
// The output before a failed assertion is kept.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 3;
    printf("before\n");
    assert(x == 4);
    printf("after\n");
    return 0;
}
