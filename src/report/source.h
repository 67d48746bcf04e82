/* Lines of the source files that reports quote. */
#ifndef PICKET_REPORT_SOURCE_H
#define PICKET_REPORT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/vector.h"

struct sources {
    struct vector files; /* of struct source_file */
    bool dated;          /* files that are newer than `date` are not those that were compiled */
    struct timespec date;
};

/* `inputs` (of char *; NULL: none) are the files that were read: a saved program among them has its sources as they
 * were when it was written. */
void sources_init(struct sources *sources, const struct vector *inputs);
void sources_delete(struct sources *sources);

/* A line, from 1, without the blanks around it and its control characters; NULL if the file cannot be read, is newer
 * than the program, or has no
 * such line.  Of a litmus test, whose lines have an instruction of every thread, the one at the column; of an
 * automaton's transition what follows that word.  The caller frees it. */
char *source_line(struct sources *sources, const char *file, uint32_t line, uint32_t column);

#endif
