// run => native
// Compound literals and designated initialisers, local and static.
#include <stdio.h>

struct point {
    int x, y;
};
struct shape {
    const char *name;
    struct point corners[4];
    int *weights;
};

static int sum(const int *numbers, int count) {
    int total = 0;
    while (count--) {
        total += *numbers++;
    }
    return total;
}

static struct shape square = {
    .corners = {[1] = {1, 0}, [2] = {1, 1}, [3].y = 1},
    .name = "square",
    .weights = (int[]){4, 5, 6},
};

static const int sparse[] = {[5] = 50, [2] = 20, 30, [8] = 80};

int main(void) {
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    struct point *p = &(struct point){.y = 5};
    p->x += 3;
    printf("%d %d\n", p->x, p->y);
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[3]){i, i * 2};
        fresh[2] += fresh[1];
        printf("%d %d %d\n", fresh[0], fresh[1], fresh[2]);
    }
    for (int i = 0; i < 4; i++) {
        printf("%d,%d ", square.corners[i].x, square.corners[i].y);
    }
    printf("%s %d\n", square.name, square.weights[2]);
    square.weights[0] = 9;
    printf("%d %zu\n", sum(square.weights, 3), sizeof sparse / sizeof *sparse);
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++) {
        printf("%d ", sparse[i]);
    }
    printf("\n");
    return 0;
}
