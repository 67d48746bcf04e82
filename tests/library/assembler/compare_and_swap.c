// run => native
// x86 inline assembler: cmpxchg in all sizes, by setz and by a flag output; cmpxchg16b.
#include <stdint.h>
#include <stdio.h>

#define CAS(type, suffix)                                                                                              \
    static unsigned char cas_##suffix(type *p, type *expected, type desired) {                                         \
        unsigned char done;                                                                                            \
        __asm__ volatile("lock; cmpxchg" #suffix " %3, %0; setz %1"                                                    \
                         : "+m"(*p), "=q"(done), "+a"(*expected)                                                       \
                         : "q"(desired)                                                                                \
                         : "memory", "cc");                                                                            \
        return done;                                                                                                   \
    }                                                                                                                  \
    static int flag_##suffix(type *p, type expected, type desired) {                                                   \
        int done;                                                                                                      \
        __asm__ volatile("lock cmpxchg" #suffix " %3, %0"                                                              \
                         : "+m"(*p), "=@ccz"(done), "+a"(expected)                                                     \
                         : "q"(desired)                                                                                \
                         : "memory");                                                                                  \
        return done;                                                                                                   \
    }

CAS(uint8_t, b)
CAS(uint16_t, w)
CAS(uint32_t, l)
CAS(uint64_t, q)

#define TRY(type, suffix)                                                                                              \
    do {                                                                                                               \
        type x = 5, e = 4;                                                                                             \
        printf("%d ", cas_##suffix(&x, &e, 9));                                                                        \
        printf("%d %d ", (int)x, (int)e);                                                                              \
        printf("%d ", cas_##suffix(&x, &e, 9));                                                                        \
        printf("%d %d ", (int)x, (int)e);                                                                              \
        printf("%d ", flag_##suffix(&x, 8, 1));                                                                        \
        printf("%d ", flag_##suffix(&x, 9, 1));                                                                        \
        printf("%d\n", (int)x);                                                                                        \
    } while (0)

static uint64_t wide[2] __attribute__((aligned(16))) = {3, 4};

static int cas16(uint64_t *p, uint64_t low, uint64_t high, uint64_t new_low, uint64_t new_high) {
    char done;
    __asm__ volatile("lock cmpxchg16b %0; setz %1"
                     : "+m"(*(__int128 *)p), "=q"(done), "+a"(low), "+d"(high)
                     : "b"(new_low), "c"(new_high)
                     : "memory", "cc");
    return done;
}

int main(void) {
    TRY(uint8_t, b);
    TRY(uint16_t, w);
    TRY(uint32_t, l);
    TRY(uint64_t, q);
    printf("%d ", cas16(wide, 3, 5, 8, 9));
    printf("%d ", cas16(wide, 3, 4, 8, 9));
    printf("%d %d\n", (int)wide[0], (int)wide[1]);
    return 0;
}
