/* A violation as text: messages in gcc's form, then its story. */
#ifndef PICKET_REPORT_STORY_TEXT_H
#define PICKET_REPORT_STORY_TEXT_H

#include "report/story.h"

/* The error and its circumstances, a line each.  `terminal` as for color_print. */
void story_print_messages(const struct story *story, int terminal, FILE *out);

/* The rows, no line wider than `width`. */
void story_print_rows(const struct story *story, size_t width, int terminal, FILE *out);

/* Why it happens, as far as that is known; and what the program has printed until then. */
void story_print_why(const struct story *story, size_t width, FILE *out);
void story_print_output(const struct story *story, FILE *out);

/* Of the terminal, or 80. */
size_t story_width(void);

#endif
