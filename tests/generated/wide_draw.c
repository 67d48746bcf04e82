/* Draws programs by palette: each seed has one topic, so that its few operations meet. */
#include <errno.h>
#include <string.h>

#include "engine/random_source.h"
#include "wide_program.h"

#define PLACES 2
#define RWLOCKS 2
#define PALETTE_SLOTS 32

/* What a palette draws: mostly single operations, but some come with others, such as what undoes them. */
enum motif {
    MOTIF_LOAD,
    MOTIF_STORE,
    MOTIF_ADD,
    MOTIF_EXCHANGE,
    MOTIF_CAS,
    MOTIF_FENCE,
    MOTIF_STORE_BARRIER,
    MOTIF_LOCK,
    MOTIF_TRYLOCK,
    MOTIF_TIMEDLOCK,
    MOTIF_READ_LOCK,
    MOTIF_WRITE_LOCK,
    MOTIF_READ_TRYLOCK,
    MOTIF_WRITE_TRYLOCK,
    MOTIF_READ_TIMEDLOCK,
    MOTIF_WRITE_TIMEDLOCK,
    MOTIF_SPIN_LOCK,
    MOTIF_SPIN_TRYLOCK,
    MOTIF_SEM_WAIT,
    MOTIF_SEM_TRYWAIT,
    MOTIF_SEM_TIMEDWAIT,
    MOTIF_SEM_POST,
    MOTIF_WAIT,
    MOTIF_TIMEDWAIT,
    MOTIF_SIGNAL,
    MOTIF_BROADCAST,
    MOTIF_LOCKED_SIGNAL,
    MOTIF_BARRIER,
    MOTIF_ONCE,
    MOTIF_AWAIT,
    MOTIF_AWAIT_CHANGE,
    MOTIF_AWAIT_CAS,
    MOTIF_AWAIT_SWAP,
    MOTIF_AWAIT_TWO,
    MOTIF_AWAIT_BOTH,
    MOTIF_AWAIT_TRY,
    MOTIF_CHOICE,
    MOTIF_ASSUME,
    MOTIF_ASSERT,
    MOTIF_ATOMIC,
    MOTIF_ATOMIC_CHOICE,
    MOTIF_ATOMIC_STOP,
    MOTIF_ATOMIC_ANY,
    MOTIF_ATOMIC_MANY,
    MOTIF_ATOMIC_NESTED,
    MOTIF_ATOMIC_EVERY,
    MOTIF_ATOMIC_UNLOCK,
    MOTIF_LOCK_AGAIN,
    MOTIF_UNLOCK,
    MOTIF_READ_LOCKS,
    MOTIF_AWAIT_OWN,
    MOTIF_WORD_LOAD,
    MOTIF_WORD_STORE,
    MOTIF_DESTROY,
    MOTIF_JOIN,
    MOTIF_TRYJOIN,
    MOTIF_DETACH,
    MOTIF_HEAP_LOAD,
    MOTIF_HEAP_STORE,
    MOTIF_FREE,
    MOTIF_COUNT
};

#define PLAIN_MEMORY MOTIF_LOAD, MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE
#define ALL_LOCKS MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_SPIN_LOCK

#define ALL_TRIES MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_READ_TRYLOCK, MOTIF_WRITE_TRYLOCK, MOTIF_SPIN_TRYLOCK
#define ALL_SECTIONS MOTIF_ATOMIC_MANY, MOTIF_ATOMIC_NESTED, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_UNLOCK
#define ALL_JOINS MOTIF_JOIN, MOTIF_TRYJOIN, MOTIF_DETACH

/* Whose words a palette loads and stores. */
enum words_of { NO_WORDS, MUTEX_WORDS, RWLOCK_WORDS, OTHER_WORDS, ALL_WORDS };

struct palette {
    const char *name;
    bool mixed_sizes;
    bool creates; /* threads are created and joined by operations */
    unsigned count;
    uint8_t motifs[PALETTE_SLOTS];
    unsigned features;
    enum words_of words;
};

/* clang-format off */
static const struct palette palettes[] = {
    {"mixed sizes", true, false, 8, {PLAIN_MEMORY, PLAIN_MEMORY}, WIDE_BASIC, NO_WORDS},
    {"mixed sizes and fences", true, false, 11, {PLAIN_MEMORY, PLAIN_MEMORY, MOTIF_CAS, MOTIF_FENCE, MOTIF_STORE_BARRIER}, WIDE_BASIC, NO_WORDS},
    {"read-modify-writes", false, false, 8, {PLAIN_MEMORY, MOTIF_CAS, MOTIF_CAS, MOTIF_ADD, MOTIF_EXCHANGE}, WIDE_BASIC, NO_WORDS},
    {"barriers", false, false, 10, {PLAIN_MEMORY, PLAIN_MEMORY, MOTIF_FENCE, MOTIF_STORE_BARRIER}, WIDE_BASIC, NO_WORDS},
    {"mutexes", false, false, 8, {PLAIN_MEMORY, MOTIF_LOCK, MOTIF_LOCK, MOTIF_LOCK, MOTIF_TRYLOCK}, WIDE_BASIC, NO_WORDS},
    {"trylocks", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_SPIN_TRYLOCK}, WIDE_BASIC, NO_WORDS},
    {"readers and writers", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_READ_LOCK, MOTIF_READ_LOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_WRITE_LOCK}, WIDE_BASIC, NO_WORDS},
    {"readers and writers that try", false, false, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_READ_TRYLOCK, MOTIF_WRITE_TRYLOCK, MOTIF_READ_TIMEDLOCK, MOTIF_WRITE_TIMEDLOCK}, WIDE_BASIC, NO_WORDS},
    {"semaphores", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_SEM_WAIT, MOTIF_SEM_WAIT, MOTIF_SEM_POST, MOTIF_SEM_POST, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_SEM_TIMEDWAIT}, WIDE_BASIC, NO_WORDS},
    {"conditions", false, false, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_TIMEDWAIT, MOTIF_TIMEDWAIT, MOTIF_SIGNAL, MOTIF_LOCKED_SIGNAL, MOTIF_BROADCAST, MOTIF_WAIT}, WIDE_BASIC, NO_WORDS},
    {"waiting loops", false, false, 10, {PLAIN_MEMORY, MOTIF_STORE, MOTIF_AWAIT, MOTIF_AWAIT_CHANGE, MOTIF_AWAIT_CAS, MOTIF_AWAIT_SWAP, MOTIF_AWAIT_SWAP}, WIDE_BASIC, NO_WORDS},
    {"waiting loops with several reads", true, false, 10, {PLAIN_MEMORY, MOTIF_STORE, MOTIF_STORE, MOTIF_AWAIT_TWO, MOTIF_AWAIT_BOTH, MOTIF_AWAIT, MOTIF_ADD}, WIDE_BASIC, NO_WORDS},
    {"choices and assumptions", false, false, 9, {PLAIN_MEMORY, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ASSUME, MOTIF_ASSERT, MOTIF_CAS}, WIDE_BASIC, NO_WORDS},
    {"creation", false, true, 6, {PLAIN_MEMORY, MOTIF_ADD, MOTIF_LOCK}, WIDE_BASIC, NO_WORDS},
    {"atomic sections", false, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC, MOTIF_ATOMIC, MOTIF_ATOMIC_CHOICE, MOTIF_LOCK}, WIDE_BASIC, NO_WORDS},
    {"atomic sections that stop", false, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC, MOTIF_ASSUME}, WIDE_BASIC, NO_WORDS},
    {"atomic sections of all kinds", true, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_STOP, MOTIF_AWAIT}, WIDE_BASIC, NO_WORDS},
    {"atomic sections and creation", false, true, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_CHOICE, MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_FREE}, WIDE_BASIC, NO_WORDS},
    {"heap", false, true, 8, {MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_HEAP_STORE, MOTIF_FREE, MOTIF_FREE, MOTIF_LOAD, MOTIF_STORE, MOTIF_AWAIT}, WIDE_BASIC, NO_WORDS},
    {"spin locks, once, barriers", false, false, 8, {PLAIN_MEMORY, MOTIF_SPIN_LOCK, MOTIF_SPIN_TRYLOCK, MOTIF_ONCE, MOTIF_BARRIER}, WIDE_BASIC, NO_WORDS},
    {"retried trylocks", false, false, 8, {PLAIN_MEMORY, MOTIF_AWAIT_TRY, MOTIF_AWAIT_TRY, MOTIF_LOCK, MOTIF_SEM_POST}, WIDE_BASIC, NO_WORDS},
    {"everything", true, false, 23, {PLAIN_MEMORY, ALL_LOCKS, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_SIGNAL, MOTIF_TIMEDWAIT, MOTIF_AWAIT, MOTIF_AWAIT_CAS, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ATOMIC, MOTIF_FENCE, MOTIF_ADD, MOTIF_CAS, MOTIF_ONCE, MOTIF_STORE_BARRIER}, WIDE_BASIC, NO_WORDS},
    {"everything, and creation", false, true, 23, {MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_SEM_WAIT, MOTIF_SEM_POST, MOTIF_LOCKED_SIGNAL, MOTIF_TIMEDWAIT, MOTIF_AWAIT, MOTIF_AWAIT_CAS, MOTIF_AWAIT_TWO, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ATOMIC, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC_ANY, MOTIF_FENCE, MOTIF_CAS, MOTIF_ONCE, MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_FREE}, WIDE_BASIC, NO_WORDS},
    {"sections of many accesses", false, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC_MANY, MOTIF_ATOMIC_MANY, MOTIF_LOCK, MOTIF_READ_LOCK}, WIDE_SECTIONS, NO_WORDS},
    {"sections of many accesses of mixed sizes", true, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_MANY, MOTIF_ATOMIC_MANY, MOTIF_LOCK, MOTIF_CAS, MOTIF_SEM_TRYWAIT}, WIDE_SECTIONS, NO_WORDS},
    {"sections with nested choices", false, false, 7, {PLAIN_MEMORY, MOTIF_ATOMIC_NESTED, MOTIF_ATOMIC_NESTED, MOTIF_LOCK}, WIDE_SECTIONS, NO_WORDS},
    {"sections that unlock", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_UNLOCK, MOTIF_ATOMIC_UNLOCK, MOTIF_WRITE_TIMEDLOCK, MOTIF_WRITE_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_READ_LOCK, MOTIF_SEM_TIMEDWAIT}, WIDE_SECTIONS, NO_WORDS},
    {"sections with every operation", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_EVERY, MOTIF_LOCK, MOTIF_READ_LOCK, MOTIF_WRITE_TIMEDLOCK, MOTIF_TIMEDWAIT}, WIDE_SECTIONS, NO_WORDS},
    {"sections with every operation, and creation", false, true, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_MANY, MOTIF_ATOMIC_NESTED, MOTIF_TIMEDLOCK}, WIDE_SECTIONS, NO_WORDS},
    {"mutexes of all types", false, false, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_LOCK, MOTIF_LOCK_AGAIN, MOTIF_LOCK_AGAIN, MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_UNLOCK}, WIDE_LOCKS, NO_WORDS},
    {"mutexes of all types, waits", false, false, 8, {MOTIF_LOCK, MOTIF_LOCK_AGAIN, MOTIF_TIMEDLOCK, MOTIF_TIMEDWAIT, MOTIF_TIMEDWAIT, MOTIF_WAIT, MOTIF_SIGNAL, MOTIF_BROADCAST}, WIDE_LOCKS, NO_WORDS},
    {"retried trylocks of all types", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_AWAIT_OWN, MOTIF_AWAIT_TRY, MOTIF_AWAIT_TRY, MOTIF_AWAIT_OWN, MOTIF_LOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK}, WIDE_LOCKS, NO_WORDS},
    {"two reader-writer locks", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_READ_LOCKS, MOTIF_READ_LOCKS, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_WRITE_TRYLOCK, MOTIF_READ_TIMEDLOCK, MOTIF_WRITE_TIMEDLOCK}, WIDE_LOCKS, NO_WORDS},
    {"barriers for one, two, three", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_BARRIER, MOTIF_BARRIER, MOTIF_BARRIER, MOTIF_LOCK, MOTIF_ONCE}, WIDE_LOCKS, NO_WORDS},
    {"words of mutexes", false, false, 8, {MOTIF_WORD_LOAD, MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_LOCK_AGAIN, MOTIF_STORE}, WIDE_WORDS, MUTEX_WORDS},
    {"words of reader-writer locks", false, false, 9, {MOTIF_WORD_LOAD, MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_READ_LOCK, MOTIF_READ_TRYLOCK, MOTIF_READ_TIMEDLOCK, MOTIF_WRITE_LOCK, MOTIF_WRITE_TRYLOCK, MOTIF_WRITE_TIMEDLOCK}, WIDE_WORDS, RWLOCK_WORDS},
    {"words of other objects", false, false, 10, {MOTIF_WORD_LOAD, MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_SEM_TIMEDWAIT, MOTIF_SPIN_TRYLOCK, MOTIF_ONCE, MOTIF_BARRIER, MOTIF_SIGNAL}, WIDE_WORDS, OTHER_WORDS},
    {"words of all objects in sections", false, false, 8, {MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_EVERY, MOTIF_TRYLOCK, MOTIF_READ_LOCK, MOTIF_SEM_POST, MOTIF_TIMEDLOCK}, WIDE_WORDS | WIDE_SECTIONS | WIDE_LOCKS, ALL_WORDS},
    {"wake-ups without a signal", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_WAIT, MOTIF_TIMEDWAIT, MOTIF_SIGNAL, MOTIF_BROADCAST, MOTIF_TIMEDLOCK}, WIDE_SPURIOUS, NO_WORDS},
    {"wake-ups without a signal, all mutexes", false, false, 7, {MOTIF_LOAD, MOTIF_WAIT, MOTIF_TIMEDWAIT, MOTIF_TIMEDWAIT, MOTIF_LOCKED_SIGNAL, MOTIF_BROADCAST, MOTIF_TRYLOCK}, WIDE_SPURIOUS | WIDE_LOCKS, NO_WORDS},
    {"joins and detachments", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE, ALL_JOINS, MOTIF_JOIN}, WIDE_JOINS, NO_WORDS},
    {"joins and detachments, and creation", false, true, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE, ALL_JOINS, MOTIF_JOIN}, WIDE_JOINS, NO_WORDS},
    {"joins and detachments in sections", false, true, 8, {MOTIF_LOAD, MOTIF_STORE, ALL_JOINS, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_EVERY, MOTIF_ATOMIC_NESTED}, WIDE_JOINS | WIDE_SECTIONS, NO_WORDS},
    {"mutexes that are destroyed", false, false, 7, {MOTIF_DESTROY, MOTIF_LOCK, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_STORE, MOTIF_LOAD}, WIDE_WORDS, MUTEX_WORDS},
    {"reader-writer locks that are destroyed", false, false, 7, {MOTIF_DESTROY, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_READ_TRYLOCK, MOTIF_WRITE_TIMEDLOCK, MOTIF_STORE, MOTIF_LOAD}, WIDE_WORDS, RWLOCK_WORDS},
    {"other objects that are destroyed", false, true, 9, {MOTIF_DESTROY, MOTIF_SEM_POST, MOTIF_SEM_WAIT, MOTIF_SEM_TRYWAIT, MOTIF_SPIN_TRYLOCK, MOTIF_BARRIER, MOTIF_SIGNAL, MOTIF_TIMEDWAIT, MOTIF_STORE}, WIDE_WORDS, OTHER_WORDS},
    {"all features", false, false, 31, {PLAIN_MEMORY, ALL_TRIES, ALL_SECTIONS, ALL_JOINS, MOTIF_LOCK_AGAIN, MOTIF_READ_LOCKS, MOTIF_AWAIT_TRY, MOTIF_BARRIER, MOTIF_WORD_LOAD, MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_TIMEDWAIT, MOTIF_SIGNAL, MOTIF_BROADCAST, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_ONCE, MOTIF_AWAIT, MOTIF_CHOICE}, WIDE_ALL, ALL_WORDS},
    {"all features, and creation", false, true, 27, {MOTIF_LOAD, MOTIF_STORE, ALL_TRIES, ALL_SECTIONS, ALL_JOINS, MOTIF_LOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_AWAIT_TRY, MOTIF_BARRIER, MOTIF_WORD_LOAD, MOTIF_WORD_STORE, MOTIF_TIMEDWAIT, MOTIF_SIGNAL, MOTIF_SEM_TIMEDWAIT, MOTIF_SEM_POST, MOTIF_HEAP_STORE, MOTIF_FREE}, WIDE_ALL, ALL_WORDS},
};
/* clang-format on */
#define PALETTES (sizeof palettes / sizeof *palettes)

struct place {
    unsigned offset;
    unsigned size;
};

struct drawer {
    struct random_source source;
    struct wide_program *wide;
    const struct palette *palette;
    struct place places[PLACES];
};

static unsigned draw(struct drawer *drawer, unsigned end) {
    return (unsigned)random_below(&drawer->source, end);
}

static bool has(const struct drawer *drawer, enum wide_feature feature) {
    return drawer->palette->features & feature;
}

static struct place draw_place(struct drawer *drawer) {
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 8};
    if (!drawer->palette->mixed_sizes) {
        return (struct place){.size = 4, .offset = 4 * draw(drawer, WIDE_MEMORY_BYTES / 4)};
    }
    unsigned size = sizes[draw(drawer, 6)];
    unsigned step = draw(drawer, 4) == 0 ? 1 : size;
    return (struct place){.size = size, .offset = draw(drawer, (WIDE_MEMORY_BYTES - size) / step + 1) * step};
}

static uint64_t draw_value(struct drawer *drawer, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size && (i == 0 || drawer->palette->mixed_sizes); i++) {
        value |= (uint64_t)draw(drawer, 3) << 8 * i;
    }
    return value;
}

static struct wide_operation *append(struct drawer *drawer, unsigned thread, enum wide_kind kind) {
    struct wide_program *wide = drawer->wide;
    static const enum order store_orders[] = {ORDER_PLAIN, ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    static const enum order fence_orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST,
                                              ORDER_SEQ_CST};
    struct wide_operation *operation = &wide->operations[thread][wide->counts[thread]];
    wide->counts[thread] += wide->counts[thread] + 1 < WIDE_OPERATIONS;
    struct place place = draw(drawer, 6) == 0 ? draw_place(drawer) : drawer->places[draw(drawer, PLACES)];
    struct place second = drawer->places[draw(drawer, PLACES)];
    *operation = (struct wide_operation){.kind = kind,
                                         .offset = place.offset,
                                         .size = place.size,
                                         .offset2 = second.offset,
                                         .size2 = second.size,
                                         .conditional = draw(drawer, 8) == 0,
                                         .value = draw_value(drawer, place.size),
                                         .expected = draw(drawer, 2) ? 0 : draw_value(drawer, second.size)};
    if (kind == WIDE_STORE) {
        operation->order = store_orders[draw(drawer, 5)];
        operation->relative = draw(drawer, 4) == 0;
    } else if (kind == WIDE_AWAIT_SWAP) {
        operation->relative = draw(drawer, 3) == 0;
    } else if (kind == WIDE_FENCE) {
        operation->order = fence_orders[draw(drawer, 5)];
    } else if (kind >= WIDE_ATOMIC_BEGIN) {
        operation->conditional = false;
    }
    return operation;
}

static void set_if_got(struct drawer *drawer, unsigned thread, unsigned from) {
    for (unsigned i = from; i < drawer->wide->counts[thread]; i++) {
        drawer->wide->operations[thread][i].if_got = true;
    }
}

static struct wide_operation *append_sync(struct drawer *drawer, unsigned thread, unsigned sync, unsigned object) {
    struct wide_operation *operation = append(drawer, thread, WIDE_SYNC);
    operation->sync = sync;
    operation->object = object;
    operation->conditional = false;
    return operation;
}

static void draw_motif(struct drawer *drawer, unsigned thread, enum motif motif);

static void draw_inner(struct drawer *drawer, unsigned thread) {
    static const uint8_t inner[] = {PLAIN_MEMORY, MOTIF_ADD};
    if (draw(drawer, 4) > 0) {
        draw_motif(drawer, thread, inner[draw(drawer, sizeof inner)]);
    }
}

/* A lock, something under it, and its release; the latter two only if it was got. */
static void draw_section(struct drawer *drawer, unsigned thread, enum sync_kind lock, enum sync_kind unlock,
                         unsigned object, bool may_fail) {
    append_sync(drawer, thread, lock, object);
    unsigned from = drawer->wide->counts[thread];
    draw_inner(drawer, thread);
    if (draw(drawer, 8) > 0) {
        append_sync(drawer, thread, unlock, object);
    }
    if (may_fail) {
        set_if_got(drawer, thread, from);
    }
}

static void draw_spin_section(struct drawer *drawer, unsigned thread, enum sync_kind lock, bool may_fail) {
    append_sync(drawer, thread, lock, 0);
    unsigned from = drawer->wide->counts[thread];
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_SPIN_UNLOCK)->conditional = false;
    if (may_fail) {
        set_if_got(drawer, thread, from);
    }
}

static void draw_wait(struct drawer *drawer, unsigned thread, unsigned kind) {
    append_sync(drawer, thread, SYNC_MUTEX_LOCK, 0);
    append_sync(drawer, thread, kind, 0);
    append_sync(drawer, thread, SYNC_MUTEX_UNLOCK, 0);
}

static void draw_atomic(struct drawer *drawer, unsigned thread) {
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    draw_inner(drawer, thread);
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section that chooses once or twice. */
static void draw_atomic_choice(struct drawer *drawer, unsigned thread) {
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    append(drawer, thread, WIDE_CHOICE);
    draw_inner(drawer, thread);
    if (draw(drawer, 2)) {
        append(drawer, thread, WIDE_CHOICE);
    }
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section that may fail an assumption or an assertion when it has stored something. */
static void draw_atomic_stop(struct drawer *drawer, unsigned thread) {
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    draw_inner(drawer, thread);
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_LOAD);
    append(drawer, thread, draw(drawer, 4) == 0 ? WIDE_ASSERT : WIDE_ASSUME);
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section with operations that seldom stand in one: those that wait there are errors. */
static void draw_atomic_any(struct drawer *drawer, unsigned thread) {
    static const uint8_t inner[] = {MOTIF_STORE,         MOTIF_STORE,     MOTIF_CAS,    MOTIF_FENCE,
                                    MOTIF_STORE_BARRIER, MOTIF_SEM_POST,  MOTIF_SIGNAL, MOTIF_AWAIT,
                                    MOTIF_HEAP_STORE,    MOTIF_HEAP_LOAD, MOTIF_FREE,   MOTIF_LOCK};
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    for (unsigned i = 0; i < 2; i++) {
        draw_motif(drawer, thread, inner[draw(drawer, sizeof inner)]);
    }
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section with more accesses than fit into a short list of them. */
static void draw_atomic_many(struct drawer *drawer, unsigned thread) {
    static const uint8_t inner[] = {PLAIN_MEMORY, MOTIF_STORE, MOTIF_ADD};
    unsigned count = 4 + draw(drawer, 5);
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    for (unsigned i = 0; i < count; i++) {
        unsigned from = drawer->wide->counts[thread];
        draw_motif(drawer, thread, inner[draw(drawer, sizeof inner)]);
        /* Single bytes, so that there is room for that many. */
        drawer->wide->operations[thread][from].offset = i;
        drawer->wide->operations[thread][from].size = 1;
        drawer->wide->operations[thread][from].value &= UINT8_MAX;
    }
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section whose choices depend on earlier ones, and whose accesses depend on all of them. */
static void draw_atomic_nested(struct drawer *drawer, unsigned thread) {
    unsigned depth = 2 + draw(drawer, 3);
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    for (unsigned i = 0; i < depth; i++) {
        struct wide_operation *choice = append(drawer, thread, WIDE_CHOICE);
        choice->conditional = i > 0;
        choice->object = draw(drawer, 4) == 0;
        if (draw(drawer, 4) == 0) {
            draw_inner(drawer, thread);
        }
    }
    append(drawer, thread, draw(drawer, 2) ? WIDE_LOAD : WIDE_STORE)->conditional = true;
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A section with any operation, mostly such that do not wait. */
static void draw_atomic_every(struct drawer *drawer, unsigned thread) {
    static const uint8_t inner[] = {PLAIN_MEMORY,          ALL_TRIES,         ALL_TRIES,           MOTIF_READ_TIMEDLOCK,
                                    MOTIF_WRITE_TIMEDLOCK, MOTIF_SEM_TRYWAIT, MOTIF_SEM_TIMEDWAIT, MOTIF_SEM_POST,
                                    MOTIF_SIGNAL,          MOTIF_BROADCAST,   MOTIF_ONCE,          MOTIF_CHOICE,
                                    MOTIF_EXCHANGE,        MOTIF_LOCK,        MOTIF_READ_LOCK,     MOTIF_WRITE_LOCK,
                                    MOTIF_SEM_WAIT,        MOTIF_TIMEDWAIT,   MOTIF_BARRIER};
    static const uint8_t joins[] = {MOTIF_TRYJOIN, MOTIF_DETACH, MOTIF_DETACH, MOTIF_JOIN};
    unsigned count = 1 + draw(drawer, 3);
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    for (unsigned i = 0; i < count; i++) {
        if (drawer->palette->words != NO_WORDS && draw(drawer, 4) == 0) {
            draw_motif(drawer, thread, draw(drawer, 2) ? MOTIF_WORD_LOAD : MOTIF_WORD_STORE);
        } else if (has(drawer, WIDE_JOINS) && draw(drawer, 3) == 0) {
            draw_motif(drawer, thread, joins[draw(drawer, sizeof joins)]);
        } else {
            draw_motif(drawer, thread, inner[draw(drawer, sizeof inner)]);
        }
    }
    append(drawer, thread, WIDE_ATOMIC_END);
}

/* A lock that may not be got, and is given back in a section. */
static void draw_atomic_unlock(struct drawer *drawer, unsigned thread, unsigned object) {
    static const struct {
        enum sync_kind lock;
        enum sync_kind unlock;
    } pairs[] = {
        {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK}, {SYNC_MUTEX_TIMEDLOCK, SYNC_MUTEX_UNLOCK},
        {SYNC_READ_TRYLOCK, SYNC_READ_UNLOCK},   {SYNC_READ_TIMEDLOCK, SYNC_READ_UNLOCK},
        {SYNC_WRITE_TRYLOCK, SYNC_WRITE_UNLOCK}, {SYNC_WRITE_TIMEDLOCK, SYNC_WRITE_UNLOCK},
        {SYNC_READ_LOCK, SYNC_READ_UNLOCK},      {SYNC_SEM_TRYWAIT, SYNC_SEM_POST},
    };
    unsigned pair = draw(drawer, sizeof pairs / sizeof *pairs);
    append_sync(drawer, thread, pairs[pair].lock, object);
    unsigned from = drawer->wide->counts[thread];
    append(drawer, thread, WIDE_ATOMIC_BEGIN);
    draw_inner(drawer, thread);
    append_sync(drawer, thread, pairs[pair].unlock, object);
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_ATOMIC_END);
    set_if_got(drawer, thread, from);
}

/* A mutex that is locked twice.  A normal one is only tried the second time, since nothing else could follow. */
static void draw_lock_again(struct drawer *drawer, unsigned thread, unsigned mutex) {
    static const enum sync_kind kinds[] = {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_TIMEDLOCK, SYNC_MUTEX_LOCK, SYNC_MUTEX_LOCK};
    append_sync(drawer, thread, SYNC_MUTEX_LOCK, mutex);
    draw_section(drawer, thread, kinds[draw(drawer, drawer->wide->mutex_kinds[mutex] ? 4 : 2)], SYNC_MUTEX_UNLOCK,
                 mutex, true);
    append_sync(drawer, thread, SYNC_MUTEX_UNLOCK, mutex);
}

/* Two locks held for reading, or one of them twice, and given back in any order. */
static void draw_read_locks(struct drawer *drawer, unsigned thread) {
    unsigned first = draw(drawer, RWLOCKS);
    unsigned second = draw(drawer, RWLOCKS);
    bool crossed = draw(drawer, 2);
    append_sync(drawer, thread, SYNC_READ_LOCK, first);
    append_sync(drawer, thread, SYNC_READ_LOCK, second);
    draw_inner(drawer, thread);
    append_sync(drawer, thread, SYNC_READ_UNLOCK, crossed ? first : second);
    append_sync(drawer, thread, SYNC_READ_UNLOCK, crossed ? second : first);
}

/* Retries a trylock, and gives back what it got. */
static void draw_await_try(struct drawer *drawer, unsigned thread, enum sync_kind kind, unsigned object) {
    struct wide_operation *await = append(drawer, thread, WIDE_AWAIT_TRY);
    await->conditional = false;
    await->sync = kind;
    await->object = object;
    draw_inner(drawer, thread);
    if (kind == SYNC_MUTEX_TRYLOCK) {
        append_sync(drawer, thread, SYNC_MUTEX_UNLOCK, object);
    } else if (kind == SYNC_SPIN_TRYLOCK) {
        append(drawer, thread, WIDE_SPIN_UNLOCK)->conditional = false;
    } else if (kind == SYNC_SEM_TRYWAIT) {
        append_sync(drawer, thread, SYNC_SEM_POST, object);
    } else {
        append_sync(drawer, thread, kind == SYNC_READ_TRYLOCK ? SYNC_READ_UNLOCK : SYNC_WRITE_UNLOCK, object);
    }
}

/* Retries a trylock of what the thread may hold already. */
static void draw_await_own(struct drawer *drawer, unsigned thread) {
    static const struct {
        enum sync_kind lock;
        enum sync_kind try;
        enum sync_kind unlock;
    } pairs[] = {
        {SYNC_MUTEX_TIMEDLOCK, SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK},
        {SYNC_MUTEX_LOCK, SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK},
        {SYNC_READ_LOCK, SYNC_READ_TRYLOCK, SYNC_READ_UNLOCK},
        {SYNC_READ_TRYLOCK, SYNC_WRITE_TRYLOCK, SYNC_READ_UNLOCK},
        {SYNC_WRITE_TIMEDLOCK, SYNC_WRITE_TRYLOCK, SYNC_WRITE_UNLOCK},
        {SYNC_WRITE_LOCK, SYNC_READ_TRYLOCK, SYNC_WRITE_UNLOCK},
    };
    unsigned pair = draw(drawer, sizeof pairs / sizeof *pairs);
    unsigned object = draw(drawer, 2);
    append_sync(drawer, thread, pairs[pair].lock, object);
    if (draw(drawer, 2)) {
        append_sync(drawer, thread, pairs[pair].unlock, object)->if_got = true;
    }
    draw_await_try(drawer, thread, pairs[pair].try, object);
}

/* A load, a store or an addition.  A barrier's phase is left alone: how threads are held there is no part of what a
 * program may know. */
static void draw_word(struct drawer *drawer, unsigned thread, bool stores) {
    static const struct {
        unsigned sync;
        unsigned offset;
    } words[] = {
        {SYNC_MUTEX_LOCK, 0},    {SYNC_MUTEX_LOCK, 0}, {SYNC_MUTEX_LOCK, 4}, {SYNC_MUTEX_LOCK, 16},
        {SYNC_READ_LOCK, 0},     {SYNC_READ_LOCK, 0},  {SYNC_READ_LOCK, 4},  {SYNC_READ_LOCK, 4},
        {SYNC_SEM_WAIT, 0},      {SYNC_SPIN_LOCK, 0},  {SYNC_ONCE_BEGIN, 0}, {WHOLE_BARRIER_WAIT, 0},
        {WHOLE_BARRIER_WAIT, 4}, {WHOLE_COND_WAIT, 0},
    };
    static const struct {
        unsigned first;
        unsigned count;
    } ranges[] = {[MUTEX_WORDS] = {0, 4}, [RWLOCK_WORDS] = {4, 4}, [OTHER_WORDS] = {8, 6}, [ALL_WORDS] = {0, 14}};
    unsigned word = ranges[drawer->palette->words].first + draw(drawer, ranges[drawer->palette->words].count);
    enum wide_kind kind = !stores ? WIDE_WORD_LOAD : draw(drawer, 4) == 0 ? WIDE_WORD_ADD : WIDE_WORD_STORE;
    struct wide_operation *operation = append(drawer, thread, kind);
    operation->sync = words[word].sync;
    operation->object = draw(drawer, 4) == 0;
    operation->offset = words[word].offset;
    operation->size = 4;
    operation->value = draw(drawer, 3);
    if (!stores && draw(drawer, 3) == 0) {
        append(drawer, thread, WIDE_STORE)->conditional = true;
    } else if (!stores && draw(drawer, 4) == 0) {
        append(drawer, thread, WIDE_ASSERT)->value = 1 + draw(drawer, 3);
    }
}

/* Destroys an object that was not destroyed before, whether or not it is in use: in a third of all cases by a thread
 * that tests whether a thread holds it. */
static void draw_destroy(struct drawer *drawer, unsigned thread) {
    static const unsigned mutexes[] = {SYNC_MUTEX_LOCK};
    static const unsigned rwlocks[] = {SYNC_READ_LOCK};
    static const unsigned others[] = {SYNC_SEM_WAIT, SYNC_SPIN_LOCK, WHOLE_BARRIER_WAIT, WHOLE_COND_WAIT};
    const unsigned *sorts = drawer->palette->words == MUTEX_WORDS    ? mutexes
                            : drawer->palette->words == RWLOCK_WORDS ? rwlocks
                                                                     : others;
    unsigned sync = sorts[sorts == others ? draw(drawer, 4) : 0];
    unsigned object = draw(drawer, 4) == 0;
    struct wide_operation *look = append(drawer, thread, WIDE_WORD_LOAD);
    *look = (struct wide_operation){.kind = WIDE_WORD_LOAD, .sync = sync, .object = object, .size = 4};
    append(drawer, thread, WIDE_ASSERT)->value = draw(drawer, 3) ? SYNC_DESTROYED : 1 + draw(drawer, 3);
    struct wide_operation *destroy = append(drawer, thread, WIDE_WORD_STORE);
    *destroy = (struct wide_operation){
        .kind = WIDE_WORD_STORE, .sync = sync, .object = object, .size = 4, .value = SYNC_DESTROYED};
}

/* Joins, tries to join or detaches a thread, and may show what came of it. */
static void draw_thread(struct drawer *drawer, unsigned thread, enum sync_kind sync) {
    struct wide_operation *operation = append(drawer, thread, WIDE_THREAD);
    operation->sync = sync;
    operation->object = 1 + draw(drawer, drawer->wide->threads - 1);
    operation->number = draw(drawer, 3) == 0 ? WIDE_NUMBER_STORED : WIDE_NUMBER_KNOWN;
    if (drawer->wide->atomic_start && thread == 0 && draw(drawer, 2)) {
        operation->number = WIDE_NUMBER_CREATED;
    }
    /* Numbers follow the creation tree: main's children are 1 and 3, the first child of 1 is 2. */
    operation->value = draw(drawer, 6) == 0 ? 2 : 2 * (uint64_t)operation->object - 1;
    unsigned shown = draw(drawer, 5);
    if (shown < 2) {
        append(drawer, thread, WIDE_STORE)->if_got = true;
    } else if (shown == 2) {
        append(drawer, thread, WIDE_ASSERT)->value = draw(drawer, 2) ? EINVAL : ESRCH;
    }
}

static void draw_motif(struct drawer *drawer, unsigned thread, enum motif motif) {
    unsigned mutex = draw(drawer, 4) == 0;
    unsigned rwlock = has(drawer, WIDE_LOCKS) && draw(drawer, 4) == 0;
    switch (motif) {
    case MOTIF_LOCK:
        draw_section(drawer, thread, SYNC_MUTEX_LOCK, SYNC_MUTEX_UNLOCK, mutex, false);
        return;
    case MOTIF_TRYLOCK:
        draw_section(drawer, thread, SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK, mutex, true);
        return;
    case MOTIF_TIMEDLOCK:
        draw_section(drawer, thread, SYNC_MUTEX_TIMEDLOCK, SYNC_MUTEX_UNLOCK, mutex, true);
        return;
    case MOTIF_READ_LOCK:
        draw_section(drawer, thread, SYNC_READ_LOCK, SYNC_READ_UNLOCK, rwlock, false);
        return;
    case MOTIF_WRITE_LOCK:
        draw_section(drawer, thread, SYNC_WRITE_LOCK, SYNC_WRITE_UNLOCK, rwlock, false);
        return;
    case MOTIF_READ_TRYLOCK:
        draw_section(drawer, thread, SYNC_READ_TRYLOCK, SYNC_READ_UNLOCK, rwlock, true);
        return;
    case MOTIF_WRITE_TRYLOCK:
        draw_section(drawer, thread, SYNC_WRITE_TRYLOCK, SYNC_WRITE_UNLOCK, rwlock, true);
        return;
    case MOTIF_READ_TIMEDLOCK:
        draw_section(drawer, thread, SYNC_READ_TIMEDLOCK, SYNC_READ_UNLOCK, rwlock, true);
        return;
    case MOTIF_WRITE_TIMEDLOCK:
        draw_section(drawer, thread, SYNC_WRITE_TIMEDLOCK, SYNC_WRITE_UNLOCK, rwlock, true);
        return;
    case MOTIF_SPIN_LOCK:
        draw_spin_section(drawer, thread, SYNC_SPIN_LOCK, false);
        return;
    case MOTIF_SPIN_TRYLOCK:
        draw_spin_section(drawer, thread, SYNC_SPIN_TRYLOCK, true);
        return;
    case MOTIF_SEM_WAIT:
        append_sync(drawer, thread, SYNC_SEM_WAIT, 0);
        return;
    case MOTIF_SEM_TRYWAIT:
        append_sync(drawer, thread, SYNC_SEM_TRYWAIT, 0);
        return;
    case MOTIF_SEM_TIMEDWAIT:
        append_sync(drawer, thread, SYNC_SEM_TIMEDWAIT, 0);
        return;
    case MOTIF_SEM_POST:
        append_sync(drawer, thread, SYNC_SEM_POST, 0);
        return;
    case MOTIF_WAIT:
        draw_wait(drawer, thread, WHOLE_COND_WAIT);
        return;
    case MOTIF_TIMEDWAIT:
        draw_wait(drawer, thread, WHOLE_COND_TIMEDWAIT);
        return;
    case MOTIF_SIGNAL:
        append_sync(drawer, thread, SYNC_COND_SIGNAL, 0);
        return;
    case MOTIF_BROADCAST:
        append_sync(drawer, thread, SYNC_COND_BROADCAST, 0);
        return;
    case MOTIF_LOCKED_SIGNAL:
        draw_wait(drawer, thread, SYNC_COND_SIGNAL);
        return;
    case MOTIF_BARRIER:
        append_sync(drawer, thread, WHOLE_BARRIER_WAIT, 0);
        return;
    case MOTIF_ONCE: {
        append_sync(drawer, thread, SYNC_ONCE_BEGIN, 0);
        unsigned from = drawer->wide->counts[thread];
        draw_inner(drawer, thread);
        append_sync(drawer, thread, SYNC_ONCE_END, 0);
        set_if_got(drawer, thread, from);
        return;
    }
    case MOTIF_AWAIT_TRY: {
        static const enum sync_kind kinds[] = {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_TRYLOCK, SYNC_SPIN_TRYLOCK,
                                               SYNC_SEM_TRYWAIT,   SYNC_READ_TRYLOCK,  SYNC_WRITE_TRYLOCK};
        bool all = has(drawer, WIDE_LOCKS);
        draw_await_try(drawer, thread, kinds[draw(drawer, all ? 6 : 4)], all ? mutex : 0);
        return;
    }
    case MOTIF_AWAIT_OWN:
        draw_await_own(drawer, thread);
        return;
    case MOTIF_LOCK_AGAIN:
        draw_lock_again(drawer, thread, mutex);
        return;
    case MOTIF_UNLOCK:
        /* Of a normal mutex this would be an error. */
        if (drawer->wide->mutex_kinds[mutex]) {
            append_sync(drawer, thread, SYNC_MUTEX_UNLOCK, mutex);
        }
        return;
    case MOTIF_READ_LOCKS:
        draw_read_locks(drawer, thread);
        return;
    case MOTIF_DESTROY:
        draw_destroy(drawer, thread);
        break;
    case MOTIF_WORD_LOAD:
    case MOTIF_WORD_STORE:
        draw_word(drawer, thread, motif == MOTIF_WORD_STORE);
        return;
    case MOTIF_JOIN:
        draw_thread(drawer, thread, SYNC_THREAD_JOIN);
        return;
    case MOTIF_TRYJOIN:
        draw_thread(drawer, thread, SYNC_THREAD_TRYJOIN);
        return;
    case MOTIF_DETACH:
        draw_thread(drawer, thread, SYNC_THREAD_DETACH);
        return;
    case MOTIF_ATOMIC_MANY:
        draw_atomic_many(drawer, thread);
        return;
    case MOTIF_ATOMIC_NESTED:
        draw_atomic_nested(drawer, thread);
        return;
    case MOTIF_ATOMIC_EVERY:
        draw_atomic_every(drawer, thread);
        return;
    case MOTIF_ATOMIC_UNLOCK:
        draw_atomic_unlock(drawer, thread, rwlock);
        return;
    case MOTIF_ATOMIC_CHOICE:
        draw_atomic_choice(drawer, thread);
        return;
    case MOTIF_ATOMIC_STOP:
        draw_atomic_stop(drawer, thread);
        return;
    case MOTIF_ATOMIC_ANY:
        draw_atomic_any(drawer, thread);
        return;
    case MOTIF_ATOMIC:
        draw_atomic(drawer, thread);
        return;
    default: {
        static const enum wide_kind kinds[MOTIF_COUNT] = {
            [MOTIF_LOAD] = WIDE_LOAD,
            [MOTIF_STORE] = WIDE_STORE,
            [MOTIF_ADD] = WIDE_ADD,
            [MOTIF_EXCHANGE] = WIDE_EXCHANGE,
            [MOTIF_CAS] = WIDE_CAS,
            [MOTIF_FENCE] = WIDE_FENCE,
            [MOTIF_STORE_BARRIER] = WIDE_STORE_BARRIER,
            [MOTIF_AWAIT] = WIDE_AWAIT,
            [MOTIF_AWAIT_CHANGE] = WIDE_AWAIT_CHANGE,
            [MOTIF_AWAIT_CAS] = WIDE_AWAIT_CAS,
            [MOTIF_AWAIT_SWAP] = WIDE_AWAIT_SWAP,
            [MOTIF_AWAIT_TWO] = WIDE_AWAIT_TWO,
            [MOTIF_AWAIT_BOTH] = WIDE_AWAIT_BOTH,
            [MOTIF_CHOICE] = WIDE_CHOICE,
            [MOTIF_ASSUME] = WIDE_ASSUME,
            [MOTIF_ASSERT] = WIDE_ASSERT,
            [MOTIF_HEAP_LOAD] = WIDE_HEAP_LOAD,
            [MOTIF_HEAP_STORE] = WIDE_HEAP_STORE,
            [MOTIF_FREE] = WIDE_FREE,
        };
        append(drawer, thread, kinds[motif]);
        return;
    }
    }
}

static void insert_operation(struct wide_program *wide, unsigned thread, unsigned at, struct wide_operation operation) {
    struct wide_operation *operations = wide->operations[thread];
    if (wide->counts[thread] == WIDE_OPERATIONS) {
        return;
    }
    memmove(operations + at + 1, operations + at, (wide->counts[thread] - at) * sizeof *operations);
    operations[at] = operation;
    wide->counts[thread]++;
}

/* Creates the other threads somewhere in main or in each other, and joins some of them. */
static void draw_creation(struct drawer *drawer) {
    struct wide_program *wide = drawer->wide;
    for (unsigned t = wide->threads - 1; t > 0; t--) {
        unsigned creator = draw(drawer, t);
        unsigned at = draw(drawer, 2) ? 0 : draw(drawer, wide->counts[creator] + 1);
        if (draw(drawer, 2) == 0) {
            unsigned join = at + draw(drawer, wide->counts[creator] - at + 1);
            insert_operation(
                wide, creator, join,
                (struct wide_operation){.kind = WIDE_THREAD, .sync = SYNC_THREAD_JOIN, .size = 4, .object = t});
        }
        insert_operation(wide, creator, at, (struct wide_operation){.kind = WIDE_CREATE, .size = 4, .object = t});
        if (has(drawer, WIDE_JOINS)) {
            insert_operation(wide, creator, at, (struct wide_operation){.kind = WIDE_ANNOUNCE, .size = 4, .object = t});
        }
    }
}

/* The seed's palette, among those that have no other features. */
static unsigned draw_palette(uint64_t seed, unsigned features) {
    unsigned allowed[PALETTES];
    unsigned count = 0;
    for (unsigned i = 0; i < PALETTES; i++) {
        if (!(palettes[i].features & ~features)) {
            allowed[count++] = i;
        }
    }
    return allowed[seed % count];
}

static void draw_objects(struct drawer *drawer) {
    struct wide_program *wide = drawer->wide;
    wide->semaphore = draw(drawer, 3);
    wide->mutex_kinds[1] = draw(drawer, 4) == 0;
    wide->parties = 2;
    wide->spurious = has(drawer, WIDE_SPURIOUS);
    if (has(drawer, WIDE_LOCKS)) {
        wide->parties = 1 + draw(drawer, 3);
        for (unsigned i = 0; i < WIDE_MUTEXES; i++) {
            wide->mutex_kinds[i] = draw(drawer, 3);
        }
    }
}

void wide_draw(struct wide_program *wide, uint64_t seed, unsigned features) {
    struct drawer drawer = {.source = random_source_from(seed), .wide = wide};
    memset(wide, 0, sizeof *wide);
    wide->seed = seed;
    drawer.palette = &palettes[draw_palette(seed, features)];
    wide->topic = drawer.palette->name;
    wide->threads = draw(&drawer, 2) == 0 ? 3 : 2;
    draw_objects(&drawer);
    wide->atomic_start = !drawer.palette->creates;
    for (unsigned i = 0; i < PLACES; i++) {
        drawer.places[i] = draw_place(&drawer);
    }
    /* Waits that may end at any time have many executions. */
    unsigned most = wide->spurious ? 4 - wide->threads : wide->threads == 3 ? 3 : 5;
    for (unsigned t = 0; t < wide->threads; t++) {
        unsigned count = 1 + draw(&drawer, most);
        while (wide->counts[t] < count) {
            draw_motif(&drawer, t, drawer.palette->motifs[draw(&drawer, drawer.palette->count)]);
        }
        if (wide->threads == 3 && wide->counts[t] > 3) {
            most = 2;
        }
    }
    if (!wide->atomic_start) {
        draw_creation(&drawer);
    }
}
