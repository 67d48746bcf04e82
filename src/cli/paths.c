/* Where the verifier finds what belongs to it.
 *
 * A build tree is tried before an installation, so that a freshly built verifier never runs with the parts of an older
 * one.  In a build tree everything is below the directory of the running program; an installation has the configured
 * paths. */
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "picket_paths.h"

#define FRONT_NAME "picket-front-c"

/* Writes `directory` and `name`, joined, to `path`; false if that is too long. */
static bool join(char path[PATH_MAX], const char *directory, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s/%s", directory, name);
    return length > 0 && length < PATH_MAX;
}

static bool own_directory(char directory[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    if (length <= 0) {
        return false;
    }
    directory[length] = '\0';
    char *slash = strrchr(directory, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    return true;
}

bool paths_find(struct paths *paths) {
    char directory[PATH_MAX];
    if (own_directory(directory) && join(paths->front_program, directory, "src/front/" FRONT_NAME) &&
        join(paths->library_dir, directory, "src/front/lib") && join(paths->include_dir, directory, "include") &&
        access(paths->front_program, X_OK) == 0) {
        return true;
    }
    return join(paths->front_program, PICKET_FRONT_DIR, FRONT_NAME) &&
           snprintf(paths->library_dir, PATH_MAX, "%s", PICKET_LIBRARY_DIR) < PATH_MAX &&
           snprintf(paths->include_dir, PATH_MAX, "%s", PICKET_INCLUDE_DIR) < PATH_MAX &&
           access(paths->front_program, X_OK) == 0;
}
