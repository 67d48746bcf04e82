// run => native
// x86 inline assembler: bit test and set, moves, fences, pause, prefetch, empty barriers, flag results.
#include <stdint.h>
#include <stdio.h>

static int set_bit(uint32_t *p, unsigned bit) {
    unsigned char was;
    __asm__ volatile("lock; btsl %2,%0; setc %1" : "+m"(*p), "=q"(was) : "Ir"(bit) : "memory", "cc");
    return was;
}

static int reset_bit(uint64_t *p, uint64_t bit) {
    int was;
    __asm__ volatile("lock btrq %2,%0" : "+m"(*p), "=@ccc"(was) : "r"(bit) : "memory");
    return was;
}

static void flip_bit(uint32_t *p, unsigned bit) {
    __asm__ volatile("lock; btcl %1,%0" : "+m"(*p) : "r"(bit) : "memory", "cc");
}

static int decrement_and_test(int *p) {
    unsigned char zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory", "cc");
    return zero;
}

static uint32_t load(const uint32_t *p) {
    uint32_t v;
    __asm__ volatile("movl %1,%0" : "=r"(v) : "m"(*p));
    return v;
}

static void store(uint32_t *p, uint32_t v) {
    __asm__ volatile("movl %1,%0" : "=m"(*p) : "r"(v) : "memory");
}

static int add_two(int a, int b) {
    int r;
    __asm__("movl %1, %0\n\taddl %2, %0\n\taddl $1, %0" : "=&r"(r) : "r"(a), "r"(b) : "cc");
    return r;
}

int main(void) {
    uint32_t w = 0;
    uint64_t q = 0xff;
    printf("%d ", set_bit(&w, 5));
    printf("%d ", set_bit(&w, 5));
    printf("%d ", set_bit(&w, 31));
    flip_bit(&w, 0);
    flip_bit(&w, 5);
    printf("%x\n", w);
    printf("%d ", reset_bit(&q, 3));
    printf("%d ", reset_bit(&q, 40));
    printf("%lx\n", (unsigned long)q);
    int n = 2;
    printf("%d ", decrement_and_test(&n));
    printf("%d\n", decrement_and_test(&n));
    store(&w, 1234);
    printf("%u %d\n", load(&w), add_two(3, 4));
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lfence" ::: "memory");
    __asm__ volatile("sfence" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("pause");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("prefetcht0 %0" : : "m"(w));
    int x = 5;
    __asm__ volatile("" : "+r"(x));
    printf("%d\n", x);
    return 0;
}
