// run => native
// Enumerations, typedefs, const objects, volatile objects, _Bool.
#include <stdbool.h>
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum sign { NEGATIVE = -1, ZERO, POSITIVE };
enum big { HUGE_VALUE = 0x123456789abcdef };
typedef enum colour colours[3];

static const int table[] = {1, 2, 3};
static const struct {
    const char *name;
    enum colour value;
} names[] = {{"red", RED}, {"green", GREEN}, {"blue", BLUE}};
static volatile int counter;

static enum sign sign(int x) {
    return x < 0 ? NEGATIVE : x > 0 ? POSITIVE : ZERO;
}

int main(void) {
    colours mine = {BLUE, RED, LAST};
    printf("%d %d %d %zu\n", mine[0], mine[1], mine[2], sizeof(enum sign));
    printf("%d %d %d\n", sign(-5), sign(0), sign(9));
    printf("%lx\n", (unsigned long)HUGE_VALUE);
    for (int i = 0; i < 3; i++)
        printf("%s=%d ", names[i].name, names[i].value);
    printf("\n");
    counter = 3;
    counter += counter;
    counter++;
    printf("%d %d\n", counter, table[counter % 3]);
    bool b = 0.5, c = (bool)NULL, d = -7;
    printf("%d %d %d %d %zu\n", b, c, d, b + d, sizeof b);
    b++;
    b--;
    printf("%d\n", b);
    bool flags[3] = {true, false, true};
    flags[1] |= flags[0];
    flags[0] ^= flags[2];
    printf("%d%d%d\n", flags[0], flags[1], flags[2]);
    return 0;
}
