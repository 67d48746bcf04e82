// run => native
// sizeof and alignof of types and expressions; _Generic; _Static_assert.
#include <stdint.h>
#include <stdio.h>

#define NAME(x)                                                                                                        \
    _Generic((x),                                                                                                      \
        int: "int",                                                                                                    \
        unsigned: "unsigned",                                                                                          \
        char *: "string",                                                                                              \
        const char *: "const string",                                                                                  \
        double: "double",                                                                                              \
        float: "float",                                                                                                \
        int *: "pointer to int",                                                                                       \
        struct thing: "thing",                                                                                         \
        default: "something")

struct thing {
    char a;
    long b;
};

static int effect;
static int touch(void) {
    return ++effect;
}

_Static_assert(sizeof(int) == 4, "int has four bytes");

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long),
           sizeof(void *));
    printf("%zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(long double), sizeof(__int128));
    printf("%zu %zu %zu\n", sizeof "hello", sizeof(int[7]), sizeof(struct thing));
    printf("%zu %d\n", sizeof touch(), effect);
    int array[3][4];
    printf("%zu %zu %zu\n", sizeof array, sizeof array[0], sizeof &array);
    printf("%zu %zu\n", sizeof(intmax_t), _Alignof(long double));
    int i = 0;
    char text[] = "x";
    struct thing t = {0};
    printf("%s %s %s %s %s\n", NAME(i), NAME(&i), NAME(text), NAME("y"), NAME(t));
    printf("%s %s %s %s\n", NAME(1.0), NAME(1.0f), NAME(1u), NAME(1L));
    return 0;
}
