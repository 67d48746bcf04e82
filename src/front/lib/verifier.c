/* SV-COMP's helpers that are not one instruction. */
#include "intrinsics.h"

void reach_error(void);

void __VERIFIER_assert(int condition) {
    if (!condition) {
        reach_error();
    }
}

void *__VERIFIER_alloc(size_t size) {
    return __picket_malloc(size, 16);
}
