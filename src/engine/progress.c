/* One line on stderr that is written over. */
#include "engine/progress.h"

#include <stdarg.h>
#include <stdio.h>

#include "engine/limits.h"

#define ASK_INTERVAL 1024
#define SHOW_INTERVAL 0.25

void progress_start(struct progress *progress, bool wanted) {
    *progress = (struct progress){.wanted = wanted, .countdown = ASK_INTERVAL};
    progress->start = progress->last = limits_now();
}

bool progress_due(struct progress *progress) {
    if (!progress->wanted || --progress->countdown > 0) {
        return false;
    }
    progress->countdown = ASK_INTERVAL;
    double now = limits_now();
    if (now - progress->last < SHOW_INTERVAL) {
        return false;
    }
    progress->last = now;
    return true;
}

void progress_show(struct progress *progress, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r\033[K%.0f s: ", progress->last - progress->start);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    progress->shown = true;
}

void progress_end(struct progress *progress) {
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        progress->shown = false;
    }
}
