/* The amount of memory: the machine's, or less if the control group of this process, or one around it, has less. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/limits.h"

#define MEGABYTE ((uint64_t)1 << 20)

/* The number in a file, in MB; `otherwise` if there is none ("max"). */
static uint64_t read_limit(const char *path, uint64_t otherwise) {
    unsigned long long bytes;
    FILE *file = fopen(path, "r");
    bool known = file && fscanf(file, "%llu", &bytes) == 1;
    if (file) {
        fclose(file);
    }
    return known && bytes / MEGABYTE < otherwise ? bytes / MEGABYTE : otherwise;
}

/* The limits of a group and of all around it, where `root` shows them. */
static uint64_t group_limit(const char *root, const char *name, char *group, uint64_t most) {
    char path[4096];
    for (char *end = group + strlen(group);; end = strrchr(group, '/')) {
        if (end) {
            *end = '\0';
        }
        if (snprintf(path, sizeof path, "%s%s/%s", root, group, name) < (int)sizeof path) {
            most = read_limit(path, most);
        }
        if (!end || group[0] == '\0') {
            return most;
        }
    }
}

uint64_t limits_default_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) {
        return 0;
    }
    uint64_t most = (uint64_t)pages * (uint64_t)size / MEGABYTE;
    char line[4096];
    FILE *groups = fopen("/proc/self/cgroup", "r");
    while (groups && fgets(line, sizeof line, groups)) {
        line[strcspn(line, "\n")] = '\0';
        char *kinds = strchr(line, ':');
        char *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group) {
            continue;
        }
        *group++ = '\0';
        if (kinds[1] == '\0') {
            most = group_limit("/sys/fs/cgroup", "memory.max", group, most);
        } else if (strstr(kinds + 1, "memory")) {
            most = group_limit("/sys/fs/cgroup/memory", "memory.limit_in_bytes", group, most);
        }
    }
    if (groups) {
        fclose(groups);
    }
    return most / 4 * 3 > 0 ? most / 4 * 3 : 1;
}
