/* Ranges of bytes. */
#ifndef PICKET_UTIL_RANGE_H
#define PICKET_UTIL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Do two ranges, each an address and a size, have a byte in common? */
static inline bool ranges_overlap(uint64_t address, uint64_t size, uint64_t other, uint64_t other_size) {
    return address < other + other_size && other < address + size;
}

#endif
