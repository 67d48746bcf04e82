/* The end of the process: exit and what runs before it.
 *
 * exit refers to the handlers weakly, so a program that registers none does not look at their list. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "intrinsics.h"

#pragma weak __picket_run_exit_handlers

_Noreturn void exit(int code) {
    if (__picket_run_exit_handlers) {
        __picket_run_exit_handlers();
    }
    __picket_exit(code);
}
