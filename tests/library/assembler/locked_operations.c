// run => native
// x86 inline assembler: locked arithmetic in all sizes, exchange, exchange-and-add.
#include <stdint.h>
#include <stdio.h>

#define OPERATION(name, type, suffix)                                                                                  \
    static void name##_##suffix(type *p, type v) {                                                                     \
        __asm__ volatile("lock " #name #suffix " %1,%0" : "+m"(*p) : "q"(v) : "memory", "cc");                         \
    }
#define UNARY(name, type, suffix)                                                                                      \
    static void name##_##suffix(type *p) {                                                                             \
        __asm__ volatile("lock; " #name #suffix " %0" : "+m"(*p) : : "memory", "cc");                                  \
    }
#define ALL(type, suffix)                                                                                              \
    OPERATION(add, type, suffix)                                                                                       \
    OPERATION(sub, type, suffix)                                                                                       \
    OPERATION(and, type, suffix)                                                                                       \
    OPERATION(or, type, suffix)                                                                                        \
    OPERATION(xor, type, suffix) UNARY(inc, type, suffix) UNARY(dec, type, suffix) UNARY(not, type, suffix)            \
        UNARY(neg, type, suffix) static type xadd_##suffix(type *p, type v) {                                          \
        __asm__ volatile("lock xadd" #suffix " %0,%1" : "+q"(v), "+m"(*p) : : "memory", "cc");                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    static type xchg_##suffix(type *p, type v) {                                                                       \
        __asm__ volatile("xchg" #suffix " %0,%1" : "+q"(v), "+m"(*p) : : "memory");                                    \
        return v;                                                                                                      \
    }

ALL(uint8_t, b)
ALL(uint16_t, w)
ALL(uint32_t, l)
ALL(uint64_t, q)

#define TRY(type, suffix)                                                                                              \
    do {                                                                                                               \
        type x = (type)0x1122334455667788;                                                                             \
        add_##suffix(&x, 200);                                                                                         \
        printf("%lx ", (unsigned long)x);                                                                              \
        sub_##suffix(&x, 3);                                                                                           \
        printf("%lx ", (unsigned long)x);                                                                              \
        and_##suffix(&x, (type)0xf0f0f0f0f0f0f0f0);                                                                    \
        printf("%lx ", (unsigned long)x);                                                                              \
        or_##suffix(&x, 0x0c);                                                                                         \
        printf("%lx ", (unsigned long)x);                                                                              \
        xor_##suffix(&x, 0xff);                                                                                        \
        printf("%lx ", (unsigned long)x);                                                                              \
        inc_##suffix(&x);                                                                                              \
        inc_##suffix(&x);                                                                                              \
        dec_##suffix(&x);                                                                                              \
        printf("%lx ", (unsigned long)x);                                                                              \
        not_##suffix(&x);                                                                                              \
        printf("%lx ", (unsigned long)x);                                                                              \
        neg_##suffix(&x);                                                                                              \
        printf("%lx ", (unsigned long)x);                                                                              \
        printf("%lx ", (unsigned long)xadd_##suffix(&x, 17));                                                          \
        printf("%lx ", (unsigned long)xchg_##suffix(&x, 99));                                                          \
        printf("%lx\n", (unsigned long)x);                                                                             \
    } while (0)

int main(void) {
    TRY(uint8_t, b);
    TRY(uint16_t, w);
    TRY(uint32_t, l);
    TRY(uint64_t, q);
    return 0;
}
