// run => native
// Declarations that need care to read.
#include <stdio.h>

static int one(void) {
    return 1;
}
static int two(void) {
    return 2;
}
static int (*choose(int which))(void) {
    return which ? two : one;
}
static int (*(*chooser)(int))(void) = choose;
static int (*table[2])(void) = {one, two};
static int (*(*pointer_to_table)[2])(void) = &table;
static char (*rows)[4];
typedef int (*binary)(const void *, const void *);
static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static binary comparators[] = {compare};
static int row(int (*matrix)[3], int i) {
    return matrix[i][0] + matrix[i][1] + matrix[i][2];
}

int main(void) {
    printf("%d %d\n", choose(0)(), chooser(1)());
    printf("%d %d\n", (*pointer_to_table)[0](), (**pointer_to_table)());
    char text[3][4] = {"abc", "def", "ghi"};
    rows = text + 1;
    printf("%s %s %c\n", *rows, rows[1], rows[-1][2]);
    int x = 3, y = 5;
    printf("%d\n", comparators[0](&x, &y));
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %d\n", row(matrix, 0), row(matrix, 1));
    int *pointers[2] = {&x, &y}, *(*p)[2] = &pointers;
    *(*p)[1] = 50;
    printf("%d\n", y);
    return 0;
}
