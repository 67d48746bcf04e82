/* Pseudo-random numbers that depend on a seed alone (xorshift with a multiplier). */
#ifndef PICKET_ENGINE_RANDOM_SOURCE_H
#define PICKET_ENGINE_RANDOM_SOURCE_H

#include <stdint.h>

struct random_source {
    uint64_t state;
};

static inline struct random_source random_source_from(uint64_t seed) {
    /* Spread the seed's bits; the state must not be 0. */
    uint64_t state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (struct random_source){state ^ state >> 31 ? state ^ state >> 31 : 1};
}

static inline uint64_t random_next(struct random_source *source) {
    source->state ^= source->state >> 12;
    source->state ^= source->state << 25;
    source->state ^= source->state >> 27;
    return source->state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A number below `end`, which is not 0. */
static inline uint64_t random_below(struct random_source *source, uint64_t end) {
    return (uint64_t)((unsigned __int128)random_next(source) * end >> 64);
}

#endif
