/* A list of seeds that takes one test too long is the work of several, each built with its PART of PARTS. */
#ifndef PICKET_TESTS_PART_H
#define PICKET_TESTS_PART_H

#include <stdint.h>

/* The seeds of this part, out of 1 to `count`. */
static inline uint64_t part_first(uint64_t count) {
    return (PART - 1) * count / PARTS + 1;
}

static inline uint64_t part_last(uint64_t count) {
    return PART * count / PARTS;
}

#endif
