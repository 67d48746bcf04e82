/* A stream with a function of its own for writing (fopencookie). */
#include "util/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "util/utf8.h"
#include "util/write_file.h"

#define LONGEST 4 /* bytes of a character */

/* Does the character do anything but appear? */
static bool controls(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    if (length == 1) {
        return (at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f;
    }
    bool second_set = length == 2 && at[0] == 0xc2 && at[1] < 0xa0; /* U+0080 to U+009F */
    bool embeds =
        length == 3 && at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae; /* U+202A to U+202E */
    bool isolates =
        length == 3 && at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9; /* U+2066 to .. 9 */
    return second_set || embeds || isolates;
}

/* A character that is cut off by the end of the buffer is written byte by byte. */
static ssize_t escape_write(void *cookie, const char *buffer, size_t size) {
    int file = (int)(intptr_t)cookie;
    size_t plain = 0; /* up to here everything has been written */
    size_t at = 0;
    while (at < size) {
        char character[LONGEST + 1] = {0};
        memcpy(character, buffer + at, size - at < LONGEST ? size - at : LONGEST);
        size_t length = utf8_length(character);
        if (length > 0 && !controls(character, length)) {
            at += length;
            continue;
        }
        char text[4 * LONGEST + 1];
        size_t count = length > 0 ? length : 1;
        for (size_t i = 0; i < count; i++) {
            snprintf(text + 4 * i, 5, "\\x%02x", (unsigned)(unsigned char)character[i]);
        }
        if (!write_all(file, buffer + plain, at - plain) || !write_all(file, text, 4 * count)) {
            return 0;
        }
        at += count;
        plain = at;
    }
    return write_all(file, buffer + plain, at - plain) ? (ssize_t)size : 0;
}

FILE *escape_stream(int file) {
    FILE *stream = fopencookie((void *)(intptr_t)file, "w", (cookie_io_functions_t){.write = escape_write});
    if (stream && isatty(file)) {
        setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    }
    return stream;
}
