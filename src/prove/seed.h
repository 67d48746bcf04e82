/* Defects that tests seed into the engine: conditions of the theorem, or of the proof of claims, that it leaves out,
 * each of which has to be noticed by the comparison with `brute`. */
#ifndef PICKET_PROVE_SEED_H
#define PICKET_PROVE_SEED_H

enum prove_seed {
    SEED_NONE,
    SEED_PRESENT_VALUES, /* right movers: only for what paired stores have written, not for every value */
    SEED_NO_UPDATES,     /* read-modify-writes are no steps of others */
    SEED_NO_FAILED_CAS,  /* compare-and-swaps that fail are none */
    SEED_LOADS_ONLY,     /* stores are tested against loads only */
    SEED_SERVED_EARLY,   /* a store that may serve the load excuses it also from later stores */
    SEED_ALL_IDLE,       /* every abstraction that is found counts as idle */
    SEED_OF_ASSERTIONS,  /* those of the theorem end here; from here on, of the proof of claims and assertions */
    SEED_NO_INTERFERENCE = SEED_OF_ASSERTIONS, /* claims are not held against steps of other threads */
    SEED_NO_BEGINNING,                         /* claims and invariants need not hold at first */
    SEED_NO_ARRIVAL,                           /* own steps need not establish claims */
    SEED_OF_FACTS,                             /* from here on, of what is inferred */
    SEED_FACTS_ALONE = SEED_OF_FACTS,          /* facts are not held against steps of other threads */
    SEED_PAIRS_ALONE,                          /* facts about two threads need only hold at first */
    SEED_COUNT
};
extern const char *const prove_seed_names[SEED_COUNT];

#endif
