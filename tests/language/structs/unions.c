// run => native
// Unions: type punning, nested and anonymous members.
#include <stdint.h>
#include <stdio.h>

union number {
    float f;
    uint32_t u;
    unsigned char b[4];
};

struct variant {
    enum { INTEGER, REAL, TEXT } tag;
    union {
        int i;
        double d;
        const char *s;
    };
};

static void print(struct variant v) {
    switch (v.tag) {
    case INTEGER:
        printf("int %d\n", v.i);
        break;
    case REAL:
        printf("real %.2f\n", v.d);
        break;
    case TEXT:
        printf("text %s\n", v.s);
        break;
    }
}

int main(void) {
    union number n = {.f = 3.5f};
    printf("%x %x %x %x %x\n", n.u, n.b[0], n.b[1], n.b[2], n.b[3]);
    n.b[3] ^= 0x80;
    printf("%f\n", n.f);
    n.u = 0x7f800000;
    printf("%f\n", n.f);
    print((struct variant){.tag = INTEGER, .i = 42});
    print((struct variant){.tag = REAL, .d = 2.75});
    print((struct variant){.tag = TEXT, .s = "hello"});
    union {
        long l;
        struct {
            int low, high;
        };
    } halves = {.l = 0x1122334455667788};
    printf("%x %x\n", halves.low, halves.high);
    halves.high = 0;
    printf("%lx\n", halves.l);
    printf("%zu %zu\n", sizeof(union number), sizeof(struct variant));
    return 0;
}
