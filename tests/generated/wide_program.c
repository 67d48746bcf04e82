/* Draws programs by palette: each seed has one topic, so that its few operations meet. */
#include "wide_program.h"

#include <string.h>

#include "engine/random_source.h"
#include "ir/builder.h"
#include "ir/print.h"
#include "ir/sync.h"

#define MEMORY_BYTES 8
#define MUTEX_BYTES 20
#define MUTEX_KIND 16
#define PLACES 2
#define MUTEXES 2
#define PALETTE_SLOTS 24

/* --- Drawing ------------------------------------------------------------------------------------------------------ */

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
    MOTIF_HEAP_LOAD,
    MOTIF_HEAP_STORE,
    MOTIF_FREE,
    MOTIF_COUNT
};

#define PLAIN_MEMORY MOTIF_LOAD, MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE
#define ALL_LOCKS MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_SPIN_LOCK

struct palette {
    const char *name;
    bool mixed_sizes;
    bool creates; /* threads are created and joined by operations */
    unsigned count;
    uint8_t motifs[PALETTE_SLOTS];
};

/* clang-format off */
static const struct palette palettes[] = {
    {"mixed sizes", true, false, 8, {PLAIN_MEMORY, PLAIN_MEMORY}},
    {"mixed sizes and fences", true, false, 11, {PLAIN_MEMORY, PLAIN_MEMORY, MOTIF_CAS, MOTIF_FENCE, MOTIF_STORE_BARRIER}},
    {"read-modify-writes", false, false, 8, {PLAIN_MEMORY, MOTIF_CAS, MOTIF_CAS, MOTIF_ADD, MOTIF_EXCHANGE}},
    {"barriers", false, false, 10, {PLAIN_MEMORY, PLAIN_MEMORY, MOTIF_FENCE, MOTIF_STORE_BARRIER}},
    {"mutexes", false, false, 8, {PLAIN_MEMORY, MOTIF_LOCK, MOTIF_LOCK, MOTIF_LOCK, MOTIF_TRYLOCK}},
    {"trylocks", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_TRYLOCK, MOTIF_TIMEDLOCK, MOTIF_SPIN_TRYLOCK}},
    {"readers and writers", false, false, 7, {MOTIF_LOAD, MOTIF_STORE, MOTIF_READ_LOCK, MOTIF_READ_LOCK, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_WRITE_LOCK}},
    {"readers and writers that try", false, false, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_READ_LOCK, MOTIF_WRITE_LOCK, MOTIF_READ_TRYLOCK, MOTIF_WRITE_TRYLOCK, MOTIF_READ_TIMEDLOCK, MOTIF_WRITE_TIMEDLOCK}},
    {"semaphores", false, false, 9, {MOTIF_LOAD, MOTIF_STORE, MOTIF_SEM_WAIT, MOTIF_SEM_WAIT, MOTIF_SEM_POST, MOTIF_SEM_POST, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_SEM_TIMEDWAIT}},
    {"conditions", false, false, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_TIMEDWAIT, MOTIF_TIMEDWAIT, MOTIF_SIGNAL, MOTIF_LOCKED_SIGNAL, MOTIF_BROADCAST, MOTIF_WAIT}},
    {"waiting loops", false, false, 10, {PLAIN_MEMORY, MOTIF_STORE, MOTIF_AWAIT, MOTIF_AWAIT_CHANGE, MOTIF_AWAIT_CAS, MOTIF_AWAIT_SWAP, MOTIF_AWAIT_SWAP}},
    {"waiting loops with several reads", true, false, 10, {PLAIN_MEMORY, MOTIF_STORE, MOTIF_STORE, MOTIF_AWAIT_TWO, MOTIF_AWAIT_BOTH, MOTIF_AWAIT, MOTIF_ADD}},
    {"choices and assumptions", false, false, 9, {PLAIN_MEMORY, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ASSUME, MOTIF_ASSERT, MOTIF_CAS}},
    {"creation", false, true, 6, {PLAIN_MEMORY, MOTIF_ADD, MOTIF_LOCK}},
    {"atomic sections", false, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC, MOTIF_ATOMIC, MOTIF_ATOMIC_CHOICE, MOTIF_LOCK}},
    {"atomic sections that stop", false, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC, MOTIF_ASSUME}},
    {"atomic sections of all kinds", true, false, 8, {PLAIN_MEMORY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_STOP, MOTIF_AWAIT}},
    {"atomic sections and creation", false, true, 8, {MOTIF_LOAD, MOTIF_STORE, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_ANY, MOTIF_ATOMIC_CHOICE, MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_FREE}},
    {"heap", false, true, 8, {MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_HEAP_STORE, MOTIF_FREE, MOTIF_FREE, MOTIF_LOAD, MOTIF_STORE, MOTIF_AWAIT}},
    {"spin locks, once, barriers", false, false, 8, {PLAIN_MEMORY, MOTIF_SPIN_LOCK, MOTIF_SPIN_TRYLOCK, MOTIF_ONCE, MOTIF_BARRIER}},
    {"retried trylocks", false, false, 8, {PLAIN_MEMORY, MOTIF_AWAIT_TRY, MOTIF_AWAIT_TRY, MOTIF_LOCK, MOTIF_SEM_POST}},
    {"everything", true, false, 23, {PLAIN_MEMORY, ALL_LOCKS, MOTIF_SEM_POST, MOTIF_SEM_TRYWAIT, MOTIF_SIGNAL, MOTIF_TIMEDWAIT, MOTIF_AWAIT, MOTIF_AWAIT_CAS, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ATOMIC, MOTIF_FENCE, MOTIF_ADD, MOTIF_CAS, MOTIF_ONCE, MOTIF_STORE_BARRIER}},
    {"everything, and creation", false, true, 23, {MOTIF_LOAD, MOTIF_STORE, MOTIF_STORE, MOTIF_LOCK, MOTIF_TRYLOCK, MOTIF_SEM_WAIT, MOTIF_SEM_POST, MOTIF_LOCKED_SIGNAL, MOTIF_TIMEDWAIT, MOTIF_AWAIT, MOTIF_AWAIT_CAS, MOTIF_AWAIT_TWO, MOTIF_CHOICE, MOTIF_ASSUME, MOTIF_ATOMIC, MOTIF_ATOMIC_STOP, MOTIF_ATOMIC_ANY, MOTIF_FENCE, MOTIF_CAS, MOTIF_ONCE, MOTIF_HEAP_LOAD, MOTIF_HEAP_STORE, MOTIF_FREE}},
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
    bool inside_atomic;
};

static unsigned draw(struct drawer *drawer, unsigned end) {
    return (unsigned)random_below(&drawer->source, end);
}

static struct place draw_place(struct drawer *drawer) {
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 8};
    if (!drawer->palette->mixed_sizes) {
        return (struct place){.size = 4, .offset = 4 * draw(drawer, MEMORY_BYTES / 4)};
    }
    unsigned size = sizes[draw(drawer, 6)];
    unsigned step = draw(drawer, 4) == 0 ? 1 : size;
    return (struct place){.size = size, .offset = draw(drawer, (MEMORY_BYTES - size) / step + 1) * step};
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

static struct wide_operation *append_sync(struct drawer *drawer, unsigned thread, enum sync_kind sync,
                                          unsigned object) {
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
    for (unsigned i = from; i < drawer->wide->counts[thread]; i++) {
        drawer->wide->operations[thread][i].if_got = may_fail;
    }
}

static void draw_spin_section(struct drawer *drawer, unsigned thread, enum sync_kind lock, bool may_fail) {
    append_sync(drawer, thread, lock, 0);
    unsigned from = drawer->wide->counts[thread];
    draw_inner(drawer, thread);
    append(drawer, thread, WIDE_SPIN_UNLOCK)->conditional = false;
    for (unsigned i = from; i < drawer->wide->counts[thread]; i++) {
        drawer->wide->operations[thread][i].if_got = may_fail;
    }
}

static void draw_wait(struct drawer *drawer, unsigned thread, enum sync_kind kind) {
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

static void draw_motif(struct drawer *drawer, unsigned thread, enum motif motif) {
    unsigned mutex = draw(drawer, 4) == 0;
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
        draw_section(drawer, thread, SYNC_READ_LOCK, SYNC_READ_UNLOCK, 0, false);
        return;
    case MOTIF_WRITE_LOCK:
        draw_section(drawer, thread, SYNC_WRITE_LOCK, SYNC_WRITE_UNLOCK, 0, false);
        return;
    case MOTIF_READ_TRYLOCK:
        draw_section(drawer, thread, SYNC_READ_TRYLOCK, SYNC_READ_UNLOCK, 0, true);
        return;
    case MOTIF_WRITE_TRYLOCK:
        draw_section(drawer, thread, SYNC_WRITE_TRYLOCK, SYNC_WRITE_UNLOCK, 0, true);
        return;
    case MOTIF_READ_TIMEDLOCK:
        draw_section(drawer, thread, SYNC_READ_TIMEDLOCK, SYNC_READ_UNLOCK, 0, true);
        return;
    case MOTIF_WRITE_TIMEDLOCK:
        draw_section(drawer, thread, SYNC_WRITE_TIMEDLOCK, SYNC_WRITE_UNLOCK, 0, true);
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
        draw_wait(drawer, thread, SYNC_COND_WAIT);
        return;
    case MOTIF_TIMEDWAIT:
        draw_wait(drawer, thread, SYNC_COND_TIMEDWAIT);
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
        append_sync(drawer, thread, SYNC_BARRIER_WAIT, 0);
        return;
    case MOTIF_ONCE: {
        append_sync(drawer, thread, SYNC_ONCE_BEGIN, 0);
        unsigned from = drawer->wide->counts[thread];
        draw_inner(drawer, thread);
        append_sync(drawer, thread, SYNC_ONCE_END, 0);
        for (unsigned i = from; i < drawer->wide->counts[thread]; i++) {
            drawer->wide->operations[thread][i].if_got = true;
        }
        return;
    }
    case MOTIF_AWAIT_TRY: {
        static const enum sync_kind kinds[] = {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_TRYLOCK, SYNC_SPIN_TRYLOCK,
                                               SYNC_SEM_TRYWAIT};
        struct wide_operation *await = append(drawer, thread, WIDE_AWAIT_TRY);
        await->conditional = false;
        await->sync = kinds[draw(drawer, 4)];
        enum sync_kind kind = (enum sync_kind)await->sync;
        draw_inner(drawer, thread);
        if (kind == SYNC_MUTEX_TRYLOCK) {
            append_sync(drawer, thread, SYNC_MUTEX_UNLOCK, 0);
        } else if (kind == SYNC_SPIN_TRYLOCK) {
            append(drawer, thread, WIDE_SPIN_UNLOCK)->conditional = false;
        } else {
            append_sync(drawer, thread, SYNC_SEM_POST, 0);
        }
        return;
    }
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
            insert_operation(wide, creator, join, (struct wide_operation){.kind = WIDE_JOIN, .object = t});
        }
        insert_operation(wide, creator, at, (struct wide_operation){.kind = WIDE_CREATE, .object = t});
    }
}

void wide_draw(struct wide_program *wide, uint64_t seed) {
    struct drawer drawer = {.source = random_source_from(seed), .wide = wide};
    memset(wide, 0, sizeof *wide);
    wide->seed = seed;
    wide->palette = (unsigned)(seed % PALETTES);
    drawer.palette = &palettes[wide->palette];
    wide->threads = draw(&drawer, 2) == 0 ? 3 : 2;
    wide->semaphore = draw(&drawer, 3);
    wide->recursive = draw(&drawer, 4) == 0;
    wide->atomic_start = !drawer.palette->creates;
    for (unsigned i = 0; i < PLACES; i++) {
        drawer.places[i] = draw_place(&drawer);
    }
    unsigned most = wide->threads == 3 ? 3 : 5;
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

/* --- Building ----------------------------------------------------------------------------------------------------- */

enum register_use { HEAP, UNUSED, LAST, GOT, VALUE, SUCCESS, SCRATCH, CHILDREN, REGISTERS = CHILDREN + WIDE_THREADS };

struct emitter {
    struct builder builder;
    uint64_t memory;
    uint64_t mutexes[MUTEXES];
    uint64_t rwlock;
    uint64_t spin;
    uint64_t semaphore;
    uint64_t condition;
    uint64_t barrier;
    uint64_t once;
    uint32_t line;
};

static uint32_t number(struct emitter *emitter, uint64_t value) {
    return builder_constant(&emitter->builder, value);
}

static uint32_t address(struct emitter *emitter, uint64_t value) {
    return builder_address(&emitter->builder, value);
}

static uint32_t emit(struct emitter *emitter, struct instruction instruction) {
    instruction.pos = builder_position(&emitter->builder, "generated.c", ++emitter->line, 1, NULL, NULL);
    return builder_emit(&emitter->builder, instruction);
}

static uint32_t here(const struct emitter *emitter) {
    return builder_here(&emitter->builder);
}

static uint64_t object_address(const struct emitter *emitter, unsigned sync, unsigned object) {
    switch (sync) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
    case SYNC_MUTEX_UNLOCK:
        return emitter->mutexes[object % MUTEXES];
    case SYNC_COND_WAIT:
    case SYNC_COND_TIMEDWAIT:
    case SYNC_COND_SIGNAL:
    case SYNC_COND_BROADCAST:
        return emitter->condition;
    case SYNC_SPIN_LOCK:
    case SYNC_SPIN_TRYLOCK:
        return emitter->spin;
    case SYNC_SEM_WAIT:
    case SYNC_SEM_TRYWAIT:
    case SYNC_SEM_TIMEDWAIT:
    case SYNC_SEM_POST:
        return emitter->semaphore;
    case SYNC_BARRIER_WAIT:
        return emitter->barrier;
    case SYNC_ONCE_BEGIN:
    case SYNC_ONCE_END:
        return emitter->once;
    default:
        return emitter->rwlock;
    }
}

static void emit_sync(struct emitter *emitter, const struct wide_operation *operation, uint8_t flags) {
    emit(emitter,
         (struct instruction){.op = OP_SYNC,
                              .width = (uint8_t)operation->sync,
                              .sub = 1,
                              .flags = flags,
                              .dst = GOT,
                              .a = address(emitter, object_address(emitter, operation->sync, operation->object)),
                              .b = address(emitter, emitter->mutexes[0]),
                              .c = number(emitter, 0)});
}

static void emit_compare(struct emitter *emitter, enum predicate predicate, uint32_t dst, uint32_t a, uint64_t b) {
    emit(emitter,
         (struct instruction){
             .op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate, .dst = dst, .a = a, .b = number(emitter, b)});
}

static void emit_await_load(struct emitter *emitter, unsigned offset, unsigned size) {
    emit(emitter, (struct instruction){.op = OP_LOAD,
                                       .width = (uint8_t)size,
                                       .flags = INSTRUCTION_AWAIT,
                                       .dst = VALUE,
                                       .a = address(emitter, emitter->memory + offset)});
}

/* A waiting loop: SCRATCH says whether the round has reached what it waits for. */
static void emit_await(struct emitter *emitter, const struct wide_operation *operation) {
    uint32_t start = emit(emitter, (struct instruction){.op = OP_AWAIT});
    switch (operation->kind) {
    case WIDE_AWAIT:
    case WIDE_AWAIT_CHANGE:
        emit_await_load(emitter, operation->offset, operation->size);
        emit_compare(emitter, operation->kind == WIDE_AWAIT ? PREDICATE_EQ : PREDICATE_NE, SCRATCH, VALUE,
                     operation->value);
        break;
    case WIDE_AWAIT_CAS:
        emit(emitter, (struct instruction){.op = OP_CAS,
                                           .width = (uint8_t)operation->size,
                                           .sub = ORDER_SEQ_CST,
                                           .flags = INSTRUCTION_AWAIT,
                                           .dst = VALUE,
                                           .a = address(emitter, emitter->memory + operation->offset),
                                           .b = number(emitter, operation->expected),
                                           .c = number(emitter, operation->value)});
        emit(emitter, (struct instruction){.op = OP_MOV, .dst = SCRATCH, .a = SUCCESS});
        break;
    case WIDE_AWAIT_SWAP:
        emit(emitter, (struct instruction){.op = OP_RMW,
                                           .width = (uint8_t)operation->size,
                                           .sub = ORDER_SEQ_CST,
                                           .flags = INSTRUCTION_AWAIT | INSTRUCTION_ATOMIC,
                                           .dst = VALUE,
                                           .a = address(emitter, emitter->memory + operation->offset),
                                           .b = number(emitter, operation->value),
                                           .c = operation->relative ? RMW_OR : RMW_XCHG});
        emit_compare(emitter, PREDICATE_NE, SCRATCH, VALUE, operation->value);
        break;
    case WIDE_AWAIT_TRY:
        emit_sync(emitter, operation, INSTRUCTION_AWAIT);
        emit_compare(emitter, PREDICATE_EQ, SCRATCH, GOT, 0);
        break;
    default: {
        emit_await_load(emitter, operation->offset, operation->size);
        emit_compare(emitter, PREDICATE_EQ, SCRATCH, VALUE, operation->value);
        uint32_t branch = here(emitter);
        bool both = operation->kind == WIDE_AWAIT_BOTH;
        emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = branch + 1, .c = branch + 1});
        emit_await_load(emitter, operation->offset2, operation->size2);
        emit_compare(emitter, PREDICATE_EQ, SCRATCH, VALUE, operation->expected);
        *(both ? &builder_at(&emitter->builder, branch)->c : &builder_at(&emitter->builder, branch)->b) = here(emitter);
        break;
    }
    }
    uint32_t branch = here(emitter);
    emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = branch + 2, .c = branch + 1});
    emit(emitter, (struct instruction){.op = OP_AGAIN, .a = start, .b = start});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = VALUE});
}

static uint32_t place_address(struct emitter *emitter, const struct wide_operation *operation) {
    if (operation->kind != WIDE_HEAP_LOAD && operation->kind != WIDE_HEAP_STORE) {
        return address(emitter, emitter->memory + operation->offset);
    }
    emit(emitter, (struct instruction){
                      .op = OP_ADD, .width = 64, .dst = VALUE, .a = HEAP, .b = number(emitter, operation->offset)});
    return VALUE;
}

static void emit_access(struct emitter *emitter, const struct wide_operation *operation) {
    struct instruction access = {.width = (uint8_t)operation->size,
                                 .sub = (uint8_t)operation->order,
                                 .dst = VALUE,
                                 .a = place_address(emitter, operation),
                                 .b = number(emitter, operation->value)};
    switch (operation->kind) {
    case WIDE_LOAD:
    case WIDE_HEAP_LOAD:
        access.op = OP_LOAD;
        access.b = 0;
        break;
    case WIDE_ADD:
    case WIDE_EXCHANGE:
        access.op = OP_RMW;
        access.c = operation->kind == WIDE_ADD ? RMW_ADD : RMW_XCHG;
        break;
    case WIDE_CAS:
        access.op = OP_CAS;
        access.c = access.b;
        access.b = number(emitter, operation->expected);
        break;
    default:
        access.op = OP_STORE;
        access.dst = 0;
        if (operation->relative) {
            emit(emitter,
                 (struct instruction){
                     .op = OP_ADD, .width = (uint8_t)(8 * operation->size), .dst = SCRATCH, .a = LAST, .b = access.b});
            access.b = SCRATCH;
        }
        emit(emitter, access);
        return;
    }
    emit(emitter, access);
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = VALUE});
}

static void emit_plain(struct emitter *emitter, const struct wide_operation *operation) {
    switch (operation->kind) {
    case WIDE_FENCE:
        emit(emitter, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)operation->order});
        break;
    case WIDE_STORE_BARRIER:
        emit(emitter, (struct instruction){.op = OP_STORE_BARRIER});
        break;
    case WIDE_SYNC:
        emit_sync(emitter, operation, 0);
        if (operation->sync == SYNC_ONCE_BEGIN) {
            emit_compare(emitter, PREDICATE_EQ, GOT, GOT, 0);
        }
        break;
    case WIDE_SPIN_UNLOCK:
        emit(emitter, (struct instruction){.op = OP_STORE,
                                           .width = 4,
                                           .sub = ORDER_RELEASE,
                                           .a = address(emitter, emitter->spin),
                                           .b = number(emitter, 0)});
        break;
    case WIDE_AWAIT:
    case WIDE_AWAIT_CHANGE:
    case WIDE_AWAIT_CAS:
    case WIDE_AWAIT_SWAP:
    case WIDE_AWAIT_TWO:
    case WIDE_AWAIT_BOTH:
    case WIDE_AWAIT_TRY:
        emit_await(emitter, operation);
        break;
    case WIDE_CHOICE:
        emit(emitter, (struct instruction){
                          .op = OP_NONDET, .width = 32, .dst = LAST, .a = number(emitter, 0), .b = number(emitter, 1)});
        break;
    case WIDE_ASSUME:
        emit_compare(emitter, PREDICATE_NE, SCRATCH, LAST, operation->value);
        emit(emitter, (struct instruction){.op = OP_ASSUME, .a = SCRATCH});
        break;
    case WIDE_ASSERT:
        emit_compare(emitter, PREDICATE_NE, SCRATCH, LAST, operation->value);
        emit(emitter, (struct instruction){
                          .op = OP_ASSERT, .a = SCRATCH, .b = builder_string(&emitter->builder, "not the value")});
        break;
    case WIDE_CREATE:
        emit(emitter, (struct instruction){.op = OP_SYNC,
                                           .width = SYNC_THREAD_CREATE,
                                           .sub = 1,
                                           .dst = CHILDREN + operation->object,
                                           .a = address(emitter, function_address(operation->object)),
                                           .b = HEAP,
                                           .c = number(emitter, 0)});
        break;
    case WIDE_JOIN:
        emit(emitter, (struct instruction){.op = OP_SYNC,
                                           .width = SYNC_THREAD_JOIN,
                                           .dst = NO_REGISTER,
                                           .a = CHILDREN + operation->object,
                                           .b = number(emitter, 0),
                                           .c = number(emitter, 0)});
        break;
    case WIDE_ATOMIC_BEGIN:
        emit(emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
        break;
    case WIDE_ATOMIC_END:
        emit(emitter, (struct instruction){.op = OP_ATOMIC_END});
        break;
    case WIDE_FREE:
        emit(emitter, (struct instruction){.op = OP_FREE, .a = HEAP});
        break;
    default:
        emit_access(emitter, operation);
        break;
    }
}

static void emit_operation(struct emitter *emitter, const struct wide_operation *operation) {
    uint32_t branch = here(emitter);
    if (operation->if_got || operation->conditional) {
        if (operation->if_got) {
            emit_compare(emitter, PREDICATE_EQ, SCRATCH, GOT, 0);
        } else {
            emit(emitter,
                 (struct instruction){.op = OP_AND, .width = 64, .dst = SCRATCH, .a = LAST, .b = number(emitter, 1)});
        }
        branch = here(emitter);
        emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = branch + 1});
    }
    emit_plain(emitter, operation);
    if (operation->if_got || operation->conditional) {
        builder_at(&emitter->builder, branch)->c = here(emitter);
        emit(emitter, (struct instruction){.op = OP_NOP});
    }
}

static uint64_t emit_global(struct emitter *emitter, const char *name, uint64_t size, const void *bytes,
                            uint64_t count) {
    uint32_t global = builder_global(&emitter->builder, name, size, 8, 0);
    if (bytes) {
        builder_global_bytes(&emitter->builder, global, bytes, count);
    }
    return builder_global_at(&emitter->builder, global)->address;
}

static void emit_main_start(struct emitter *emitter, const struct wide_program *wide) {
    emit(emitter, (struct instruction){
                      .op = OP_MALLOC, .dst = HEAP, .a = number(emitter, MEMORY_BYTES), .b = number(emitter, 8)});
    if (!wide->atomic_start) {
        return;
    }
    emit(emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
    for (unsigned t = 1; t < wide->threads; t++) {
        emit_plain(emitter, &(struct wide_operation){.kind = WIDE_CREATE, .object = t});
    }
    emit(emitter, (struct instruction){.op = OP_ATOMIC_END});
}

void wide_build(const struct wide_program *wide, struct program *program) {
    struct emitter emitter = {.line = 0};
    uint8_t mutex[MUTEX_BYTES] = {0};
    const uint32_t semaphore = wide->semaphore;
    const uint32_t parties = 2;
    builder_init(&emitter.builder);
    emitter.memory = emit_global(&emitter, "m", MEMORY_BYTES, NULL, 0);
    emitter.mutexes[0] = emit_global(&emitter, "mutex0", MUTEX_BYTES, NULL, 0);
    mutex[MUTEX_KIND] = wide->recursive;
    emitter.mutexes[1] = emit_global(&emitter, "mutex1", MUTEX_BYTES, mutex, sizeof mutex);
    emitter.rwlock = emit_global(&emitter, "rwlock", 8, NULL, 0);
    emitter.spin = emit_global(&emitter, "spin", 4, NULL, 0);
    emitter.semaphore = emit_global(&emitter, "semaphore", 4, &semaphore, sizeof semaphore);
    emitter.condition = emit_global(&emitter, "condition", 8, NULL, 0);
    emitter.barrier = emit_global(&emitter, "barrier", 12, &parties, sizeof parties);
    emitter.once = emit_global(&emitter, "once", 4, NULL, 0);
    builder_function(&emitter.builder, "main", 0, 0, 0);
    for (unsigned t = 1; t < wide->threads; t++) {
        builder_function(&emitter.builder, "thread", 2, 0, 0);
    }
    for (unsigned t = 0; t < wide->threads; t++) {
        builder_begin(&emitter.builder, t);
        if (t == 0) {
            emit_main_start(&emitter, wide);
        }
        for (uint32_t reg = LAST; reg < REGISTERS; reg++) {
            if (t > 0 || reg < CHILDREN || !wide->atomic_start) {
                emit(&emitter, (struct instruction){.op = OP_MOV, .dst = reg, .a = number(&emitter, 0)});
            }
        }
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            emit_operation(&emitter, &wide->operations[t][i]);
        }
        emit(&emitter, (struct instruction){.op = OP_RET});
        builder_end(&emitter.builder, REGISTERS);
    }
    builder_finish(&emitter.builder, program);
}

/* --- Printing ----------------------------------------------------------------------------------------------------- */

static void print_operation(const struct wide_operation *operation, FILE *file) {
    static const char *const names[WIDE_KINDS] = {
        [WIDE_LOAD] = "load",
        [WIDE_STORE] = "store",
        [WIDE_ADD] = "add",
        [WIDE_EXCHANGE] = "exchange",
        [WIDE_CAS] = "cas",
        [WIDE_FENCE] = "fence",
        [WIDE_STORE_BARRIER] = "store barrier",
        [WIDE_SPIN_UNLOCK] = "spin unlock",
        [WIDE_AWAIT] = "await",
        [WIDE_AWAIT_CHANGE] = "await change",
        [WIDE_AWAIT_CAS] = "await cas",
        [WIDE_AWAIT_SWAP] = "await swap",
        [WIDE_AWAIT_TWO] = "await either",
        [WIDE_AWAIT_BOTH] = "await both",
        [WIDE_AWAIT_TRY] = "await",
        [WIDE_CHOICE] = "choice",
        [WIDE_ASSUME] = "assume not",
        [WIDE_ASSERT] = "assert not",
        [WIDE_CREATE] = "create",
        [WIDE_JOIN] = "join",
        [WIDE_ATOMIC_BEGIN] = "atomic begin",
        [WIDE_ATOMIC_END] = "atomic end",
        [WIDE_HEAP_LOAD] = "heap load",
        [WIDE_HEAP_STORE] = "heap store",
        [WIDE_FREE] = "free",
    };
    fprintf(file, "    %s%s",
            operation->if_got        ? "if got: "
            : operation->conditional ? "if odd: "
                                     : "",
            names[operation->kind] ? names[operation->kind] : "");
    if (operation->kind == WIDE_SYNC || operation->kind == WIDE_AWAIT_TRY) {
        fprintf(file, " %s %u\n", sync_table[operation->sync].name, operation->object);
    } else if (operation->kind == WIDE_CREATE || operation->kind == WIDE_JOIN) {
        fprintf(file, " %u\n", operation->object);
    } else {
        fprintf(file, " %u..%u value %llx%s expected %llx, second %u..%u, %s\n", operation->offset,
                operation->offset + operation->size - 1, (unsigned long long)operation->value,
                operation->relative ? "+last" : "", (unsigned long long)operation->expected, operation->offset2,
                operation->offset2 + operation->size2 - 1, order_names[operation->order]);
    }
}

void wide_print(const struct wide_program *wide, FILE *file) {
    fprintf(file, "program %llu, %s, semaphore %u%s%s\n", (unsigned long long)wide->seed, palettes[wide->palette].name,
            wide->semaphore, wide->recursive ? ", mutex 1 recursive" : "", wide->atomic_start ? ", atomic start" : "");
    for (unsigned t = 0; t < wide->threads; t++) {
        fprintf(file, "  thread %u\n", t);
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            print_operation(&wide->operations[t][i], file);
        }
    }
}

/* --- Making smaller ----------------------------------------------------------------------------------------------- */

#define SIMPLIFICATIONS 5

unsigned wide_changes(const struct wide_program *wide) {
    (void)wide;
    return 1 + WIDE_THREADS * WIDE_OPERATIONS * SIMPLIFICATIONS;
}

static bool set_false(bool *flag) {
    bool before = *flag;
    *flag = false;
    return before;
}

bool wide_change(struct wide_program *wide, unsigned change) {
    if (change-- == 0) {
        wide->threads -= wide->threads == 3;
        return wide->threads == 2 && wide->counts[2] == 0 && set_false(&wide->recursive);
    }
    unsigned simplification = change / (WIDE_THREADS * WIDE_OPERATIONS);
    unsigned thread = change / WIDE_OPERATIONS % WIDE_THREADS;
    unsigned at = change % WIDE_OPERATIONS;
    if (thread >= wide->threads || at >= wide->counts[thread]) {
        return false;
    }
    struct wide_operation *operation = &wide->operations[thread][at];
    switch (simplification) {
    case 0:
        wide->counts[thread]--;
        memmove(operation, operation + 1, (wide->counts[thread] - at) * sizeof *operation);
        return true;
    case 1:
        return set_false(&operation->conditional);
    case 2:
        return set_false(&operation->if_got);
    case 3:
        return set_false(&operation->relative);
    default:
        if (operation->order == ORDER_PLAIN || operation->kind == WIDE_FENCE) {
            return false;
        }
        operation->order = ORDER_PLAIN;
        return true;
    }
}
