/* Draws programs that depend on store buffers.
 *
 * A program begins as a shape: the classic litmus tests, which have outcomes that SC forbids.  What threads read is
 * stored at their ends, so every outcome is a final state of its own.  Then each access becomes one that the topic has
 * (other sizes, computed addresses, pointers), and ingredients of the topic are put between the accesses or around
 * them; what orders stores is mostly put into a branch, so that it often orders nothing. */
#include <string.h>

#include "engine/random_source.h"
#include "wide_program.h"

#define VARIABLE_BYTES 4u
#define VARIABLES (WIDE_BYTES / VARIABLE_BYTES)
#define MOST_INGREDIENTS 16

enum ingredient {
    PUT_LOAD,
    PUT_STORE,
    PUT_FENCE,
    PUT_STORE_BARRIER,
    PUT_CAS,
    PUT_ADD,
    PUT_EXCHANGE,
    PUT_INPUT,
    PUT_ASSUME,
    PUT_ASSERT,
    PUT_AWAIT,
    PUT_LOCK,
    PUT_TRYLOCK,
    PUT_SPIN_LOCK,
    PUT_WAIT,
    PUT_SIGNAL,
    PUT_SECTION,
    PUT_POINT,
    PUT_MALLOC,
    PUT_FREE,
    PUT_COMPARE,
    PUT_SWING,
};

struct topic {
    const char *name;
    unsigned count; /* of ingredients */
    uint8_t ingredients[MOST_INGREDIENTS];
    bool mixed_sizes;
    enum wide_address address; /* of some accesses; WIDE_AT_PLACE: of none */
};

/* clang-format off */
static const struct topic topics[] = {
    {"plain accesses", 2, {PUT_LOAD, PUT_STORE}, false, WIDE_AT_PLACE},
    {"mixed sizes", 2, {PUT_LOAD, PUT_STORE}, true, WIDE_AT_PLACE},
    {"mixed sizes and what drains", 7, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_CAS, PUT_ADD, PUT_STORE_BARRIER, PUT_SECTION}, true, WIDE_AT_PLACE},
    {"fences in branches", 6, {PUT_FENCE, PUT_FENCE, PUT_FENCE, PUT_INPUT, PUT_LOAD, PUT_STORE}, false, WIDE_AT_PLACE},
    {"read-modify-writes in branches", 6, {PUT_CAS, PUT_CAS, PUT_ADD, PUT_EXCHANGE, PUT_INPUT, PUT_STORE}, false, WIDE_AT_PLACE},
    {"store barriers", 5, {PUT_STORE_BARRIER, PUT_STORE_BARRIER, PUT_STORE, PUT_STORE, PUT_INPUT}, false, WIDE_AT_PLACE},
    {"store barriers and mixed sizes", 5, {PUT_STORE_BARRIER, PUT_STORE_BARRIER, PUT_STORE, PUT_LOAD, PUT_FENCE}, true, WIDE_AT_PLACE},
    {"inputs as indices", 5, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_CAS, PUT_ASSUME}, false, WIDE_AT_INPUT},
    {"inputs as indices, mixed sizes", 4, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_STORE_BARRIER}, true, WIDE_AT_INPUT},
    {"indices from memory", 4, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_CAS}, false, WIDE_AT_LAST},
    {"indices from memory, mixed sizes", 4, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_ADD}, true, WIDE_AT_LAST},
    {"pointers", 5, {PUT_POINT, PUT_POINT, PUT_LOAD, PUT_STORE, PUT_FENCE}, false, WIDE_AT_POINTER},
    {"pointers and mixed sizes", 5, {PUT_POINT, PUT_POINT, PUT_LOAD, PUT_STORE, PUT_STORE_BARRIER}, true, WIDE_AT_POINTER},
    {"heap", 6, {PUT_MALLOC, PUT_FREE, PUT_STORE, PUT_STORE, PUT_LOAD, PUT_FENCE}, false, WIDE_AT_HEAP},
    {"heap and pointers", 5, {PUT_MALLOC, PUT_MALLOC, PUT_POINT, PUT_STORE, PUT_CAS}, false, WIDE_AT_POINTER},
    {"heap that is freed", 6, {PUT_MALLOC, PUT_FREE, PUT_FREE, PUT_POINT, PUT_LOCK, PUT_ASSUME}, false, WIDE_AT_POINTER},
    {"addresses that are compared", 6, {PUT_MALLOC, PUT_FREE, PUT_COMPARE, PUT_COMPARE, PUT_COMPARE, PUT_SWING}, false, WIDE_AT_PLACE},
    {"addresses that are compared, in sections and with locks", 8, {PUT_FREE, PUT_COMPARE, PUT_COMPARE, PUT_SECTION, PUT_LOCK, PUT_FENCE, PUT_INPUT, PUT_ASSUME}, false, WIDE_AT_PLACE},
    {"mutexes", 5, {PUT_LOCK, PUT_LOCK, PUT_TRYLOCK, PUT_LOAD, PUT_STORE}, false, WIDE_AT_PLACE},
    {"spin locks", 4, {PUT_SPIN_LOCK, PUT_SPIN_LOCK, PUT_STORE, PUT_LOAD}, false, WIDE_AT_PLACE},
    {"conditions", 5, {PUT_WAIT, PUT_SIGNAL, PUT_SIGNAL, PUT_STORE, PUT_LOAD}, false, WIDE_AT_PLACE},
    {"atomic sections", 5, {PUT_SECTION, PUT_SECTION, PUT_STORE, PUT_LOAD, PUT_INPUT}, false, WIDE_AT_PLACE},
    {"atomic sections at computed addresses", 4, {PUT_SECTION, PUT_SECTION, PUT_STORE, PUT_FENCE}, true, WIDE_AT_LAST},
    {"assumptions and assertions", 6, {PUT_ASSUME, PUT_ASSERT, PUT_INPUT, PUT_LOAD, PUT_STORE, PUT_FENCE}, false, WIDE_AT_PLACE},
    {"waiting loops", 5, {PUT_AWAIT, PUT_AWAIT, PUT_STORE, PUT_LOAD, PUT_FENCE}, false, WIDE_AT_PLACE},
    {"waiting loops and mixed sizes", 5, {PUT_AWAIT, PUT_AWAIT, PUT_STORE, PUT_STORE, PUT_STORE_BARRIER}, true, WIDE_AT_PLACE},
    {"everything", 16, {PUT_LOAD, PUT_STORE, PUT_FENCE, PUT_STORE_BARRIER, PUT_CAS, PUT_EXCHANGE, PUT_INPUT, PUT_ASSUME, PUT_ASSERT, PUT_AWAIT, PUT_LOCK, PUT_SPIN_LOCK, PUT_SECTION, PUT_POINT, PUT_MALLOC, PUT_TRYLOCK}, true, WIDE_AT_INPUT},
};

/* Threads are divided by bars; W writes and R reads the variable that follows. */
static const char *const shapes[] = {
    "W0R1|W1R0", "W0R1|W1R0", "W0R1|W1R0", "W0R1|W1R0", /* store buffering */
    "W0R0R1|W1R1R0", "W0R0R1|W1R1R0",      /* ... after own stores are read */
    "W0W1R2|W2R1", "W0W1R2|W2R1",          /* ... with two stores pending */
    "W0W0R1|W1R0",                         /* ... with two of one place */
    "W0W1|W1R0", "W0W1|W1R0",              /* a store overtakes, another is overtaken */
    "W0W1|R1R0", "W0W1|R1R0",              /* message passing */
    "W0W1|W1W0",                           /* both write both */
    "W0W1|R1W0",                           /* the last write is read */
    "W0W1W2|R2R1R0",                       /* a long message */
    "W0R1|W1R2|W2R0",                      /* three threads in a ring */
    "W0W1|W1R2|W2R0",
    "W0|R0R1|W1R0",
    "W0W1|R1W2|R2R0",
};
/* clang-format on */

struct drawer {
    struct random_source source;
    struct wide_program *wide;
    const struct topic *topic;
};

static unsigned draw(struct drawer *drawer, unsigned end) {
    return (unsigned)random_below(&drawer->source, end);
}

/* True in `good` of `all` draws. */
static bool draw_chance(struct drawer *drawer, unsigned good, unsigned all) {
    return draw(drawer, all) < good;
}

static void insert(struct drawer *drawer, unsigned thread, unsigned at, struct wide_operation operation) {
    struct wide_program *wide = drawer->wide;
    struct wide_operation *operations = wide->operations[thread];
    if (wide->counts[thread] < WIDE_OPERATIONS) {
        memmove(operations + at + 1, operations + at, (wide->counts[thread] - at) * sizeof *operations);
        operations[at] = operation;
        wide->counts[thread]++;
    }
}

static unsigned draw_position(struct drawer *drawer, unsigned thread) {
    return draw(drawer, drawer->wide->counts[thread] + 1);
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

/* Bytes of the variable, or around it. */
static void draw_place(struct drawer *drawer, unsigned variable, struct wide_operation *operation) {
    static const unsigned sizes[] = {1, 2, 4, 4, 8};
    operation->offset = VARIABLE_BYTES * variable;
    operation->size = VARIABLE_BYTES;
    if (!drawer->topic->mixed_sizes) {
        return;
    }
    operation->size = sizes[draw(drawer, 5)];
    if (operation->size == 8) {
        operation->offset &= ~7u;
    } else if (draw_chance(drawer, 1, 3)) {
        operation->offset += draw(drawer, VARIABLE_BYTES / operation->size) * operation->size;
    } else if (draw_chance(drawer, 1, 8) && operation->offset + operation->size < WIDE_BYTES) {
        operation->offset++; /* across the end of a word */
    }
}

static void draw_address(struct drawer *drawer, struct wide_operation *operation) {
    /* all are on the heap, or none would meet another */
    if (drawer->topic->address == WIDE_AT_PLACE || (drawer->topic->address != WIDE_AT_HEAP && draw(drawer, 2))) {
        return;
    }
    operation->address = drawer->topic->address;
    switch (operation->address) {
    case WIDE_AT_POINTER:
        operation->object = operation->offset / 8;
        operation->offset %= 8;
        break;
    case WIDE_AT_HEAP:
        break;
    default:
        operation->stride = draw_chance(drawer, 2, 3) ? VARIABLE_BYTES : operation->size;
        if (operation->offset + operation->stride + operation->size > WIDE_BYTES) {
            operation->offset = 0;
        }
        break;
    }
}

static uint64_t draw_value(struct drawer *drawer, unsigned size) {
    uint64_t value = 1 + draw(drawer, 2);
    for (unsigned i = 1; i < size && drawer->topic->mixed_sizes; i++) {
        value |= (uint64_t)draw(drawer, 3) << 8 * i;
    }
    return value;
}

static struct wide_operation draw_access(struct drawer *drawer, enum wide_kind kind, unsigned variable) {
    static const enum order orders[] = {ORDER_PLAIN,   ORDER_PLAIN,   ORDER_PLAIN,
                                        ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE};
    struct wide_operation operation = {.kind = kind};
    draw_place(drawer, variable, &operation);
    draw_address(drawer, &operation);
    operation.value = draw_value(drawer, operation.size);
    if (kind == WIDE_STORE) {
        operation.order = draw_chance(drawer, 1, 20) ? ORDER_SEQ_CST : orders[draw(drawer, 6)];
    } else if (kind == WIDE_CAS && draw_chance(drawer, 1, 3)) {
        operation.expected = draw_value(drawer, operation.size);
    }
    return operation;
}

static void draw_shape(struct drawer *drawer) {
    struct wide_program *wide = drawer->wide;
    const char *shape = shapes[draw(drawer, sizeof shapes / sizeof *shapes)];
    unsigned first = draw(drawer, VARIABLES);
    unsigned thread = 0;
    for (; *shape; shape++) {
        if (*shape == '|') {
            thread++;
            continue;
        }
        enum wide_kind kind = *shape++ == 'W' ? WIDE_STORE : WIDE_LOAD;
        unsigned variable = (first + (unsigned)(*shape - '0')) % VARIABLES;
        insert(drawer, thread, wide->counts[thread], draw_access(drawer, kind, variable));
    }
    wide->threads = thread + 1;
}

/* --- Ingredients -------------------------------------------------------------------------------------------------- */

/* Puts one operation before a part of the thread and another after it, which goes up to 2 operations further. */
static void surround(struct drawer *drawer, unsigned thread, struct wide_operation before, struct wide_operation after,
                     bool if_got) {
    const struct wide_program *wide = drawer->wide;
    unsigned at = draw_position(drawer, thread);
    unsigned inside = draw(drawer, 3);
    inside = inside < wide->counts[thread] - at ? inside : wide->counts[thread] - at;
    for (unsigned i = at; i < at + inside; i++) {
        enum wide_kind kind = wide->operations[thread][i].kind;
        if (kind == WIDE_SYNC || kind == WIDE_SPIN_UNLOCK || kind == WIDE_ATOMIC_BEGIN || kind == WIDE_ATOMIC_END) {
            inside = i - at; /* locks and sections are not nested */
        }
    }
    for (unsigned i = at; i < at + inside && if_got; i++) {
        drawer->wide->operations[thread][i].if_got = true;
    }
    after.if_got = if_got;
    insert(drawer, thread, at, before);
    insert(drawer, thread, at + inside + 1, after);
}

static struct wide_operation sync_operation(unsigned sync) {
    return (struct wide_operation){.kind = WIDE_SYNC, .sync = sync};
}

/* Waits are timed, so that a signal that comes too early is no deadlock, or not. */
static void put_wait(struct drawer *drawer, unsigned thread) {
    unsigned at = draw_position(drawer, thread);
    insert(drawer, thread, at, sync_operation(SYNC_MUTEX_LOCK));
    insert(drawer, thread, at + 1, sync_operation(draw_chance(drawer, 1, 4) ? WHOLE_COND_WAIT : WHOLE_COND_TIMEDWAIT));
    insert(drawer, thread, at + 2, sync_operation(SYNC_MUTEX_UNLOCK));
}

/* A new object, its first value, and the pointer through which others see it. */
static void put_malloc(struct drawer *drawer, unsigned thread) {
    unsigned at = draw_position(drawer, thread);
    struct wide_operation store = {.kind = WIDE_STORE,
                                   .address = WIDE_AT_HEAP,
                                   .offset = VARIABLE_BYTES * draw(drawer, 2),
                                   .size = VARIABLE_BYTES,
                                   .value = 1 + draw(drawer, 2)};
    struct wide_operation point = {.kind = WIDE_POINT,
                                   .address = WIDE_AT_HEAP,
                                   .object = draw(drawer, WIDE_POINTERS),
                                   .order = draw_chance(drawer, 1, 3) ? ORDER_RELEASE : ORDER_PLAIN};
    insert(drawer, thread, at, (struct wide_operation){.kind = WIDE_MALLOC, .conditional = draw_chance(drawer, 1, 4)});
    insert(drawer, thread, at + 1, store);
    if (draw_chance(drawer, 3, 4)) {
        insert(drawer, thread, at + 2, point);
    }
}

static void put_access(struct drawer *drawer, unsigned thread, enum wide_kind kind) {
    struct wide_operation operation = draw_access(drawer, kind, draw(drawer, VARIABLES));
    operation.conditional = draw_chance(drawer, kind == WIDE_LOAD ? 1 : 3, 4);
    operation.relative = kind == WIDE_STORE && draw_chance(drawer, 1, 3);
    insert(drawer, thread, draw_position(drawer, thread), operation);
}

static void put_single(struct drawer *drawer, unsigned thread, struct wide_operation operation) {
    insert(drawer, thread, draw_position(drawer, thread), operation);
}

static void put(struct drawer *drawer, unsigned thread, enum ingredient ingredient) {
    static const enum order fences[] = {ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_ACQUIRE};
    static const struct wide_operation begin = {.kind = WIDE_ATOMIC_BEGIN};
    static const struct wide_operation end = {.kind = WIDE_ATOMIC_END};
    static const struct wide_operation spin_unlock = {.kind = WIDE_SPIN_UNLOCK};
    bool branch = draw_chance(drawer, 3, 4);
    switch (ingredient) {
    case PUT_LOAD:
        put_access(drawer, thread, WIDE_LOAD);
        break;
    case PUT_STORE:
        put_access(drawer, thread, WIDE_STORE);
        break;
    case PUT_CAS:
        put_access(drawer, thread, WIDE_CAS);
        break;
    case PUT_ADD:
        put_access(drawer, thread, WIDE_ADD);
        break;
    case PUT_EXCHANGE:
        put_access(drawer, thread, WIDE_EXCHANGE);
        break;
    case PUT_FENCE:
        put_single(
            drawer, thread,
            (struct wide_operation){.kind = WIDE_FENCE, .order = fences[draw(drawer, 5)], .conditional = branch});
        break;
    case PUT_STORE_BARRIER:
        put_single(drawer, thread, (struct wide_operation){.kind = WIDE_STORE_BARRIER, .conditional = branch});
        break;
    case PUT_INPUT:
        put_single(drawer, thread, (struct wide_operation){.kind = WIDE_CHOICE, .object = draw(drawer, 2)});
        break;
    case PUT_ASSUME:
        put_single(drawer, thread, (struct wide_operation){.kind = WIDE_ASSUME, .value = draw(drawer, 3)});
        break;
    case PUT_ASSERT:
        put_single(drawer, thread, (struct wide_operation){.kind = WIDE_ASSERT, .value = 1 + draw(drawer, 3)});
        break;
    case PUT_AWAIT: {
        struct wide_operation await = draw_access(drawer, WIDE_AWAIT_CHANGE, draw(drawer, VARIABLES));
        await.address = WIDE_AT_PLACE;
        await.conditional = branch;
        await.value = draw_chance(drawer, 2, 3) ? 0 : await.value;
        put_single(drawer, thread, await);
        break;
    }
    case PUT_LOCK:
        surround(drawer, thread, sync_operation(SYNC_MUTEX_LOCK), sync_operation(SYNC_MUTEX_UNLOCK), false);
        break;
    case PUT_TRYLOCK:
        surround(drawer, thread, sync_operation(SYNC_MUTEX_TRYLOCK), sync_operation(SYNC_MUTEX_UNLOCK), true);
        break;
    case PUT_SPIN_LOCK:
        surround(drawer, thread, sync_operation(SYNC_SPIN_LOCK), spin_unlock, false);
        break;
    case PUT_WAIT:
        put_wait(drawer, thread);
        break;
    case PUT_SIGNAL:
        put_single(drawer, thread, sync_operation(draw_chance(drawer, 1, 4) ? SYNC_COND_BROADCAST : SYNC_COND_SIGNAL));
        break;
    case PUT_SECTION:
        surround(drawer, thread, begin, end, false);
        break;
    case PUT_POINT:
        put_single(drawer, thread,
                   (struct wide_operation){.kind = WIDE_POINT,
                                           .object = draw(drawer, WIDE_POINTERS),
                                           .offset = VARIABLE_BYTES * draw(drawer, 3),
                                           .order = draw_chance(drawer, 1, 4) ? ORDER_RELEASE : ORDER_PLAIN,
                                           .conditional = draw_chance(drawer, 1, 2)});
        break;
    case PUT_MALLOC:
        put_malloc(drawer, thread);
        break;
    case PUT_COMPARE:
    case PUT_SWING:
        put_single(
            drawer, thread,
            (struct wide_operation){.kind = ingredient == PUT_COMPARE ? WIDE_COMPARE : WIDE_SWING,
                                    .address = ingredient == PUT_COMPARE && branch ? WIDE_AT_HEAP : WIDE_AT_PLACE,
                                    .object = draw(drawer, WIDE_POINTERS),
                                    .offset = VARIABLE_BYTES * draw(drawer, 3),
                                    .conditional = draw_chance(drawer, 1, 4)});
        break;
    case PUT_FREE:
        put_single(drawer, thread, (struct wide_operation){.kind = WIDE_FREE, .conditional = branch});
        break;
    }
}

void buffered_draw(struct wide_program *wide, uint64_t seed) {
    struct drawer drawer = {.source = random_source_from(seed), .wide = wide};
    memset(wide, 0, sizeof *wide);
    drawer.topic = &topics[seed % (sizeof topics / sizeof *topics)];
    *wide = (struct wide_program){
        .seed = seed, .topic = drawer.topic->name, .atomic_start = true, .observed = true, .parties = 2};
    for (unsigned i = 0; i < drawer.topic->count; i++) {
        wide->stale = wide->stale || drawer.topic->ingredients[i] == PUT_COMPARE;
    }
    wide->stale = wide->stale && draw_chance(&drawer, 2, 3);
    draw_shape(&drawer);
    unsigned ingredients = draw(&drawer, wide->threads == 2 ? 7 : 4);
    for (unsigned i = 0; i < ingredients; i++) {
        put(&drawer, draw(&drawer, wide->threads), drawer.topic->ingredients[draw(&drawer, drawer.topic->count)]);
    }
    if (draw_chance(&drawer, 1, 8)) {
        unsigned thread = draw(&drawer, wide->threads);
        insert(&drawer, thread, wide->counts[thread],
               (struct wide_operation){.kind = WIDE_ASSERT, .value = draw(&drawer, 3)});
    }
}
