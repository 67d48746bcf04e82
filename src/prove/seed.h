/* Defects that tests seed into the engine: conditions of the theorem that it leaves out, each of which has to be
 * noticed by the comparison with `brute`. */
#ifndef PICKET_PROVE_SEED_H
#define PICKET_PROVE_SEED_H

enum prove_seed {
    SEED_NONE,
    SEED_PRESENT_VALUES, /* right movers: only for what paired stores have written, not for every value */
    SEED_NO_UPDATES,     /* read-modify-writes are no steps of others */
    SEED_NO_FAILED_CAS,  /* compare-and-swaps that fail are none */
    SEED_LOADS_ONLY,     /* stores are tested against loads only */
    SEED_SERVED_EARLY,   /* a store that may serve the load excuses it also from later stores */
    SEED_COUNT
};
extern const char *const prove_seed_names[SEED_COUNT];

#endif
