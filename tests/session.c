/* Reads /proc, where every process has its session. */
#include "session.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the session of a process, and the CPU time of it and of those of its children that have been waited for. */
static bool process_times(const char *name, pid_t *session, double *seconds) {
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/stat", name);
    char text[1024] = "";
    FILE *file = fopen(path, "r");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        (void)fclose(file);
    }
    /* The second field is the program's name in parentheses, which may contain anything. */
    const char *rest = strrchr(text, ')');
    unsigned long own[2];
    long children[2];
    int found = sscanf(rest ? rest : "", ") %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", session,
                       &own[0], &own[1], &children[0], &children[1]);
    if (found != 5) {
        return false; /* the process has ended in the meantime */
    }
    *seconds = ((double)(own[0] + own[1]) + (double)(children[0] + children[1])) / (double)sysconf(_SC_CLK_TCK);
    return true;
}

/* The CPU time of all processes of a session, or, with `end`, sends each of them SIGKILL. */
static double session_visit(pid_t leader, bool end) {
    DIR *directory = opendir("/proc");
    double sum = 0;
    for (const struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory)) {
        pid_t session;
        double seconds;
        if (isdigit((unsigned char)entry->d_name[0]) && process_times(entry->d_name, &session, &seconds) &&
            session == leader) {
            sum += seconds;
            if (end) {
                kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
            }
        }
    }
    if (directory) {
        closedir(directory);
    }
    return sum;
}

double session_seconds(pid_t leader) {
    return session_visit(leader, false);
}

void session_end(pid_t leader) {
    session_visit(leader, true);
}
