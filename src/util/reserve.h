/* Address space that is reserved once and filled as it is used, so that what lies in it never moves. */
#ifndef PICKET_UTIL_RESERVE_H
#define PICKET_UTIL_RESERVE_H

#include <stddef.h>

__attribute__((returns_nonnull)) void *reserve_new(size_t size); /* zeroed */
void reserve_free(void *block, size_t size);

#endif
