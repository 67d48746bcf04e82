/* Text that may or may not be UTF-8. */
#ifndef PICKET_UTIL_UTF8_H
#define PICKET_UTIL_UTF8_H

#include <stddef.h>

/* How many bytes the character at `text`, which ends with a zero, has in UTF-8; 0: the bytes there are no character, or
 * the text ends. */
size_t utf8_length(const char *text);

#endif
