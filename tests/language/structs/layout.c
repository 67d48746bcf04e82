// run => native
// Sizes, alignments and offsets; packed and aligned structs.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct plain {
    char a;
    int b;
    char c;
    double d;
    short e;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
    char c;
    double d;
    short e;
};
struct aligned {
    char a;
    alignas(32) int b;
};

static struct aligned pool[3];

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct plain), sizeof(struct packed), sizeof(struct aligned));
    printf("%zu %zu %zu %zu\n", offsetof(struct plain, b), offsetof(struct plain, c), offsetof(struct plain, d),
           offsetof(struct plain, e));
    printf("%zu %zu %zu\n", offsetof(struct packed, b), offsetof(struct packed, d), offsetof(struct aligned, b));
    printf("%zu %zu %zu\n", alignof(struct plain), alignof(struct packed), alignof(struct aligned));
    struct packed p = {1, -2, 3, 4.5, -6};
    p.b *= 1000;
    p.d += p.e;
    printf("%d %d %d %g %d\n", p.a, p.b, p.c, p.d, p.e);
    alignas(64) char buffer[10];
    printf("%d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)&pool[1].b % 32));
    printf("%td\n", (char *)&pool[2] - (char *)&pool[0]);
    return 0;
}
