/* Colours on a terminal.  They bypass the stream that escapes control characters (util/escape.h): the text of the
 * user's program cannot contain any. */
#ifndef PICKET_REPORT_COLOR_H
#define PICKET_REPORT_COLOR_H

#include <stdio.h>

enum color { COLOR_NONE, COLOR_PLACE, COLOR_ERROR, COLOR_NOTE, COLOR_ADDED, COLOR_REMOVED };

/* Prints `bytes` bytes of the text in a colour.  `terminal` is the file to which `out` writes; 0: without colours. */
void color_print(FILE *out, int terminal, enum color color, const char *text, size_t bytes);

/* Prints a patch: lines that are added and removed have their colours. */
void color_print_patch(FILE *out, int terminal, const char *patch);

#endif
