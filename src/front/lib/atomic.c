/* What <stdatomic.h> and the __atomic builtins call for objects that no single instruction can access.  Sixteen bytes
 * are one access, as with cmpxchg16b (loads and stores of them are instructions); other sizes are an atomic section,
 * which stands for libatomic's lock. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "intrinsics.h"

typedef unsigned __int128 wide;

wide __atomic_exchange_16(volatile void *object, wide value, int order) {
    (void)order;
    return __sync_lock_test_and_set((volatile wide *)object, value);
}

bool __atomic_compare_exchange_16(volatile void *object, void *expected, wide desired, int success, int failure) {
    (void)success;
    (void)failure;
    wide old = *(wide *)expected;
    wide seen = __sync_val_compare_and_swap((volatile wide *)object, old, desired);
    if (seen == old) {
        return true;
    }
    *(wide *)expected = seen;
    return false;
}

#define FETCH(name)                                                                                                    \
    wide __atomic_fetch_##name##_16(volatile void *object, wide value, int order) {                                    \
        (void)order;                                                                                                   \
        return __sync_fetch_and_##name((volatile wide *)object, value);                                                \
    }
FETCH(add)
FETCH(sub)
FETCH(and)
FETCH(or)
FETCH(xor)
FETCH(nand)

#pragma redefine_extname picket_atomic_load __atomic_load
#pragma redefine_extname picket_atomic_store __atomic_store
#pragma redefine_extname picket_atomic_exchange __atomic_exchange
#pragma redefine_extname picket_atomic_compare_exchange __atomic_compare_exchange
#pragma redefine_extname picket_atomic_is_lock_free __atomic_is_lock_free

void picket_atomic_load(size_t size, const void *object, void *result, int order) {
    (void)order;
    __picket_atomic_begin();
    __picket_memcpy(result, object, size);
    __picket_atomic_end();
}

void picket_atomic_store(size_t size, void *object, const void *value, int order) {
    (void)order;
    __picket_atomic_begin();
    __picket_memcpy(object, value, size);
    __picket_atomic_end();
}

void picket_atomic_exchange(size_t size, void *object, const void *value, void *result, int order) {
    (void)order;
    __picket_atomic_begin();
    __picket_memcpy(result, object, size);
    __picket_memcpy(object, value, size);
    __picket_atomic_end();
}

bool picket_atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
                                    int failure) {
    (void)success;
    (void)failure;
    __picket_atomic_begin();
    bool equal = memcmp(object, expected, size) == 0;
    if (equal) {
        __picket_memcpy(object, desired, size);
    } else {
        __picket_memcpy(expected, object, size);
    }
    __picket_atomic_end();
    return equal;
}

bool picket_atomic_is_lock_free(size_t size, const volatile void *object) {
    (void)object;
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}
