/* One line on stderr that is overwritten.  It bypasses any stream that escapes control characters. */
#include "engine/progress.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/board.h"
#include "engine/json_text.h"
#include "engine/limits.h"

#define ASK_INTERVAL 1024
#define SHOW_INTERVAL 0.25
#define LINE_INTERVAL 10.0
#define MOST_LINE 512

void progress_start(struct progress *progress, enum progress_form form) {
    *progress = (struct progress){
        .wanted = form != PROGRESS_NONE,
        .json = form == PROGRESS_JSON,
        .overwrites = form == PROGRESS_TEXT && isatty(STDERR_FILENO),
        .countdown = ASK_INTERVAL,
    };
    progress->start = progress->last = limits_now();
}

void progress_start_child(struct progress *progress, struct board *board) {
    progress_start(progress, PROGRESS_TEXT);
    progress->board = board;
}

bool progress_due(struct progress *progress) {
    if (!progress->wanted || --progress->countdown > 0) {
        return false;
    }
    progress->countdown = ASK_INTERVAL;
    return progress_due_by_clock(progress);
}

bool progress_due_by_clock(struct progress *progress) {
    if (!progress->wanted) {
        return false;
    }
    double now = limits_now();
    if (now - progress->last < (progress->overwrites || progress->board ? SHOW_INTERVAL : LINE_INTERVAL)) {
        return false;
    }
    progress->last = now;
    return true;
}

static void show_on_board(struct board *board, const char *format, va_list arguments) {
    atomic_fetch_add(&board->version, 1);
    vsnprintf(board->text, sizeof board->text, format, arguments);
    atomic_fetch_add(&board->version, 1);
}

void progress_show(struct progress *progress, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (progress->board) {
        show_on_board(progress->board, format, arguments);
        va_end(arguments);
        return;
    }
    char line[MOST_LINE];
    double seconds = progress->last - progress->start;
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (progress->json) {
        json_t *object = json_pack("{s:f, s:o}", "time_s", seconds, "progress", json_text(line));
        char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
        dprintf(STDERR_FILENO, "%s\n", text);
        free(text);
        json_decref(object);
    } else {
        dprintf(STDERR_FILENO, progress->overwrites ? "\r\033[K%.0f s  %s" : "%.0f s  %s\n", seconds, line);
    }
    progress->shown = progress->overwrites;
}

/* Removes the line. */
void progress_end(struct progress *progress) {
    if (progress->shown) {
        dprintf(STDERR_FILENO, "\r\033[K");
        progress->shown = false;
    }
}
