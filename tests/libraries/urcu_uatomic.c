// check --engine explore --model sc => safe traces 1 blocked 0
// check --engine explore --model tso => safe traces 1 blocked 0
// check --engine explore --model pso => safe traces 1 blocked 0
// run => native
// check --engine random --runs 3 => undecided
/* liburcu's uatomic operations in all sizes in one thread: the same results as natively. */
#define _LGPL_SOURCE
#include <stdio.h>
#include <urcu/uatomic.h>

#define SHOW(value) printf("%-40s %lu\n", #value, (unsigned long)(value))

#define TRY(type)                                                                                                      \
    do {                                                                                                               \
        static type x = 100;                                                                                           \
        uatomic_set(&x, 7);                                                                                            \
        SHOW(uatomic_read(&x));                                                                                        \
        SHOW(uatomic_cmpxchg(&x, 7, 200));                                                                             \
        SHOW(uatomic_cmpxchg(&x, 7, 3));                                                                               \
        SHOW(uatomic_xchg(&x, 90));                                                                                    \
        SHOW(uatomic_add_return(&x, 200));                                                                             \
        SHOW(uatomic_sub_return(&x, 5));                                                                               \
        uatomic_and(&x, 0x3c);                                                                                         \
        uatomic_or(&x, 0x41);                                                                                          \
        uatomic_add(&x, 1);                                                                                            \
        uatomic_sub(&x, 2);                                                                                            \
        uatomic_inc(&x);                                                                                               \
        uatomic_dec(&x);                                                                                               \
        SHOW(uatomic_read(&x));                                                                                        \
    } while (0)

int main(void) {
    TRY(unsigned char);
    TRY(unsigned short);
    TRY(unsigned int);
    TRY(unsigned long);
    cmm_smp_mb();
    cmm_smp_rmb();
    cmm_smp_wmb();
    cmm_mb();
    cmm_rmb();
    cmm_wmb();
    caa_cpu_relax();
    return 0;
}
