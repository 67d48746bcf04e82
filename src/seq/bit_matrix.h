/* Square matrices of bits, as relations between numbered things: a row has the things that its own is related to. */
#ifndef PICKET_SEQ_BIT_MATRIX_H
#define PICKET_SEQ_BIT_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/memory.h"

struct bit_matrix {
    uint64_t *bits;
    size_t words; /* of a row */
};

static inline size_t bit_words(uint32_t count) {
    return ((size_t)count + 63) / 64;
}

static inline bool bit_has(const uint64_t *row, uint32_t at) {
    return row[at / 64] >> at % 64 & 1;
}

static inline void bit_set(uint64_t *row, uint32_t at) {
    row[at / 64] |= UINT64_C(1) << at % 64;
}

/* The first one from `at` on, or `end`. */
static inline uint32_t bit_next(const uint64_t *row, uint32_t at, uint32_t end) {
    while (at < end) {
        uint64_t rest = row[at / 64] >> at % 64;
        if (rest) {
            return at + (uint32_t)__builtin_ctzll(rest);
        }
        at = (at / 64 + 1) * 64;
    }
    return end;
}

static inline void bit_matrix_init(struct bit_matrix *matrix, uint32_t count) {
    *matrix = (struct bit_matrix){.words = bit_words(count)};
    matrix->bits = memory_allocate(count * matrix->words * sizeof(uint64_t) + 8);
}

static inline void bit_matrix_delete(struct bit_matrix *matrix) {
    free(matrix->bits);
}

static inline uint64_t *bit_row(const struct bit_matrix *matrix, uint32_t row) {
    return matrix->bits + row * matrix->words;
}

static inline bool bit_at(const struct bit_matrix *matrix, uint32_t row, uint32_t column) {
    return bit_has(bit_row(matrix, row), column);
}

static inline void bit_add(const struct bit_matrix *matrix, uint32_t row, uint32_t column) {
    bit_set(bit_row(matrix, row), column);
}

static inline void bit_add_both(const struct bit_matrix *matrix, uint32_t one, uint32_t other) {
    bit_add(matrix, one, other);
    bit_add(matrix, other, one);
}

#endif
