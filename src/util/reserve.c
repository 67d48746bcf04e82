/* Memory from mmap.  Tables that do not fit into the cache are spread over large pages where the system has them: else
 * most looks into them would be misses of the translation of addresses, too. */
#include "util/reserve.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "util/exit_code.h"
#include "util/memory.h"

#define LARGE_PAGE ((size_t)1 << 21)
#define LARGE_TABLE ((size_t)1 << 18) /* bytes that are asked of the system directly, and given back to it */

void *reserve_new(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        fputs("picket: no address space left\n", stderr);
        exit(EXIT_UNDECIDED);
    }
    return block;
}

bool reserve_with_large_pages(void *block, size_t size, size_t used) {
    bool large = used >= LARGE_PAGE / 4;
    if (large && size > LARGE_PAGE) {
        madvise((uint8_t *)block + LARGE_PAGE, size - LARGE_PAGE, MADV_HUGEPAGE);
    }
    return large;
}

void reserve_free(void *block, size_t size) {
    munmap(block, size);
}

void *table_new(size_t size) {
    if (size < LARGE_TABLE) {
        return memory_allocate(size);
    }
    void *table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) {
        memory_exhausted();
    }
    if (size >= 2 * LARGE_PAGE) {
        madvise(table, size, MADV_HUGEPAGE);
    }
    /* One call instead of a fault for each page; where the system cannot do that, faults will. */
    madvise(table, size, MADV_POPULATE_WRITE);
    return table;
}

void table_free(void *table, size_t size) {
    if (size < LARGE_TABLE) {
        free(table);
    } else {
        munmap(table, size);
    }
}
