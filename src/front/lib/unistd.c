/* The parts of <unistd.h> that threaded programs call: process and processor numbers, and writing to the output. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <unistd.h>

#include "intrinsics.h"

#define PROCESS 1000
#define PROCESSORS 4

pid_t getpid(void) {
    __picket_assumes_system();
    return PROCESS;
}

pid_t getppid(void) {
    __picket_assumes_system();
    return 1;
}

pid_t gettid(void) {
    __picket_assumes_system();
    return (pid_t)(PROCESS + __picket_self());
}

uid_t getuid(void) {
    __picket_assumes_system();
    return 1000;
}

uid_t geteuid(void) {
    __picket_assumes_system();
    return 1000;
}

int getpagesize(void) {
    __picket_assumes_system();
    return 4096;
}

int get_nprocs(void) {
    __picket_assumes_system();
    return PROCESSORS;
}

int get_nprocs_conf(void) {
    __picket_assumes_system();
    return PROCESSORS;
}

/* Processors, page size, clock ticks and size of cache lines; nothing else. */
long sysconf(int name) {
    __picket_assumes_system();
    switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF:
        return PROCESSORS;
    case _SC_PAGESIZE:
        return 4096;
    case _SC_CLK_TCK:
        return 100;
    case _SC_LEVEL1_DCACHE_LINESIZE:
        return 64;
    default:
        errno = EINVAL;
        return -1;
    }
}

/* To standard output and error; other files are not open. */
ssize_t write(int file, const void *bytes, size_t length) {
    if (file != 1 && file != 2) {
        errno = EBADF;
        return -1;
    }
    __picket_write_all(file, bytes, length);
    return (ssize_t)length;
}

/* Standard input is at its end; other files are not open. */
ssize_t read(int file, void *bytes, size_t length) {
    (void)bytes;
    (void)length;
    if (file != 0) {
        errno = EBADF;
        return -1;
    }
    __picket_assumes_input();
    return 0;
}

int isatty(int file) {
    (void)file;
    __picket_assumes_system();
    errno = ENOTTY;
    return 0;
}
