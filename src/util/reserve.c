/* Memory from mmap.  Tables that do not fit into the cache use large pages if the system has them: otherwise most
 * lookups would also miss the cache for address translation. */
#include "util/reserve.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "util/memory.h"

#define LARGE_PAGE ((size_t)1 << 21)
#define SHARE 32                      /* reservations at the same time, at most */
#define LARGE_TABLE ((size_t)1 << 18) /* bytes requested from the system directly, and returned to it */

size_t reserve_size(size_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / SHARE > wanted) {
        return wanted;
    }
    return limit.rlim_cur / SHARE / LARGE_PAGE * LARGE_PAGE + LARGE_PAGE;
}

void *reserve_new(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        fputs("picket: no address space left (ulimit -v)\n", stderr);
        memory_exhausted();
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
