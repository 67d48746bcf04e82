/* A message of numbers, texts and blocks of bytes, written piece by piece and read in the same order by another
 * process.
 *
 * The reader does not trust the writer: a missing piece is read as 0 or as an empty text, and the reader records that
 * it is incomplete. */
#ifndef PICKET_UTIL_BYTES_H
#define PICKET_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/vector.h"

void bytes_init(struct vector *bytes); /* of uint8_t */
void bytes_put(struct vector *bytes, const void *block, size_t size);
void bytes_put_number(struct vector *bytes, uint64_t number);
void bytes_put_real(struct vector *bytes, double number);
void bytes_put_text(struct vector *bytes, const char *text); /* NULL is written as such */
void bytes_put_texts(struct vector *bytes, const struct vector *texts /* of char * */);

struct bytes_reader {
    const uint8_t *next;
    size_t left;
    bool short_of; /* a requested piece is missing */
};

void bytes_get(struct bytes_reader *reader, void *block, size_t size); /* zeroed if it is not there */
uint64_t bytes_get_number(struct bytes_reader *reader);
double bytes_get_real(struct bytes_reader *reader);
char *bytes_get_text(struct bytes_reader *reader); /* the caller's; NULL if NULL was written */
/* A number of elements of which each takes at least `size` bytes of what is left. */
size_t bytes_get_count(struct bytes_reader *reader, size_t size);
void bytes_get_texts(struct bytes_reader *reader, struct vector *texts);

#endif
