/* The bytes of a fuzz target's input under a name, for readers that open files: one file in memory, used again. */
#ifndef PICKET_FUZZ_INPUT_FILE_H
#define PICKET_FUZZ_INPUT_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The name of a file with these bytes; valid until the next call. */
const char *input_file(const uint8_t *data, size_t size);

#endif
