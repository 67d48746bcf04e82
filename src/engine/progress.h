/* Progress on stderr, on request: on a terminal one line that is overwritten, at most four times a second; otherwise a
 * line every ten seconds, as text or as a JSON object.  An engine in a child process writes it on its board instead,
 * for the parent to show. */
#ifndef PICKET_ENGINE_PROGRESS_H
#define PICKET_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_form { PROGRESS_NONE, PROGRESS_TEXT, PROGRESS_JSON };

struct progress {
    bool wanted;
    bool json;
    bool overwrites; /* stderr is a terminal */
    bool shown;
    uint64_t countdown;
    double last;
    double start;
    struct board *board; /* NULL: this is no child process */
};

struct board;
void progress_start(struct progress *progress, enum progress_form form);
void progress_start_child(struct progress *progress, struct board *board);

/* Is it time to show progress?  Cheap: meant to be called at every step. */
bool progress_due(struct progress *progress);
/* As progress_due, for callers that call rarely. */
bool progress_due_by_clock(struct progress *progress);
void progress_show(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes the line. */
void progress_end(struct progress *progress);

#endif
