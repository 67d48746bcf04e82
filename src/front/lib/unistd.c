/* The parts of <unistd.h> that a program of threads calls: who and where it is, and writing to its output. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <unistd.h>

#include "intrinsics.h"

#define PROCESS 1000
#define PROCESSORS 4

pid_t getpid(void) {
    return PROCESS;
}

pid_t getppid(void) {
    return 1;
}

pid_t gettid(void) {
    return (pid_t)(PROCESS + __picket_self());
}

uid_t getuid(void) {
    return 1000;
}

uid_t geteuid(void) {
    return 1000;
}

int getpagesize(void) {
    return 4096;
}

int get_nprocs(void) {
    return PROCESSORS;
}

int get_nprocs_conf(void) {
    return PROCESSORS;
}

long sysconf(int name) {
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

ssize_t write(int file, const void *bytes, size_t length) {
    if (file != 1 && file != 2) {
        errno = EBADF;
        return -1;
    }
    __picket_write(file, bytes, length);
    return (ssize_t)length;
}

ssize_t read(int file, void *bytes, size_t length) {
    (void)bytes;
    (void)length;
    if (file != 0) {
        errno = EBADF;
        return -1;
    }
    return 0;
}

int isatty(int file) {
    (void)file;
    errno = ENOTTY;
    return 0;
}
