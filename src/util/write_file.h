/* Writing all that there is to write: to a descriptor, or to a file that then is there whole or not at all. */
#ifndef PICKET_UTIL_WRITE_FILE_H
#define PICKET_UTIL_WRITE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False, with errno, if not everything could be written. */
bool write_all(int file, const void *data, size_t size);

/* Writes a new file beside `path`, then gives it that name, so that no reader ever finds an incomplete file.  A
 * symbolic link is not followed; a file that is not regular (a device, a pipe) is written to directly.  Returns NULL,
 * or an error message. */
const char *write_file(const char *path, const void *data, size_t size);

#endif
