/* One file in memory for all inputs of a process: making and removing files would cost more than reading them. */
#include "input_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *input_file(const uint8_t *data, size_t size) {
    static int file = -1;
    static char name[32];
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) {
        abort();
    }
    return name;
}
