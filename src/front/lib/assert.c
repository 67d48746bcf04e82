/* What <assert.h> calls besides __assert_fail, which is an instruction. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

#include "intrinsics.h"

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error;
    (void)file;
    (void)line;
    (void)function;
    __picket_assert_failed("unexpected error");
}

void __stack_chk_fail(void) {
    __picket_assert_failed("stack smashing");
}
