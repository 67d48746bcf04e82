/* A library to be loaded before others (LD_PRELOAD): the process's n-th allocation fails, n being FAIL_ALLOCATION in
 * the environment.  It counts every request for memory, Picket's own and those of libraries: malloc and its kin, and
 * mmap without a file.  If COUNT_ALLOCATIONS names a file, the number of requests is written there when the process
 * ends. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong requests;
static unsigned long failing; /* 0: none */

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("FAIL_ALLOCATION");
    failing = text ? strtoul(text, NULL, 10) : 0;
    atomic_store(&requests, 0);
}

__attribute__((destructor)) static void finish(void) {
    const char *path = getenv("COUNT_ALLOCATIONS");
    unsigned long count = atomic_load(&requests);
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%lu\n", count);
        fclose(out);
    }
}

static int fails(void) {
    if (atomic_fetch_add(&requests, 1) + 1 == failing) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return fails() ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if ((flags & MAP_ANONYMOUS) && fails()) {
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
