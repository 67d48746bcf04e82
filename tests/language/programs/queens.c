// run => native
// Eight queens by backtracking over bit masks.
#include <stdio.h>

static int solutions;
static int rows[8];

static void place(int row, unsigned columns, unsigned left, unsigned right) {
    if (row == 8) {
        if (solutions++ % 23 == 0) {
            for (int i = 0; i < 8; i++)
                printf("%d", rows[i]);
            printf("\n");
        }
        return;
    }
    for (unsigned free = ~(columns | left | right) & 0xff; free; free &= free - 1) {
        unsigned bit = free & -free;
        rows[row] = __builtin_ctz(bit);
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(void) {
    place(0, 0, 0, 0);
    printf("%d\n", solutions);
    return solutions;
}
