/* Progress on stderr: one line that is written over, at most four times a second, and only if wanted. */
#ifndef PICKET_ENGINE_PROGRESS_H
#define PICKET_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted;
    bool shown;
    uint64_t countdown;
    double last;
    double start;
};

void progress_start(struct progress *progress, bool wanted);

/* Is it time to show something?  Cheap: meant to be asked at every step. */
bool progress_due(struct progress *progress);
void progress_show(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes the line. */
void progress_end(struct progress *progress);

#endif
