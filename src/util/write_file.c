/* Writing all that there is to write. */
#include "util/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/memory.h"

bool write_all(int file, const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static const char *write_existing(const char *path, const void *data, size_t size) {
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    bool written = file >= 0 && write_all(file, data, size);
    int problem = errno;
    if (file >= 0 && close(file) != 0 && written) {
        problem = errno;
        written = false;
    }
    return written ? NULL : strerror(problem);
}

/* The permissions that a new file has. */
static mode_t new_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

const char *write_file(const char *path, const void *data, size_t size) {
    struct stat status;
    bool exists = lstat(path, &status) == 0;
    if (exists && S_ISLNK(status.st_mode)) {
        return "it is a symbolic link, which is not followed";
    }
    if (exists && S_ISDIR(status.st_mode)) {
        return strerror(EISDIR);
    }
    if (exists && !S_ISREG(status.st_mode)) {
        return write_existing(path, data, size);
    }
    char *temporary = memory_format("%s.XXXXXX", path);
    int file = mkstemp(temporary);
    bool made = file >= 0;
    bool written =
        made && fchmod(file, exists ? status.st_mode & 0777 : new_mode()) == 0 && write_all(file, data, size);
    int problem = errno;
    if (made && close(file) != 0 && written) {
        problem = errno;
        written = false;
    }
    if (written && rename(temporary, path) != 0) {
        problem = errno;
        written = false;
    }
    if (made && !written) {
        unlink(temporary);
    }
    free(temporary);
    return written ? NULL : strerror(problem);
}
