// check --engine explore --model sc => safe traces 1 blocked 0
// check --engine explore --model tso => safe traces 1 blocked 0
// check --engine explore --model pso => safe traces 1 blocked 0
// run => native
// check --engine random --runs 3 => undecided
/* Inline assembler in the way the Linux kernel writes it: lock prefixes noted in a section of their own, bit operations
 * beyond the first word, sbb and flag outputs, fixed registers, operand modifiers, byte halves. */
#include <stdint.h>
#include <stdio.h>

#define LOCK_PREFIX ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "

static inline void atomic_add(int i, int *v) {
    asm volatile(LOCK_PREFIX "addl %1,%0" : "+m"(*v) : "ir"(i));
}

static inline int atomic_sub_and_test(int i, int *v) {
    unsigned char c;
    asm volatile(LOCK_PREFIX "subl %2,%0; sete %1" : "+m"(*v), "=qm"(c) : "ir"(i) : "memory");
    return c;
}

static inline int atomic_add_negative(int i, int *v) {
    unsigned char c;
    asm volatile(LOCK_PREFIX "addl %2,%0; sets %1" : "+m"(*v), "=qm"(c) : "ir"(i) : "memory");
    return c;
}

static inline int atomic_add_return(int i, int *v) {
    int old = i;
    asm volatile(LOCK_PREFIX "xaddl %0, %1" : "+r"(i), "+m"(*v)::"memory");
    return i + old;
}

static inline int test_and_set_bit(long nr, volatile unsigned long *addr) {
    int oldbit;
    asm volatile(LOCK_PREFIX "bts %2,%1\n\tsbb %0,%0" : "=r"(oldbit), "+m"(*addr) : "Ir"(nr) : "memory");
    return oldbit;
}

static inline int test_and_clear_bit(long nr, volatile unsigned long *addr) {
    int oldbit;
    asm volatile("lock btrq %2,%1" : "=@ccc"(oldbit), "+m"(*addr) : "Ir"(nr) : "memory");
    return oldbit;
}

static inline void change_bit(long nr, volatile unsigned long *addr) {
    asm volatile(LOCK_PREFIX "btcq %1,%0" : "+m"(*addr) : "Ir"(nr));
}

static inline int variable_test_bit(long nr, const unsigned long *addr) {
    int oldbit;
    asm volatile("btq %2,%1\n\tsbbl %0,%0" : "=r"(oldbit) : "m"(*addr), "Ir"(nr));
    return oldbit;
}

static inline unsigned long cmpxchg(volatile unsigned long *p, unsigned long old, unsigned long new) {
    unsigned long ret;
    asm volatile(LOCK_PREFIX "cmpxchgq %2,%1" : "=a"(ret), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return ret;
}

static inline uint64_t cmpxchg8b(volatile uint64_t *p, uint64_t old, uint64_t new) {
    uint32_t low = (uint32_t)old;
    uint32_t high = (uint32_t)(old >> 32);
    asm volatile("lock; cmpxchg8b %2"
                 : "+a"(low), "+d"(high), "+m"(*p)
                 : "b"((uint32_t)new), "c"((uint32_t)(new >> 32))
                 : "memory");
    return (uint64_t)high << 32 | low;
}

static inline unsigned long first_set(unsigned long word) {
    asm("rep; bsf %1,%0" : "=r"(word) : "rm"(word));
    return word;
}

static inline unsigned long last_set(unsigned long word) {
    asm("bsrq %1,%0" : "=r"(word) : "r"(word));
    return word;
}

static inline uint32_t swap32(uint32_t value) {
    asm("bswapl %0" : "=r"(value) : "0"(value));
    return value;
}

static inline uint16_t swap_halves(uint16_t value) {
    asm("xchgb %b0,%h0" : "=Q"(value) : "0"(value));
    return value;
}

static inline unsigned long add_carry(unsigned long sum, unsigned long value) {
    asm("addq %1,%0\n\tadcq $0,%0" : "+r"(sum) : "r"(value));
    return sum;
}

static inline int smaller(int a, int b) {
    asm("cmpl %1,%0\n\tcmovg %1,%0" : "+r"(a) : "r"(b) : "cc");
    return a;
}

static inline unsigned long scaled(unsigned long base, unsigned long index) {
    unsigned long result;
    asm("leaq 5(%1,%2,8), %0\n\tshlq $3, %0; sarq %0; rorq $8, %0" : "=r"(result) : "r"(base), "r"(index));
    return result;
}

static inline unsigned byte_of(unsigned value) {
    unsigned result;
    asm("movzbl %b1, %0 # the lowest byte; no more\n\tmovsbl %b0, %0" : "=r"(result) : "q"(value));
    return result;
}

static inline uint64_t through_stack(uint64_t value) {
    asm("pushq %%rbx; movq %1, %%rbx; xchgq %%rbx, %0; popq %%rbx" : "=&r"(value) : "r"(value));
    return value;
}

static int counter = 5;
static unsigned long map[4];
static uint64_t word = 7;

int main(void) {
    atomic_add(3, &counter);
    printf("%d ", counter);
    printf("%d ", atomic_sub_and_test(1, &counter));
    printf("%d ", atomic_sub_and_test(7, &counter));
    printf("%d ", atomic_add_negative(-2, &counter));
    printf("%d ", atomic_add_return(10, &counter));
    printf("%d\n", counter);
    printf("%d ", test_and_set_bit(3, map));
    printf("%d ", test_and_set_bit(3, map));
    printf("%d ", test_and_set_bit(200, map));
    printf("%d ", test_and_clear_bit(3, map));
    change_bit(70, map);
    change_bit(-1, map + 1);
    printf("%d %d %lx %lx %lx %lx\n", variable_test_bit(200, map), variable_test_bit(71, map), map[0], map[1], map[2],
           map[3]);
    printf("%lu ", cmpxchg(&map[0], 1, 2));
    printf("%lu ", (unsigned long)cmpxchg8b(&word, 7, 0x100000002));
    printf("%lx ", (unsigned long)cmpxchg8b(&word, 7, 1));
    printf("%lx\n", (unsigned long)word);
    printf("%lu %lu %x %x\n", first_set(0x80), last_set(0x80ff), swap32(0x12345678), swap_halves(0x1234));
    printf("%lu %d %d %lx\n", add_carry(~0UL, 2), smaller(3, -4), smaller(-9, 2), scaled(100, 3));
    printf("%x %lu\n", byte_of(0x1ff), (unsigned long)through_stack(42));
    asm volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
    asm volatile("rep; nop" ::: "memory");
    return 0;
}
