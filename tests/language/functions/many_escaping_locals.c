// run => native
// A function may have more locals whose address others know than a table would hold.
#include <alloca.h>
#include <stdio.h>
static char *last;
int main(void) {
    for (int i = 0; i < 70000; i++) {
        char *local = alloca(1);
        *local = (char)i;
        last = local;
    }
    printf("%d\n", *last);
    return 0;
}
