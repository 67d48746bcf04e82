// run => native
// argc and argv of main.
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d %d %d\n", argc, argv[0] != NULL && argv[0][0] != 0, argv[1] == NULL);
    return argc;
}
