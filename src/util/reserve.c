/* Reserved address space, from mmap: pages are real only once they are touched. */
#include "util/reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "util/exit_code.h"

void *reserve_new(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        fputs("picket: no address space left\n", stderr);
        exit(EXIT_UNDECIDED);
    }
    return block;
}

void reserve_free(void *block, size_t size) {
    munmap(block, size);
}
