/* States as tuples of numbers.
 *
 * A state is taken apart into leaves: the part of each thread (parts.h) and pieces of the row of globals.  Each leaf is
 * known by a number.  Leaves are joined two by two, and a pair of numbers gets a number again, up to the root of a
 * tree: there the two numbers together are the state, in 64 bits.  Most states differ from others in one leaf only, so
 * they share nearly all pairs.
 *
 *                     state = (left, right)
 *                       /             \
 *                 (thread 0,      (thread 2,
 *                  thread 1)       globals)
 *
 * What a thread does depends on its part and on the bytes that its next step looks at, and on nothing else, for all
 * steps but a few.  So the machine is asked once for each such pair; the answer is an effect, and a step of the search
 * is looking up an effect and some pairs.  The few others (creating and joining threads, condition variables, accesses
 * that are errors) are taken on the machine, with all parts loaded.  Draining an entry of a thread's store buffer
 * depends on its part alone.
 *
 * Numbers and effects may be looked up by many threads at once; the machine is behind a lock. */
#ifndef PICKET_REACH_COMPONENTS_H
#define PICKET_REACH_COMPONENTS_H

#include "reach/footprint.h"
#include "reach/intern.h"
#include "reach/search.h"
#include "util/hash_table.h"

#define MOST_LEAVES 32u
#define MOST_POSITIONS (2 * MOST_LEAVES - 1)
#define MOST_CHUNKS 8u
#define VALUE_WORDS 3u
#define SMALL_VALUES 6u

struct learned_step;

enum local_kind {
    LOCAL_STANDS, /* goes no further */
    LOCAL_WAITS,  /* until memory changes */
    LOCAL_OWN,    /* its step concerns nobody else's bytes */
    LOCAL_ACCESS, /* its step concerns `size` bytes of a chunk */
    LOCAL_JOIN,   /* waits for a thread to finish */
    LOCAL_WHOLE,  /* its step may concern anything */
};

/* The part of a thread, and what can be said of it without looking at anything else. */
struct local {
    uint8_t kind;
    uint8_t size;   /* access */
    uint8_t chunk;  /* access */
    bool looks;     /* access: what the step does depends on the bytes */
    bool needs_bus; /* not while another thread holds the bus */
    bool ends;      /* it has ended the execution */
    bool finished;
    bool joinable;
    bool holds_atomic;
    bool holds_bus;
    bool drains;     /* its store buffer is not empty */
    bool stores;     /* its step puts a store into the buffer, and may come first: see buffered.c */
    uint32_t offset; /* access: in its chunk */
    uint32_t slot;   /* whose part it is */
    uint32_t target; /* join: slot */
    uint32_t goal;   /* stands at a goal that so many threads have to reach */
    uint32_t aged;   /* what it becomes when memory changes */
    struct footprint next;
    struct footprint future;
    const uint8_t *part;
    struct learned_step *_Atomic small[SMALL_VALUES]; /* effects of choice 0 seeing 0, 1, ...; NULL: not known yet */
};

enum effect_flag {
    EFFECT_DISABLED = 1, /* the step cannot be taken */
    EFFECT_WRITES = 2,   /* the bytes become `written` */
    EFFECT_ERROR = 4,    /* it is an error */
    EFFECT_RUNAWAY = 8,  /* the thread does not come to another step */
    EFFECT_MORE = 16,    /* there is another choice */
    EFFECT_REFUSED = 32, /* there are too many choices */
    EFFECT_WHOLE = 64,   /* it has to be taken on the machine */
    EFFECT_STAYS = EFFECT_DISABLED | EFFECT_ERROR | EFFECT_RUNAWAY | EFFECT_REFUSED, /* any: no state is behind it */
};

/* Choices from here on are entries that drain, in the order of their age. */
#define FIRST_DRAIN (UINT32_C(1) << 31)

struct learned_step {
    uint32_t local; /* of this one, */
    uint32_t choice;
    uint64_t value[VALUE_WORDS]; /* seeing these bytes */
    uint64_t written[VALUE_WORDS];
    uint32_t next;   /* local */
    uint32_t others; /* next effect with the same hash */
    uint32_t offset; /* of the bytes, in their chunk */
    uint8_t chunk;
    uint8_t size;
    uint8_t flags;
};

struct components {
    const struct search_task *task;
    struct machine *machine;
    uint32_t threads; /* slots there is room for */
    uint32_t chunks;
    size_t chunk_size; /* of all but the last */
    size_t row_size;
    uint32_t leaves;
    bool versions; /* waiting loops need to know whether memory has changed */
    bool holders;  /* there are atomic sections or the bus is locked */
    bool buffers;  /* the model has store buffers */
    _Atomic bool longer;
    _Atomic size_t buffered; /* see struct search_result */
    struct footprints footprints;
    struct local *locals;           /* by number; does not move */
    struct learned_step *effects;   /* does not move */
    _Atomic uint32_t *effect_heads; /* by hash */
    _Atomic bool too_many_threads;
    /* The tree: position 0 is the root, 1 .. leaves-2 are pairs, then come the leaves. */
    uint8_t left[MOST_LEAVES];
    uint8_t right[MOST_LEAVES];
    uint8_t position[MOST_LEAVES];      /* of each leaf: threads by slot, then chunks */
    uint64_t leaf_set;                  /* of positions */
    uint64_t above[MOST_POSITIONS + 1]; /* by position: the set of pairs that it is part of */
    struct intern memory[MOST_CHUNKS];
    struct intern pairs[MOST_LEAVES];
    /* What changes when something is learned. */
    pthread_mutex_t lock; /* of the machine, and of everything that is added, pairs apart */
    uint32_t locals_count;
    uint32_t effects_count;
    struct hash_table *local_numbers;
    uint8_t *row; /* of row_size bytes, for whoever has the lock */
    uint8_t *key;
    size_t key_capacity;
    struct vector blocks; /* of uint8_t *: memory for parts */
    size_t block_used;
};

/* A state taken apart: the number at each position but the root's. */
struct tuple {
    uint32_t at[MOST_POSITIONS + 1];
};

/* False if the program cannot be searched by components; `threads` is how many slots to make room for, at least. */
bool components_init(struct components *components, const struct search_task *task, uint32_t threads);
void components_delete(struct components *components);

/* The start, taken apart. */
void components_start(struct components *components, struct tuple *tuple);

static inline uint32_t components_leaf(const struct components *components, uint32_t leaf) {
    return components->position[leaf];
}

static inline void components_copy(const struct components *components, struct tuple *to, const struct tuple *from) {
    for (uint32_t i = 0; i < 2 * components->leaves - 1; i += 4) {
        memcpy(to->at + i, from->at + i, 4 * sizeof *to->at);
    }
}

static inline void components_decode(const struct components *components, uint64_t key, struct tuple *tuple) {
    tuple->at[components->left[0]] = (uint32_t)(key >> 32);
    tuple->at[components->right[0]] = (uint32_t)key;
    for (uint32_t n = 1; n + 1 < components->leaves; n++) {
        uint64_t pair = pair_at(&components->pairs[n], tuple->at[n]);
        tuple->at[components->left[n]] = (uint32_t)(pair >> 32);
        tuple->at[components->right[n]] = (uint32_t)pair;
    }
}

static inline uint64_t components_pair(const struct components *components, const struct tuple *tuple, uint32_t n) {
    return pair_of(tuple->at[components->left[n]], tuple->at[components->right[n]]);
}

/* Calls the memory that tells what the number at this position means. */
static inline void components_prefetch(const struct components *components, const struct tuple *tuple,
                                       uint32_t position) {
    uint32_t first_chunk = components->leaves - 1 + components->threads;
    if (position < components->leaves - 1) {
        __builtin_prefetch(intern_thing(&components->pairs[position], tuple->at[position]), 0, 3);
    } else if (position >= first_chunk) {
        __builtin_prefetch(intern_thing(&components->memory[position - first_chunk], tuple->at[position]), 0, 3);
    }
}

/* The key of a tuple in which the positions in `changed` are new; pairs above them are found. */
static inline uint64_t components_encode(struct components *components, struct tuple *tuple, uint64_t changed) {
    for (uint32_t n = components->leaves - 2; n > 0; n--) {
        if ((changed >> components->left[n] | changed >> components->right[n]) & 1) {
            uint64_t pair = components_pair(components, tuple, n);
            tuple->at[n] = intern_pair(&components->pairs[n], pair, intern_mix(pair));
            changed |= UINT64_C(1) << n;
        }
    }
    return components_pair(components, tuple, 0);
}

/* What the thread with this part does when it sees these bytes and takes this choice. */
const struct learned_step *components_find_effect(struct components *components, uint32_t local,
                                                  const uint64_t value[VALUE_WORDS], uint32_t choice);

static inline const struct learned_step *components_effect(struct components *components, uint32_t local,
                                                           const uint64_t value[VALUE_WORDS], uint32_t choice) {
    if (value[0] < SMALL_VALUES && (choice | value[1] | value[2]) == 0) {
        const struct learned_step *effect =
            atomic_load_explicit(&components->locals[local].small[value[0]], memory_order_acquire);
        if (effect) {
            return effect;
        }
    }
    return components_find_effect(components, local, value, choice);
}

/* The bytes that the next step of a thread looks at. */
static inline void components_look(const struct components *components, const struct tuple *tuple,
                                   const struct local *local, uint64_t value[VALUE_WORDS]) {
    value[0] = value[1] = value[2] = 0;
    if (local->kind == LOCAL_ACCESS && local->looks) {
        uint32_t number = tuple->at[components_leaf(components, components->threads + local->chunk)];
        memcpy(value, intern_thing(&components->memory[local->chunk], number) + local->offset, local->size);
    }
}

/* What some writes have made of some chunks, for one thread of the search. */
#define WRITE_CACHE 2048u
struct write_cache {
    struct {
        uint32_t effect;
        uint32_t before;
        uint32_t after;
    } entries[WRITE_CACHE];
};

/* Makes the tuple what it is after the effect; returns the positions that have changed. */
uint64_t components_apply(struct components *components, struct tuple *tuple, uint32_t slot,
                          const struct learned_step *effect, struct write_cache *cache);

/* Takes a step of a thread, or drains an entry, on the machine, with everything loaded; returns flags of an effect. */
unsigned components_step(struct components *components, struct tuple *tuple, uint32_t slot, uint32_t choice);

/* The draining of an entry of a thread's buffer by its choice; *more says whether there is a further one. */
bool components_find_drain(struct machine *machine, uint32_t slot, uint32_t choice, struct transition *transition,
                           bool *more);

/* How the execution stands; counts it if it has ended.  `result` is guarded by the lock. */
enum outcome components_outcome(struct components *components, const struct tuple *tuple, struct search_result *result);

/* Bytes of all numbers and effects. */
size_t components_bytes(const struct components *components);

#endif
