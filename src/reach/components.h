/* States as tuples of numbers.
 *
 * A state consists of leaves: the part of each thread (parts.h) and pieces of the row of globals.  Each different leaf
 * has a number.  Pairs of numbers are numbered again, up to the root of a binary tree: the two numbers at the root
 * together are the state, in 64 bits.  Most states differ from others in one leaf only, so they share nearly all pairs.
 *
 *                     state = (left, right)
 *                       /             \
 *                 (thread 0,      (thread 2,
 *                  thread 1)       globals)
 *
 * For nearly all steps, what a thread does depends only on its part and on the bytes that its next step reads.  So the
 * machine executes the step once for each part and value; the result is an effect, and a step of the search looks up
 * one effect and some pairs.  The few other steps (creating and joining threads, condition variables, accesses that are
 * errors) are taken on the machine, with all parts loaded.  Draining an entry of a thread's store buffer depends on its
 * part alone.
 *
 * Many threads may look up numbers and effects at once; a lock protects the machine. */
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
    LOCAL_STANDS, /* the thread has stopped */
    LOCAL_WAITS,  /* disabled until memory changes */
    LOCAL_OWN,    /* its step accesses no bytes that others access */
    LOCAL_ACCESS, /* its step accesses `size` bytes of a chunk */
    LOCAL_JOIN,   /* its step waits for a thread to finish */
    LOCAL_WHOLE,  /* its step may access anything */
};

/* The part of a thread, and what follows from the part alone. */
struct local {
    uint8_t kind;
    uint8_t size;   /* access */
    uint8_t chunk;  /* access */
    bool reads;     /* access: the step depends on the bytes */
    bool needs_bus; /* disabled while another thread holds the bus */
    bool ends;      /* the thread has ended the execution */
    bool finished;
    bool joinable;
    bool holds_atomic;
    bool holds_bus;
    bool drains;     /* its store buffer is not empty */
    bool stores;     /* its step puts a store into the buffer, and may come first: see buffered.c */
    uint32_t offset; /* access: in its chunk */
    uint32_t slot;   /* of the thread */
    uint32_t target; /* join: slot */
    uint32_t goal;   /* number of threads that have to reach the goal at which it is */
    uint32_t aged;   /* the part's successor when memory changes */
    struct footprint next;
    struct footprint future;
    const uint8_t *part;
    struct learned_step *_Atomic small[SMALL_VALUES]; /* effects of choice 0 when it reads 0, 1, ...; NULL: unknown */
};

enum effect_flag {
    EFFECT_DISABLED = 1, /* the step is disabled */
    EFFECT_WRITES = 2,   /* the bytes become `written` */
    EFFECT_ERROR = 4,    /* it is an error */
    EFFECT_RUNAWAY = 8,  /* the thread does not reach another step */
    EFFECT_MORE = 16,    /* there is another choice */
    EFFECT_REFUSED = 32, /* there are too many choices */
    EFFECT_WHOLE = 64,   /* the machine has to take the step */
    EFFECT_STAYS =
        EFFECT_DISABLED | EFFECT_ERROR | EFFECT_RUNAWAY | EFFECT_REFUSED, /* any of these: no state follows */
};

/* Choices from here on are entries that drain, oldest first. */
#define FIRST_DRAIN (UINT32_C(1) << 31)

struct learned_step {
    uint32_t local; /* of the part with this number, */
    uint32_t choice;
    uint64_t value[VALUE_WORDS]; /* when it reads these bytes */
    uint64_t written[VALUE_WORDS];
    uint32_t next;   /* number of the next part */
    uint32_t others; /* next effect with the same hash */
    uint32_t offset; /* of the bytes, in their chunk */
    uint8_t chunk;
    uint8_t size;
    uint8_t flags;
};

struct components {
    const struct search_task *task;
    struct machine *machine;
    uint32_t threads; /* number of slots with room in the tuple */
    uint32_t chunks;
    size_t chunk_size; /* of all chunks but the last */
    size_t row_size;
    uint32_t leaves;
    bool versions; /* waiting loops depend on whether memory has changed */
    bool holders;  /* there are atomic sections or the bus is locked */
    bool buffers;  /* the model has store buffers */
    _Atomic bool longer;
    _Atomic size_t buffered; /* see struct search_result */
    struct footprints footprints;
    struct local *locals;           /* by number; never moves */
    struct learned_step *effects;   /* never moves */
    _Atomic uint32_t *effect_heads; /* by hash */
    _Atomic bool too_many_threads;
    /* The tree: position 0 is the root, 1 .. leaves-2 are pairs, then come the leaves. */
    uint8_t left[MOST_LEAVES];
    uint8_t right[MOST_LEAVES];
    uint8_t position[MOST_LEAVES];      /* of each leaf: threads by slot, then chunks */
    uint64_t leaf_set;                  /* of positions */
    uint64_t above[MOST_POSITIONS + 1]; /* by position: the set of pairs above it */
    struct intern memory[MOST_CHUNKS];
    struct intern pairs[MOST_LEAVES];
    /* What changes when a part or an effect is added. */
    pthread_mutex_t lock;   /* protects the machine and all tables but the pairs */
    size_t locals_reserved; /* bytes */
    size_t effects_reserved;
    uint32_t locals_count;
    uint32_t effects_count;
    struct hash_table *local_numbers;
    uint8_t *row; /* of row_size bytes, for the thread that holds the lock */
    uint8_t *key;
    size_t key_capacity;
    struct vector blocks; /* of uint8_t *: memory for parts */
    size_t block_used;
};

/* A state as the numbers at all positions but the root. */
struct tuple {
    uint32_t at[MOST_POSITIONS + 1];
};

/* Returns false if the program cannot be searched by components.  `threads` is the least number of slots to reserve. */
bool components_init(struct components *components, const struct search_task *task, uint32_t threads);
void components_delete(struct components *components);

/* The initial state. */
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

/* Prefetches the memory of the item with the number at this position. */
static inline void components_prefetch(const struct components *components, const struct tuple *tuple,
                                       uint32_t position) {
    uint32_t first_chunk = components->leaves - 1 + components->threads;
    if (position < components->leaves - 1) {
        __builtin_prefetch(intern_item(&components->pairs[position], tuple->at[position]), 0, 3);
    } else if (position >= first_chunk) {
        __builtin_prefetch(intern_item(&components->memory[position - first_chunk], tuple->at[position]), 0, 3);
    }
}

/* The key of a tuple whose positions in `changed` are new; numbers the pairs above them. */
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

/* The effect of the thread's step when its part is `local`, it reads these bytes, and it makes this choice. */
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

/* The bytes that the next step of a thread reads. */
static inline void components_look(const struct components *components, const struct tuple *tuple,
                                   const struct local *local, uint64_t value[VALUE_WORDS]) {
    value[0] = value[1] = value[2] = 0;
    if (local->kind == LOCAL_ACCESS && local->reads) {
        uint32_t number = tuple->at[components_leaf(components, components->threads + local->chunk)];
        memcpy(value, intern_item(&components->memory[local->chunk], number) + local->offset, local->size);
    }
}

/* A cache, for one thread of the search, of chunks after writes. */
#define WRITE_CACHE 2048u
struct write_cache {
    struct {
        uint32_t effect;
        uint32_t before;
        uint32_t after;
    } entries[WRITE_CACHE];
};

/* Applies an effect to the tuple; returns the positions that have changed. */
uint64_t components_apply(struct components *components, struct tuple *tuple, uint32_t slot,
                          const struct learned_step *effect, struct write_cache *cache);

/* Takes a step of a thread, or drains an entry, on the machine, with all parts loaded; returns flags of an effect. */
unsigned components_step(struct components *components, struct tuple *tuple, uint32_t slot, uint32_t choice);

/* The drain of an entry of a thread's buffer with this index; *more is set if there is a further one. */
bool components_find_drain(struct machine *machine, uint32_t slot, uint32_t choice, struct transition *transition,
                           bool *more);

/* The outcome of the execution, which is counted if the execution has ended.  The lock protects `result`. */
enum outcome components_outcome(struct components *components, const struct tuple *tuple, struct search_result *result);

/* Bytes in all tables. */
size_t components_bytes(const struct components *components);

#endif
