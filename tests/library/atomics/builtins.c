// run => native
// The __atomic and __sync builtins, on several sizes and on structs.
#include <stdint.h>
#include <stdio.h>

struct pair {
    _Alignas(8) int a;
    int b;
};

int main(void) {
    int x = 10;
    printf("%d ", __atomic_add_fetch(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_sub(&x, 1, __ATOMIC_RELAXED));
    printf("%d ", __atomic_and_fetch(&x, 12, __ATOMIC_ACQ_REL));
    printf("%d\n", __atomic_or_fetch(&x, 3, __ATOMIC_RELEASE));
    printf("%d ", __atomic_xor_fetch(&x, 5, __ATOMIC_ACQUIRE));
    printf("%d\n", __atomic_nand_fetch(&x, 6, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST));
    printf("%d\n", x);
    uint8_t byte = 250;
    printf("%d ", __atomic_add_fetch(&byte, 10, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_exchange_n(&byte, 7, __ATOMIC_SEQ_CST));
    uint16_t half = 1;
    printf("%d ", __sync_fetch_and_sub(&half, 2));
    printf("%d\n", half);
    long l = 5, expected = 4, desired = 8, out;
    printf("%d ", __atomic_compare_exchange_n(&l, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    printf("%ld\n", expected);
    printf("%d ", __atomic_compare_exchange(&l, &expected, &desired, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    __atomic_load(&l, &out, __ATOMIC_SEQ_CST);
    printf("%ld\n", out);
    struct pair p = {1, 2}, q = {3, 4}, r;
    __atomic_exchange(&p, &q, &r, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", p.a, p.b, r.a, r.b);
    __atomic_store(&p, &r, __ATOMIC_RELEASE);
    printf("%d %d\n", p.a, p.b);
    int y = 1;
    printf("%d ", __sync_fetch_and_add(&y, 2));
    printf("%d ", __sync_add_and_fetch(&y, 2));
    printf("%d ", __sync_fetch_and_or(&y, 8));
    printf("%d ", __sync_and_and_fetch(&y, 12));
    printf("%d ", __sync_xor_and_fetch(&y, 5));
    printf("%d ", __sync_bool_compare_and_swap(&y, 9, 100));
    printf("%d ", __sync_val_compare_and_swap(&y, 9, 50));
    printf("%d\n", __sync_lock_test_and_set(&y, 1));
    __sync_synchronize();
    __sync_lock_release(&y);
    printf("%d\n", y);
    char flag = 0;
    printf("%d", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    printf("%d\n", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf("%d\n", flag);
    int smaller = 3;
    printf("%d\n", __atomic_fetch_min(&smaller, 2, __ATOMIC_SEQ_CST));
    printf("%d\n", smaller);
    return 0;
}
