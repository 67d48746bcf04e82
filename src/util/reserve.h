/* Memory from the system: address space that becomes memory as it is used, and large zeroed tables. */
#ifndef PICKET_UTIL_RESERVE_H
#define PICKET_UTIL_RESERVE_H

#include <stddef.h>

/* Zeroed; costs memory only where it is touched. */
__attribute__((returns_nonnull)) void *reserve_new(size_t size);
void reserve_free(void *block, size_t size);

/* What was reserved, and is still untouched, may become much memory in which is looked without order. */
void reserve_with_large_pages(void *block, size_t size);

/* A zeroed table of which all will be used soon. */
__attribute__((returns_nonnull)) void *table_new(size_t size);
void table_free(void *table, size_t size);

#endif
