/* Memory from the system: address space that becomes memory as it is used, and large zeroed tables. */
#ifndef PICKET_UTIL_RESERVE_H
#define PICKET_UTIL_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* How much may be reserved at a time where `wanted` is more than enough: that, or less if the address space of the
 * process is limited (ulimit -v). */
size_t reserve_size(size_t wanted);

/* Zeroed; costs memory only where it is touched. */
__attribute__((returns_nonnull)) void *reserve_new(size_t size);
void reserve_free(void *block, size_t size);

/* `used` bytes of what was reserved are in use, and more and more will be.  If that is enough, the rest is to have
 * large pages: true. */
bool reserve_with_large_pages(void *block, size_t size, size_t used);

/* A zeroed table of which all will be used soon. */
__attribute__((returns_nonnull)) void *table_new(size_t size);
void table_free(void *table, size_t size);

#endif
