// run => native
// Every operation of <stdatomic.h> on every size, in one thread.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(type, format)                                                                                              \
    do {                                                                                                               \
        _Atomic type x = 5;                                                                                            \
        type expected = 6;                                                                                             \
        printf("%s:", #type);                                                                                          \
        printf(" " format, atomic_load(&x));                                                                           \
        atomic_store(&x, (type)100);                                                                                   \
        printf(" " format, atomic_fetch_add(&x, (type)50));                                                            \
        printf(" " format, atomic_fetch_sub(&x, (type)200));                                                           \
        printf(" " format, atomic_fetch_and(&x, (type)0x7c));                                                          \
        printf(" " format, atomic_fetch_or(&x, (type)3));                                                              \
        printf(" " format, atomic_fetch_xor(&x, (type)0x55));                                                          \
        printf(" " format, atomic_exchange(&x, (type)5));                                                              \
        printf(" %d", atomic_compare_exchange_strong(&x, &expected, (type)9));                                         \
        printf(" " format, expected);                                                                                  \
        printf(" %d", atomic_compare_exchange_strong(&x, &expected, (type)9));                                         \
        while (!atomic_compare_exchange_weak(&x, &expected, (type)(expected + 1)))                                     \
            ;                                                                                                          \
        printf(" " format, atomic_load_explicit(&x, memory_order_acquire));                                            \
        atomic_store_explicit(&x, (type) - 3, memory_order_release);                                                   \
        x++;                                                                                                           \
        x += 7;                                                                                                        \
        x ^= 1;                                                                                                        \
        printf(" " format "\n", x);                                                                                    \
    } while (0)

int main(void) {
    TRY(int8_t, "%d");
    TRY(uint8_t, "%u");
    TRY(int16_t, "%d");
    TRY(uint16_t, "%u");
    TRY(int32_t, "%d");
    TRY(uint32_t, "%u");
    TRY(int64_t, "%ld");
    TRY(uint64_t, "%lu");
    _Atomic(int *) p;
    int numbers[5] = {0, 1, 2, 3, 4};
    atomic_init(&p, numbers);
    atomic_fetch_add(&p, 3);
    p--;
    printf("%d\n", *atomic_load(&p));
    atomic_flag flag = ATOMIC_FLAG_INIT;
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    atomic_bool b = 0;
    printf("%d %d\n", atomic_exchange(&b, 1), b);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    printf("%d\n", atomic_is_lock_free(&b) != 0);
    return 0;
}
