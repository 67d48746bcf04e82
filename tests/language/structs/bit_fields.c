// run => native
// Bit-fields: signed, unsigned, crossing units, unnamed, zero width.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    int c : 4;
    unsigned : 3;
    unsigned long d : 40;
    int : 0;
    signed char e : 5;
    _Bool f : 1;
};

struct mixed {
    char x;
    unsigned y : 12;
    unsigned z : 20;
    short w;
};

int main(void) {
    struct flags s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < 20; i++) {
        s.a++;
        s.b += 3;
        s.c += 5;
        s.d += 0x1234567890;
        s.e -= 3;
        s.f = i % 3;
        printf("%u %u %d %lx %d %d\n", s.a, s.b, s.c, (unsigned long)s.d, s.e, s.f);
    }
    struct mixed m = {.x = 1, .y = 4095, .z = 1048575, .w = -2};
    m.y++;
    m.z -= 7;
    printf("%d %u %u %d\n", m.x, m.y, m.z, m.w);
    printf("%zu %zu\n", sizeof(struct flags), sizeof(struct mixed));
    unsigned char bytes[sizeof s];
    memcpy(bytes, &s, sizeof s);
    printf("%x\n", bytes[0]);
    return 0;
}
