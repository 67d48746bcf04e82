/* The preamble: what the printed program needs and C does not have.
 *
 * Only the pieces that are used are printed, in the order of the table.  Under Picket, which defines __PICKET__, the
 * functions that only its machine can do (starting a thread whose number is known before, a mark of an uninitialised
 * value, ...) are its intrinsics; for all others there is a version in plain C and pthreads. */
#include "emit/emitter.h"

enum dialect_bit { SVCOMP = 1, CBMC = 2, OWN = 4, OTHERS = SVCOMP | CBMC, ALL = 7 };

static const struct piece {
    enum helper helper;
    unsigned dialects;
    const char *text;
} pieces[] = {
    {HELPER_WIDE, ALL,
     "typedef unsigned __int128 wide;\n"
     "PICKET_HELPER wide picket_join(uint64_t low, uint64_t high) {\n"
     "    return (wide)high << 64 | low;\n"
     "}\n"},
    {HELPER_SIGNED, ALL,
     "PICKET_HELPER int64_t picket_signed(uint64_t value, int width) {\n"
     "    return (int64_t)(value << (64 - width)) >> (64 - width);\n"
     "}\n"},
    {HELPER_WIDE_SIGNED, ALL,
     "PICKET_HELPER __int128 picket_wide_signed(wide value, int width) {\n"
     "    return (__int128)(value << (128 - width)) >> (128 - width);\n"
     "}\n"},
    {HELPER_BITS, ALL,
     "PICKET_HELPER uint64_t picket_population(uint64_t value, int width) {\n"
     "    (void)width;\n"
     "    return (uint64_t)__builtin_popcountl(value);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_leading_zeros(uint64_t value, int width) {\n"
     "    return (uint64_t)(value != 0 ? __builtin_clzl(value) - (64 - width) : width);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_trailing_zeros(uint64_t value, int width) {\n"
     "    return (uint64_t)(value != 0 ? __builtin_ctzl(value) : width);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_byte_swap(uint64_t value, int width) {\n"
     "    return __builtin_bswap64(value) >> (64 - width);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_reverse(uint64_t value, int width) {\n"
     "    uint64_t reversed = 0;\n"
     "    for (int i = 0; i < width; i++) {\n"
     "        reversed |= (value >> i & 1) << (width - 1 - i);\n"
     "    }\n"
     "    return reversed;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_absolute(uint64_t value, int width) {\n"
     "    uint64_t positive = picket_signed(value, width) < 0 ? -value : value;\n"
     "    return positive << (64 - width) >> (64 - width);\n"
     "}\n"},
    {HELPER_FUNNEL, ALL,
     "PICKET_HELPER uint64_t picket_funnel_left(uint64_t high, uint64_t low, uint64_t count, int width) {\n"
     "    wide both = (wide)high << width | low;\n"
     "    return (uint64_t)(both << (count % (uint64_t)width) >> width) << (64 - width) >> (64 - width);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_funnel_right(uint64_t high, uint64_t low, uint64_t count, int width) {\n"
     "    wide both = (wide)high << width | low;\n"
     "    return (uint64_t)(both >> (count % (uint64_t)width)) << (64 - width) >> (64 - width);\n"
     "}\n"},
    {HELPER_OVERFLOW, ALL,
     "PICKET_HELPER uint64_t picket_add(uint64_t a, uint64_t b) {\n"
     "    return a + b;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_sub(uint64_t a, uint64_t b) {\n"
     "    return a - b;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_mul(uint64_t a, uint64_t b) {\n"
     "    return a * b;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_overflows(__int128 exact, int width, int is_signed) {\n"
     "    __int128 low = is_signed ? -((__int128)1 << (width - 1)) : 0;\n"
     "    __int128 high = ((__int128)1 << (is_signed ? width - 1 : width)) - 1;\n"
     "    return exact < low || exact > high;\n"
     "}\n"
     "PICKET_HELPER __int128 picket_exact(uint64_t value, int width, int is_signed) {\n"
     "    return is_signed ? (__int128)picket_signed(value, width) : (__int128)value;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_add_overflows(uint64_t a, uint64_t b, int width, int is_signed) {\n"
     "    return picket_overflows(picket_exact(a, width, is_signed) + picket_exact(b, width, is_signed), width,\n"
     "                            is_signed);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_sub_overflows(uint64_t a, uint64_t b, int width, int is_signed) {\n"
     "    return picket_overflows(picket_exact(a, width, is_signed) - picket_exact(b, width, is_signed), width,\n"
     "                            is_signed);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_mul_overflows(uint64_t a, uint64_t b, int width, int is_signed) {\n"
     "    return picket_overflows(picket_exact(a, width, is_signed) * picket_exact(b, width, is_signed), width,\n"
     "                            is_signed);\n"
     "}\n"},
    {HELPER_WIDE_OVERFLOW, ALL,
     "PICKET_HELPER wide picket_wide_cut(wide value, int width) {\n"
     "    return value << (128 - width) >> (128 - width);\n"
     "}\n"
     "#define PICKET_WIDE_OVERFLOW(name)                                                                     \\\n"
     "    PICKET_HELPER uint64_t picket_wide_u##name(wide a, wide b, int width, wide *result) {              \\\n"
     "        wide exact;                                                                                    \\\n"
     "        uint64_t overflows = __builtin_##name##_overflow(a, b, &exact);                                \\\n"
     "        *result = picket_wide_cut(exact, width);                                                       \\\n"
     "        return overflows || *result != exact;                                                          \\\n"
     "    }                                                                                                  \\\n"
     "    PICKET_HELPER uint64_t picket_wide_s##name(wide a, wide b, int width, wide *result) {              \\\n"
     "        __int128 exact;                                                                                \\\n"
     "        uint64_t overflows = __builtin_##name##_overflow(picket_wide_signed(a, width),                 \\\n"
     "                                                         picket_wide_signed(b, width), &exact);        \\\n"
     "        *result = picket_wide_cut((wide)exact, width);                                                 \\\n"
     "        return overflows || picket_wide_signed(*result, width) != exact;                               \\\n"
     "    }\n"
     "PICKET_WIDE_OVERFLOW(add)\n"
     "PICKET_WIDE_OVERFLOW(sub)\n"
     "PICKET_WIDE_OVERFLOW(mul)\n"},
    {HELPER_NUMBERS, ALL,
     "union picket_number_32 {\n"
     "    uint32_t bits;\n"
     "    float number;\n"
     "};\n"
     "union picket_number_64 {\n"
     "    uint64_t bits;\n"
     "    double number;\n"
     "};\n"
     "PICKET_HELPER float picket_float(uint64_t bits) {\n"
     "    union picket_number_32 both;\n"
     "    both.bits = (uint32_t)bits;\n"
     "    return both.number;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_float_bits(float number) {\n"
     "    union picket_number_32 both;\n"
     "    both.number = number;\n"
     "    return both.bits;\n"
     "}\n"
     "PICKET_HELPER double picket_double(uint64_t bits) {\n"
     "    union picket_number_64 both;\n"
     "    both.bits = bits;\n"
     "    return both.number;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_double_bits(double number) {\n"
     "    union picket_number_64 both;\n"
     "    both.number = number;\n"
     "    return both.bits;\n"
     "}\n"},
    {HELPER_EXTENDED, ALL,
     "union picket_extended {\n"
     "    uint64_t bits[2];\n"
     "    long double number;\n"
     "};\n"
     "PICKET_HELPER long double picket_extended(uint64_t low, uint64_t high) {\n"
     "    union picket_extended both = {.bits = {low, high}};\n"
     "    return both.number;\n"
     "}\n"},
    {HELPER_OUTCOME, ALL,
     "PICKET_HELPER unsigned picket_outcome(long double a, long double b) {\n"
     "    return __builtin_isunordered(a, b) ? 8 : a == b ? 1 : a > b ? 2 : 4;\n"
     "}\n"},
    {HELPER_ZERO, ALL,
     "PICKET_HELPER uint64_t picket_zero(void) {\n"
     "    return 0;\n"
     "}\n"},
    {HELPER_UNINIT, ALL,
     "#ifdef __PICKET__\n"
     "uint64_t __picket_uninit(void);\n"
     "#define picket_uninit() __picket_uninit()\n"
     "#else\n"
     "#define picket_uninit() 0\n"
     "#endif\n"},
    {HELPER_NOTES, ALL,
     "#ifdef __PICKET__\n"
     "#define PICKET_ASSUMES(name, a, b) do { void __picket_assumes_##name(uint64_t, uint64_t); "
     "__picket_assumes_##name(a, b); } while (0)\n"
     "#else\n"
     "#define PICKET_ASSUMES(name, a, b) ((void)0)\n"
     "#endif\n"},
    {HELPER_STACK, ALL,
     "#ifdef __PICKET__\n"
     "uint64_t __picket_stack_save(void);\n"
     "void __picket_stack_restore(uint64_t);\n"
     "#define picket_stack_save() __picket_stack_save()\n"
     "#define picket_stack_restore(saved) __picket_stack_restore(saved)\n"
     "#else /* locals live until the function ends */\n"
     "#define picket_stack_save() 0\n"
     "#define picket_stack_restore(saved) ((void)(saved))\n"
     "#endif\n"},
    {HELPER_MALLOC, ALL, "void *malloc(unsigned long);\n"},
    {HELPER_FREE, ALL, "void free(void *);\n"},
    {HELPER_CALLOC, OTHERS,
     "void *calloc(unsigned long, unsigned long);\n"
     "#define picket_calloc(size) ((uint64_t)calloc(1, size))\n"},
    {HELPER_CALLOC, OWN,
     "void *__picket_calloc(unsigned long);\n"
     "#define picket_calloc(size) ((uint64_t)__picket_calloc(size))\n"},
    {HELPER_ALIGNED, ALL,
     "#ifdef __PICKET__\n"
     "void *__picket_malloc(unsigned long, unsigned long);\n"
     "#define picket_aligned(size, alignment) ((uint64_t)__picket_malloc(size, alignment))\n"
     "#else\n"
     "void *aligned_alloc(unsigned long, unsigned long);\n"
     "#define picket_aligned(size, alignment) ((uint64_t)aligned_alloc(alignment, size))\n"
     "#endif\n"},
    {HELPER_WIDE_ACCESS, ALL,
     "#ifndef __GNUC__\n"
     "#error sixteen bytes at a time are for gcc and clang\n"
     "#endif\n"
     "extern wide __atomic_load_16(const volatile void *, int);\n"
     "extern void __atomic_store_16(volatile void *, wide, int);\n"},
    {HELPER_EXTREMES, ALL,
     "#ifdef __clang__\n"
     "#define PICKET_FETCH(type, bits, name, builtin, operator)                                              \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_##name##_##bits(uint64_t address, uint64_t value) {            \\\n"
     "        return (uint64_t)builtin((type *)address, (type)value, __ATOMIC_SEQ_CST);                      \\\n"
     "    }\n"
     "#else\n"
     "#define PICKET_FETCH(type, bits, name, builtin, operator)                                              \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_##name##_##bits(uint64_t address, uint64_t value) {            \\\n"
     "        type old = __atomic_load_n((type *)address, __ATOMIC_RELAXED);                                 \\\n"
     "        while (!__atomic_compare_exchange_n((type *)address, &old,                                     \\\n"
     "                                            old operator(type) value ? old : (type)value, 0,           \\\n"
     "                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {                     \\\n"
     "        }                                                                                              \\\n"
     "        return (uint64_t)old;                                                                          \\\n"
     "    }\n"
     "#endif\n"
     "#define PICKET_FETCHES(bits)                                                                           \\\n"
     "    PICKET_FETCH(int##bits##_t, bits, smax, __atomic_fetch_max, >)                                     \\\n"
     "    PICKET_FETCH(int##bits##_t, bits, smin, __atomic_fetch_min, <)                                     \\\n"
     "    PICKET_FETCH(uint##bits##_t, bits, umax, __atomic_fetch_max, >)                                    \\\n"
     "    PICKET_FETCH(uint##bits##_t, bits, umin, __atomic_fetch_min, <)\n"
     "PICKET_FETCHES(8)\n"
     "PICKET_FETCHES(16)\n"
     "PICKET_FETCHES(32)\n"
     "PICKET_FETCHES(64)\n"},
    {HELPER_NEGATE, ALL,
     "#ifdef __PICKET__\n"
     "#define PICKET_NEGATE(bits)                                                                            \\\n"
     "    uint##bits##_t __picket_fetch_neg_##bits(uint##bits##_t *);                                        \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_neg_##bits(uint64_t address, uint64_t value) {                 \\\n"
     "        (void)value;                                                                                   \\\n"
     "        return __picket_fetch_neg_##bits((uint##bits##_t *)address);                                   \\\n"
     "    }\n"
     "#else\n"
     "#define PICKET_NEGATE(bits)                                                                            \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_neg_##bits(uint64_t address, uint64_t value) {                 \\\n"
     "        uint##bits##_t old = __atomic_load_n((uint##bits##_t *)address, __ATOMIC_RELAXED);             \\\n"
     "        (void)value;                                                                                   \\\n"
     "        while (!__atomic_compare_exchange_n((uint##bits##_t *)address, &old, (uint##bits##_t)-old, 0,  \\\n"
     "                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {                     \\\n"
     "        }                                                                                              \\\n"
     "        return old;                                                                                    \\\n"
     "    }\n"
     "#endif\n"
     "PICKET_NEGATE(8)\n"
     "PICKET_NEGATE(16)\n"
     "PICKET_NEGATE(32)\n"
     "PICKET_NEGATE(64)\n"},
    {HELPER_NUMBER_RMW, ALL,
     "#ifdef __clang__\n"
     "#define PICKET_NUMBER_FETCH(type, bits, name, builtin, operation)                                      \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_##name##_##bits(uint64_t address, uint64_t value) {            \\\n"
     "        return picket_##type##_bits(builtin((type *)address, picket_##type(value), __ATOMIC_SEQ_CST)); \\\n"
     "    }\n"
     "#else\n"
     "#define PICKET_NUMBER_FETCH(type, bits, name, builtin, operation)                                      \\\n"
     "    PICKET_HELPER uint64_t picket_fetch_##name##_##bits(uint64_t address, uint64_t value) {            \\\n"
     "        uint##bits##_t old = __atomic_load_n((uint##bits##_t *)address, __ATOMIC_RELAXED);             \\\n"
     "        type b = picket_##type(value);                                                                 \\\n"
     "        for (;;) {                                                                                     \\\n"
     "            type a = picket_##type(old);                                                               \\\n"
     "            uint##bits##_t sum = (uint##bits##_t)picket_##type##_bits(operation);                      \\\n"
     "            if (__atomic_compare_exchange_n((uint##bits##_t *)address, &old, sum, 0, __ATOMIC_SEQ_CST, \\\n"
     "                                            __ATOMIC_RELAXED)) {                                       \\\n"
     "                return old;                                                                            \\\n"
     "            }                                                                                          \\\n"
     "        }                                                                                              \\\n"
     "    }\n"
     "#endif\n"
     "PICKET_NUMBER_FETCH(float, 32, fadd, __atomic_fetch_add, a + b)\n"
     "PICKET_NUMBER_FETCH(float, 32, fsub, __atomic_fetch_sub, a - b)\n"
     "PICKET_NUMBER_FETCH(float, 32, fmax, __atomic_fetch_max, a > b ? a : b)\n"
     "PICKET_NUMBER_FETCH(float, 32, fmin, __atomic_fetch_min, a < b ? a : b)\n"
     "PICKET_NUMBER_FETCH(double, 64, fadd, __atomic_fetch_add, a + b)\n"
     "PICKET_NUMBER_FETCH(double, 64, fsub, __atomic_fetch_sub, a - b)\n"
     "PICKET_NUMBER_FETCH(double, 64, fmax, __atomic_fetch_max, a > b ? a : b)\n"
     "PICKET_NUMBER_FETCH(double, 64, fmin, __atomic_fetch_min, a < b ? a : b)\n"},
    {HELPER_DEADLINE, OTHERS, "static const struct timespec picket_deadline = {0, 0};\n"},
    {HELPER_SYNC, OWN,
     "int __picket_mutex_lock(void *);\n"
     "int __picket_mutex_trylock(void *);\n"
     "int __picket_mutex_timedlock(void *);\n"
     "int __picket_mutex_unlock(void *);\n"
     "int __picket_cond_wait(void *, void *);\n"
     "int __picket_cond_timedwait(void *, void *);\n"
     "int __picket_cond_signal(void *);\n"
     "int __picket_cond_broadcast(void *);\n"
     "int __picket_read_lock(void *);\n"
     "int __picket_read_trylock(void *);\n"
     "int __picket_read_timedlock(void *);\n"
     "int __picket_write_lock(void *);\n"
     "int __picket_write_trylock(void *);\n"
     "int __picket_write_timedlock(void *);\n"
     "int __picket_read_unlock(void *);\n"
     "int __picket_write_unlock(void *);\n"
     "int __picket_spin_lock(void *);\n"
     "int __picket_spin_trylock(void *);\n"
     "int __picket_sem_wait(void *);\n"
     "int __picket_sem_trywait(void *);\n"
     "int __picket_sem_timedwait(void *);\n"
     "int __picket_sem_post(void *);\n"
     "int __picket_barrier_wait(void *);\n"},
    /* The state of spin locks and barriers in memory is Picket's own, which C libraries do not know. */
    {HELPER_SPIN, OTHERS,
     "#ifdef __PICKET__\n"
     "#define picket_spin_lock(lock) pthread_spin_lock((pthread_spinlock_t *)(lock))\n"
     "#define picket_spin_trylock(lock) pthread_spin_trylock((pthread_spinlock_t *)(lock))\n"
     "#else\n"
     "PICKET_HELPER int picket_spin_lock(uint64_t lock) {\n"
     "    while (__atomic_exchange_n((uint32_t *)lock, 1, __ATOMIC_SEQ_CST) != 0) {\n"
     "    }\n"
     "    return 0;\n"
     "}\n"
     "PICKET_HELPER int picket_spin_trylock(uint64_t lock) {\n"
     "    return __atomic_exchange_n((uint32_t *)lock, 1, __ATOMIC_SEQ_CST) != 0 ? 16 : 0;\n"
     "}\n"
     "#endif\n"},
    {HELPER_BARRIER, OTHERS,
     "#ifdef __PICKET__\n"
     "#define picket_barrier_wait(barrier) pthread_barrier_wait((pthread_barrier_t *)(barrier))\n"
     "#else\n"
     "PICKET_HELPER int picket_barrier_wait(uint64_t barrier) {\n"
     "    uint32_t *words = (uint32_t *)barrier; /* how many it is for, how many are there, its phase */\n"
     "    uint32_t phase = __atomic_load_n(&words[2], __ATOMIC_SEQ_CST);\n"
     "    if (__atomic_add_fetch(&words[1], 1, __ATOMIC_SEQ_CST) == words[0]) {\n"
     "        __atomic_store_n(&words[1], 0, __ATOMIC_SEQ_CST);\n"
     "        __atomic_store_n(&words[2], phase + 1, __ATOMIC_SEQ_CST);\n"
     "        return -1;\n"
     "    }\n"
     "    while (__atomic_load_n(&words[2], __ATOMIC_SEQ_CST) == phase) {\n"
     "    }\n"
     "    return 0;\n"
     "}\n"
     "#endif\n"},
    {HELPER_ONCE, ALL,
     "#ifdef __PICKET__\n"
     "int __picket_once_begin(void *);\n"
     "int __picket_once_end(void *);\n"
     "#define picket_once_begin(once) __picket_once_begin((void *)(once))\n"
     "#define picket_once_end(once) __picket_once_end((void *)(once))\n"
     "#else\n"
     "PICKET_HELPER int picket_once_begin(uint64_t once) {\n"
     "    uint32_t state = 0;\n"
     "    if (__atomic_compare_exchange_n((uint32_t *)once, &state, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {\n"
     "        return 1;\n"
     "    }\n"
     "    while (__atomic_load_n((uint32_t *)once, __ATOMIC_SEQ_CST) != 2) {\n"
     "    }\n"
     "    return 0;\n"
     "}\n"
     "PICKET_HELPER int picket_once_end(uint64_t once) {\n"
     "    __atomic_store_n((uint32_t *)once, 2, __ATOMIC_SEQ_CST);\n"
     "    return 0;\n"
     "}\n"
     "#endif\n"},
    {HELPER_THREADS, ALL,
     "struct picket_joined {\n"
     "    uint64_t code;\n"
     "    uint64_t value;\n"
     "};\n"
     "#ifdef __PICKET__\n"
     "uint64_t __picket_self(void);\n"
     "uint64_t __picket_thread_child(void);\n"
     "uint64_t __picket_thread_create(uint64_t, uint64_t, uint64_t);\n"
     "struct picket_joined __picket_thread_join(uint64_t);\n"
     "struct picket_joined __picket_thread_tryjoin(uint64_t);\n"
     "int __picket_thread_detach(uint64_t);\n"
     "void __picket_thread_exit(uint64_t) __attribute__((noreturn));\n"
     "#define picket_self() __picket_self()\n"
     "#define picket_thread_child() __picket_thread_child()\n"
     "#define picket_thread_create(start, first, second) __picket_thread_create(start, first, second)\n"
     "#define picket_thread_join(thread) __picket_thread_join(thread)\n"
     "#define picket_thread_tryjoin(thread) __picket_thread_tryjoin(thread)\n"
     "#define picket_thread_detach(thread) (uint32_t)__picket_thread_detach(thread)\n"
     "#define picket_thread_exit(value) __picket_thread_exit(value)\n"
     "#else\n"
     "/* A thread is known by the address of this, from before it starts. */\n"
     "struct picket_thread {\n"
     "    pthread_t handle;\n"
     "    uint64_t start, first, second;\n"
     "};\n"
     "static struct picket_thread picket_main_thread;\n"
     "static __thread struct picket_thread *picket_own_thread, *picket_next_thread;\n"
     "void *calloc(unsigned long, unsigned long);\n"
     "PICKET_HELPER uint64_t picket_self(void) {\n"
     "    if (!picket_own_thread) {\n"
     "        picket_main_thread.handle = pthread_self();\n"
     "    }\n"
     "    return (uint64_t)(picket_own_thread ? picket_own_thread : &picket_main_thread);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_thread_child(void) {\n"
     "    if (!picket_next_thread) {\n"
     "        picket_next_thread = calloc(1, sizeof *picket_next_thread);\n"
     "    }\n"
     "    return (uint64_t)picket_next_thread;\n"
     "}\n"
     "static void *picket_thread_main(void *argument) {\n"
     "    struct picket_thread *thread = argument;\n"
     "    picket_own_thread = thread;\n"
     "    return (void *)((uint64_t (*)(uint64_t, uint64_t))thread->start)(thread->first, thread->second);\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_thread_create(uint64_t start, uint64_t first, uint64_t second) {\n"
     "    struct picket_thread *thread = (struct picket_thread *)picket_thread_child();\n"
     "    picket_next_thread = 0;\n"
     "    thread->start = start;\n"
     "    thread->first = first;\n"
     "    thread->second = second;\n"
     "    pthread_create(&thread->handle, 0, picket_thread_main, thread);\n"
     "    return (uint64_t)thread;\n"
     "}\n"
     "PICKET_HELPER struct picket_joined picket_thread_join(uint64_t thread) {\n"
     "    void *value = 0;\n"
     "    struct picket_joined joined;\n"
     "    joined.code = (uint64_t)pthread_join(((struct picket_thread *)thread)->handle, &value);\n"
     "    joined.value = (uint64_t)value;\n"
     "    return joined;\n"
     "}\n"
     "#define picket_thread_tryjoin(thread) picket_thread_join(thread)\n"
     "#define picket_thread_detach(thread) (uint32_t)pthread_detach(((struct picket_thread *)thread)->handle)\n"
     "#define picket_thread_exit(value) pthread_exit((void *)(value))\n"
     "#endif\n"},
    {HELPER_YIELD, OWN, "int sched_yield(void);\n"},
    {HELPER_SLEEP, ALL,
     "#ifdef __PICKET__\n"
     "void __picket_sleep(void);\n"
     "#define picket_sleep() __picket_sleep()\n"
     "#else\n"
     "int usleep(unsigned);\n"
     "#define picket_sleep() usleep(1)\n"
     "#endif\n"},
    {HELPER_ATOMIC, SVCOMP,
     "void __VERIFIER_atomic_begin(void);\n"
     "void __VERIFIER_atomic_end(void);\n"
     "#define PICKET_ATOMIC_BEGIN() __VERIFIER_atomic_begin()\n"
     "#define PICKET_ATOMIC_END() __VERIFIER_atomic_end()\n"},
    {HELPER_ATOMIC, CBMC,
     "void __CPROVER_atomic_begin(void);\n"
     "void __CPROVER_atomic_end(void);\n"
     "#define PICKET_ATOMIC_BEGIN() __CPROVER_atomic_begin()\n"
     "#define PICKET_ATOMIC_END() __CPROVER_atomic_end()\n"},
    {HELPER_ATOMIC, OWN,
     "#define PICKET_ATOMIC_BEGIN() picket_atomic_begin()\n"
     "#define PICKET_ATOMIC_END() picket_atomic_end()\n"},
    {HELPER_ASSUME, SVCOMP, "void __VERIFIER_assume(int);\n"},
    {HELPER_ASSUME, CBMC,
     "#ifndef __CPROVER__\n"
     "void __CPROVER_assume(_Bool);\n"
     "#endif\n"},
    {HELPER_NONDET, OTHERS,
     "_Bool __VERIFIER_nondet_bool(void);\n"
     "char __VERIFIER_nondet_char(void);\n"
     "unsigned char __VERIFIER_nondet_uchar(void);\n"
     "short __VERIFIER_nondet_short(void);\n"
     "unsigned short __VERIFIER_nondet_ushort(void);\n"
     "int __VERIFIER_nondet_int(void);\n"
     "unsigned __VERIFIER_nondet_uint(void);\n"
     "long __VERIFIER_nondet_long(void);\n"
     "unsigned long __VERIFIER_nondet_ulong(void);\n"},
    {HELPER_BETWEEN, ALL,
     "#ifdef __PICKET__\n"
     "int64_t picket_nondet_long(int64_t, int64_t);\n"
     "uint64_t __VERIFIER_nondet_ulong(void);\n"
     "void __VERIFIER_assume(int);\n"
     "#define picket_between_signed(low, high) picket_nondet_long(low, high)\n"
     "PICKET_HELPER uint64_t picket_between_unsigned(uint64_t low, uint64_t high) {\n"
     "    if (high <= INT64_MAX || low > INT64_MAX) {\n"
     "        return (uint64_t)picket_nondet_long((int64_t)low, (int64_t)high);\n"
     "    }\n"
     "    uint64_t value = __VERIFIER_nondet_ulong();\n"
     "    __VERIFIER_assume((value >= low) & (value <= high));\n"
     "    return value;\n"
     "}\n"
     "#else\n"
     "long __VERIFIER_nondet_long(void);\n"
     "void __VERIFIER_assume(int);\n"
     "PICKET_HELPER int64_t picket_between_signed(int64_t low, int64_t high) {\n"
     "    int64_t value = __VERIFIER_nondet_long();\n"
     "    __VERIFIER_assume((value >= low) & (value <= high));\n"
     "    return value;\n"
     "}\n"
     "PICKET_HELPER uint64_t picket_between_unsigned(uint64_t low, uint64_t high) {\n"
     "    uint64_t value = (uint64_t)__VERIFIER_nondet_long();\n"
     "    __VERIFIER_assume((value >= low) & (value <= high));\n"
     "    return value;\n"
     "}\n"
     "#endif\n"},
    {HELPER_ASSERT, OTHERS,
     "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n"},
    {HELPER_ABORT, SVCOMP, "void abort(void) __attribute__((noreturn));\n"},
    {HELPER_REACH, SVCOMP,
     "void reach_error(void) __attribute__((noreturn));\n"
     "#ifndef __PICKET__\n"
     "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n"
     "void reach_error(void) {\n"
     "    __assert_fail(\"0\", \"\", 0, \"reach_error\");\n"
     "}\n"
     "#endif\n"},
    {HELPER_ERRORS, SVCOMP,
     "#ifndef __PICKET__\n"
     "#define picket_error(kind, message) reach_error()\n"
     "#endif\n"},
    {HELPER_ERRORS, CBMC,
     "#ifndef __PICKET__\n"
     "#ifndef __CPROVER__\n"
     "#define __CPROVER_assert(condition, message) ((void)(condition))\n"
     "#endif\n"
     "void abort(void) __attribute__((noreturn));\n"
     "#define picket_error(kind, message) (__CPROVER_assert(0, message), abort())\n"
     "#endif\n"},
    {HELPER_ERRORS, OWN,
     "#ifndef __PICKET__\n"
     "void abort(void) __attribute__((noreturn));\n"
     "#define picket_error(kind, message) abort()\n"
     "#endif\n"},
    {HELPER_CUT, SVCOMP,
     "#ifdef __PICKET__\n"
     "void __picket_cut(void) __attribute__((noreturn));\n"
     "#define picket_cut() __picket_cut()\n"
     "#else\n"
     "void __VERIFIER_assume(int);\n"
     "void abort(void) __attribute__((noreturn));\n"
     "#define picket_cut() (__VERIFIER_assume(0), abort())\n"
     "#endif\n"},
    {HELPER_CUT, CBMC,
     "#ifdef __PICKET__\n"
     "void __picket_cut(void) __attribute__((noreturn));\n"
     "#define picket_cut() __picket_cut()\n"
     "#else\n"
     "#ifndef __CPROVER__\n"
     "void __CPROVER_assume(_Bool);\n"
     "#endif\n"
     "void abort(void) __attribute__((noreturn));\n"
     "#define picket_cut() (__CPROVER_assume(0), abort())\n"
     "#endif\n"},
    {HELPER_CUT, OWN,
     "void __picket_cut(void) __attribute__((noreturn));\n"
     "#define picket_cut() __picket_cut()\n"},
    {HELPER_HALT, ALL,
     "#ifdef __PICKET__\n"
     "void __picket_halt(unsigned) __attribute__((noreturn));\n"
     "#define picket_halt(threads) __picket_halt(threads)\n"
     "#else\n"
     "#define picket_halt(threads) (picket_arrive(threads), pthread_exit(0))\n"
     "static unsigned picket_arrived;\n"
     "static void picket_arrive(unsigned threads) {\n"
     "    PICKET_ATOMIC_BEGIN();\n"
     "    if (threads != 0 && ++picket_arrived == threads) {\n"
     "        picket_error(GOAL, \"all threads are in their final states\");\n"
     "    }\n"
     "    PICKET_ATOMIC_END();\n"
     "}\n"
     "#endif\n"},
    {HELPER_BUS, ALL,
     "#ifdef __PICKET__\n"
     "void __picket_bus_lock(void);\n"
     "void __picket_bus_unlock(void);\n"
     "#define picket_bus_lock() __picket_bus_lock()\n"
     "#define picket_bus_unlock() __picket_bus_unlock()\n"
     "#else /* not exact: other threads may run on with what they have buffered */\n"
     "#define picket_bus_lock() PICKET_ATOMIC_BEGIN()\n"
     "#define picket_bus_unlock() PICKET_ATOMIC_END()\n"
     "#endif\n"},
    {HELPER_EXIT, ALL,
     "#ifdef __PICKET__\n"
     "void __picket_exit(int) __attribute__((noreturn));\n"
     "#define picket_exit(code) __picket_exit(code)\n"
     "#else\n"
     "void exit(int) __attribute__((noreturn));\n"
     "#define picket_exit(code) exit(code)\n"
     "#endif\n"},
    {HELPER_PRINT, ALL,
     "#ifdef __PICKET__\n"
     "int __picket_print(int, const char *, void *, const char *);\n"
     "#define picket_print(file, format, block, texts) \\\n"
     "    (uint32_t)__picket_print((int)(file), (const char *)(format), (void *)(block), (const char *)(texts))\n"
     "#else\n"
     "int vdprintf(int, const char *, __builtin_va_list);\n"
     "PICKET_HELPER uint64_t picket_print(uint64_t file, uint64_t format, uint64_t block, uint64_t texts) {\n"
     "    (void)texts;\n"
     "    union picket_variable_arguments arguments = {.parts = {48, 304, (void *)block, 0}};\n"
     "    return (uint32_t)vdprintf((int)file, (const char *)format, arguments.list);\n"
     "}\n"
     "#endif\n"},
    {HELPER_FORMAT, ALL,
     "#ifdef __PICKET__\n"
     "int __picket_format(char *, unsigned long, const char *, void *, const char *);\n"
     "#define picket_format(buffer, size, format, block, texts) \\\n"
     "    (uint32_t)__picket_format((char *)(buffer), size, (const char *)(format), (void *)(block), (const char "
     "*)(texts))\n"
     "#else\n"
     "int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);\n"
     "PICKET_HELPER uint64_t picket_format(uint64_t buffer, uint64_t size, uint64_t format, uint64_t block, uint64_t "
     "texts) {\n"
     "    (void)texts;\n"
     "    union picket_variable_arguments arguments = {.parts = {48, 304, (void *)block, 0}};\n"
     "    return (uint32_t)vsnprintf((char *)buffer, size, (const char *)format, arguments.list);\n"
     "}\n"
     "#endif\n"},
    {HELPER_TEXT, ALL, /* natively the C library reads the strings itself */
     "struct picket_found {\n"
     "    uint64_t bits;\n"
     "    uint64_t length;\n"
     "};\n"
     "#ifdef __PICKET__\n"
     "struct picket_found __picket_text(const char *, void *, unsigned long);\n"
     "#define picket_text(format, block, index) __picket_text((const char *)(format), (void *)(block), index)\n"
     "#else\n"
     "#define picket_text(format, block, index) \\\n"
     "    ((void)(format), (void)(block), (void)(index), (struct picket_found){0, 0})\n"
     "#endif\n"},
    {HELPER_WRITE, ALL,
     "#ifdef __PICKET__\n"
     "void __picket_write(int, const void *, unsigned long);\n"
     "#define picket_write(file, bytes, size) __picket_write((int)(file), (const void *)(bytes), size)\n"
     "#else\n"
     "long write(int, const void *, unsigned long);\n"
     "PICKET_HELPER void picket_write(uint64_t file, uint64_t bytes, uint64_t size) {\n"
     "    if (write((int)file, (const void *)bytes, size) < 0) {\n"
     "    }\n"
     "}\n"
     "#endif\n"},
    {HELPER_STRTOD, ALL,
     "struct picket_parsed {\n"
     "    uint64_t bits;\n"
     "    uint64_t length;\n"
     "};\n"
     "#ifdef __PICKET__\n"
     "struct picket_parsed __picket_strtod(const char *);\n"
     "#define picket_strtod(text) __picket_strtod((const char *)(text))\n"
     "#else\n"
     "double strtod(const char *, char **);\n"
     "PICKET_HELPER struct picket_parsed picket_strtod(uint64_t text) {\n"
     "    char *end = 0;\n"
     "    union {\n"
     "        double number;\n"
     "        uint64_t bits;\n"
     "    } both;\n"
     "    both.number = strtod((const char *)text, &end);\n"
     "    struct picket_parsed parsed = {both.bits, (uint64_t)end - text};\n"
     "    return parsed;\n"
     "}\n"
     "#endif\n"},
    {HELPER_OBJECT_SIZE, ALL,
     "#ifdef __PICKET__\n"
     "unsigned long __picket_object_size(const void *);\n"
     "#define picket_object_size(address) __picket_object_size((const void *)(address))\n"
     "#else\n"
     "unsigned long malloc_usable_size(void *);\n"
     "#define picket_object_size(address) malloc_usable_size((void *)(address))\n"
     "#endif\n"},
};

static bool is_needed(const struct emitter *emitter, enum helper helper) {
    return emitter->helpers >> helper & 1;
}

static void includes_print(const struct emitter *emitter, FILE *out) {
    bool semaphore = is_needed(emitter, HELPER_SEMAPHORE);
    fputs("#include <stdint.h>\n", out);
    if (emitter->dialect == DIALECT_PICKET) {
        fputs("#ifdef __PICKET__\n"
              "#include <picket.h>\n"
              "#else /* can be compiled, but not run */\n"
              "#include <pthread.h>\n"
              "void picket_assume(int);\n"
              "void picket_atomic_begin(void);\n"
              "void picket_atomic_end(void);\n"
              "#endif\n",
              out);
        return;
    }
    if (semaphore) {
        fputs("#include <errno.h>\n", out);
    }
    if (semaphore || is_needed(emitter, HELPER_PTHREAD) || is_needed(emitter, HELPER_THREADS) ||
        is_needed(emitter, HELPER_YIELD)) {
        fputs("#include <pthread.h>\n", out);
    }
    if (semaphore) {
        fputs("#include <semaphore.h>\n", out);
    }
}

/* One function for each kind of error, so that Picket knows it again. */
static void errors_print(FILE *out) {
#define X(name, text) #name,
    static const char *const words[ERROR_COUNT] = {ERROR_KINDS(X)};
#undef X
    fputs("#ifdef __PICKET__\n#define picket_error(kind, message) __picket_error_##kind(message)\n", out);
    for (int i = 1; i < ERROR_COUNT; i++) {
        fprintf(out, "void __picket_error_%s(const char *) __attribute__((noreturn));\n", words[i]);
    }
    fputs("#endif\n", out);
}

void helpers_print(const struct emitter *emitter, FILE *out) {
    fprintf(out, "/* Printed by picket translate --dialect %s. */\n#define _GNU_SOURCE\n",
            dialect_names[emitter->dialect]);
    includes_print(emitter, out);
    if (emitter->recursive) {
        fputs("#if defined __clang__ || __GNUC__ >= 12 /* whether it ends is for others to say */\n"
              "#pragma GCC diagnostic ignored \"-Winfinite-recursion\"\n"
              "#endif\n",
              out);
    }
    fputs("\n"
          "#ifdef __PICKET__\n"
          "#define PICKET_LIBRARY __attribute__((nodebug, section(\"picket.library\")))\n"
          "#define PICKET_PRIVATE __attribute__((section(\"picket.private\")))\n"
          "#define PICKET_PRIVATE_LOCAL __attribute__((annotate(\"picket.private\")))\n"
          "#else\n"
          "#define PICKET_LIBRARY\n"
          "#define PICKET_PRIVATE\n"
          "#define PICKET_PRIVATE_LOCAL\n"
          "#endif\n"
          "#define PICKET_HELPER PICKET_LIBRARY static inline\n"
          "\n"
          "typedef uint8_t __attribute__((may_alias)) word1;\n"
          "typedef uint16_t __attribute__((may_alias)) word2;\n"
          "typedef uint32_t __attribute__((may_alias)) word4;\n"
          "typedef uint64_t __attribute__((may_alias)) word8;\n",
          out);
    for (uint32_t i = 2; i <= emitter->results; i++) {
        fprintf(out, "struct picket_results_%u {\n    uint64_t r[%u];\n};\n", i, i);
    }
    if (is_needed(emitter, HELPER_ERRORS)) {
        errors_print(out);
    }
    if (is_needed(emitter, HELPER_PRINT) || is_needed(emitter, HELPER_FORMAT)) {
        fputs("#ifndef __PICKET__\n"
              "/* All variable arguments lie in memory: where x86-64 puts those that registers do not hold. */\n"
              "union picket_variable_arguments {\n"
              "    __builtin_va_list list;\n"
              "    struct {\n"
              "        unsigned general, floating;\n"
              "        void *block, *registers;\n"
              "    } parts;\n"
              "};\n"
              "#endif\n",
              out);
    }
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (is_needed(emitter, pieces[i].helper) && (pieces[i].dialects >> emitter->dialect & 1)) {
            fputs(pieces[i].text, out);
        }
    }
    fputc('\n', out);
}
