/* Streams on which nothing can take hold of a terminal: texts of the user's program and names of its files may contain
 * control characters. */
#ifndef PICKET_UTIL_ESCAPE_H
#define PICKET_UTIL_ESCAPE_H

#include <stdio.h>

/* A stream that writes to the file descriptor.  It passes lines and tabs; other control characters, characters that
 * change the direction of writing, and bytes that are no UTF-8 become \xNN.  NULL if there is no memory. */
FILE *escape_stream(int file);

#endif
