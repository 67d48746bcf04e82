/* Draws and builds the programs of generated.c. */
#include "generated_program.h"

#include <assert.h>
#include <string.h>

#include "engine/random_source.h"
#include "whole.h"

#define OBJECT_BYTES 20 /* of a mutex, the largest */
#define PLACES 2

static uint64_t draw(struct random_source *source, uint64_t end) {
    return random_below(source, end);
}

/* Bytes that an operation accesses.  A program has a few that its threads meet at, and now and then uses others. */
struct place {
    unsigned offset;
    unsigned size;
};

static struct place draw_place(struct random_source *source) {
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 8};
    unsigned size = sizes[draw(source, 6)];
    /* Mostly aligned; now and then not. */
    unsigned step = draw(source, 4) == 0 ? 1 : size;
    return (struct place){.size = size, .offset = (unsigned)draw(source, (MODEL_MEMORY - size) / step + 1) * step};
}

static uint64_t draw_value(struct random_source *source, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= draw(source, 4) << 8 * i;
    }
    return value;
}

static struct operation draw_operation(struct random_source *source, const struct place places[PLACES]) {
    static const enum operation_kind kinds[] = {
        OPERATION_LOAD,     OPERATION_LOAD,  OPERATION_LOAD,  OPERATION_LOAD,    OPERATION_LOAD,
        OPERATION_LOAD,     OPERATION_STORE, OPERATION_STORE, OPERATION_STORE,   OPERATION_STORE,
        OPERATION_STORE,    OPERATION_STORE, OPERATION_STORE, OPERATION_ADD,     OPERATION_CAS,
        OPERATION_EXCHANGE, OPERATION_FENCE, OPERATION_FENCE, OPERATION_BARRIER,
    };
    static const enum order store_orders[] = {ORDER_PLAIN, ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    static const enum order fence_orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST,
                                              ORDER_SEQ_CST};
    struct operation operation = {.kind = kinds[draw(source, sizeof kinds / sizeof *kinds)]};
    struct place place = draw(source, 6) == 0 ? draw_place(source) : places[draw(source, PLACES)];
    operation.offset = place.offset;
    operation.size = place.size;
    operation.value = draw_value(source, operation.size);
    operation.expected = draw(source, 2) ? 0 : draw_value(source, operation.size);
    operation.conditional = draw(source, 8) == 0;
    if (operation.kind == OPERATION_STORE) {
        operation.order = store_orders[draw(source, 5)];
        operation.relative = draw(source, 4) == 0;
    } else if (operation.kind == OPERATION_FENCE) {
        operation.order = fence_orders[draw(source, 5)];
    }
    return operation;
}

static struct operation sync_operation(unsigned sync, unsigned object) {
    return (struct operation){.kind = OPERATION_SYNC, .sync = sync, .object = object, .size = 1};
}

void generated_draw(struct generated *generated, uint64_t seed, unsigned most) {
    struct random_source source = random_source_from(seed);
    memset(generated, 0, sizeof *generated);
    generated->seed = seed;
    generated->threads = draw(&source, 3) == 0 ? 3 : 2;
    struct place places[PLACES];
    for (unsigned i = 0; i < PLACES; i++) {
        places[i] = draw_place(&source);
    }
    /* What three threads do grows out of hand sooner. */
    unsigned threads = generated->threads;
    bool locks = threads == 2 || most > 2;
    most -= threads == 3;
    for (unsigned t = 0; t < generated->threads; t++) {
        struct operation *operations = generated->operations[t];
        unsigned count = most / 2 + (unsigned)draw(&source, most - most / 2 + 1);
        count += count == 0;
        for (unsigned i = 0; i < count; i++) {
            operations[i] = draw_operation(&source, places);
        }
        if (locks && draw(&source, 4) == 0) {
            /* The last operations under the lock. */
            unsigned from = (unsigned)draw(&source, count);
            memmove(operations + from + 1, operations + from, (count - from) * sizeof *operations);
            operations[from] = sync_operation(SYNC_MUTEX_LOCK, 0);
            operations[count + 1] = sync_operation(SYNC_MUTEX_UNLOCK, 0);
            count += 2;
        }
        generated->counts[t] = count;
    }
    generated->asserting = (unsigned)draw(&source, generated->threads);
}

/* What may be drawn together: a lock, whether it may fail, and what gives it back. */
static const struct pair {
    unsigned lock;
    unsigned unlock;
    bool may_fail;
} pairs[] = {
    {SYNC_MUTEX_LOCK, SYNC_MUTEX_UNLOCK, false},     {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK, true},
    {SYNC_MUTEX_TIMEDLOCK, SYNC_MUTEX_UNLOCK, true}, {SYNC_MUTEX_LOCK, SYNC_MUTEX_UNLOCK, true},
    {SYNC_READ_LOCK, WHOLE_RW_UNLOCK, false},        {SYNC_READ_TRYLOCK, WHOLE_RW_UNLOCK, true},
    {SYNC_READ_TIMEDLOCK, WHOLE_RW_UNLOCK, true},    {SYNC_WRITE_LOCK, WHOLE_RW_UNLOCK, false},
    {SYNC_WRITE_TRYLOCK, WHOLE_RW_UNLOCK, true},     {SYNC_WRITE_TIMEDLOCK, WHOLE_RW_UNLOCK, true},
    {SYNC_SEM_WAIT, SYNC_SEM_POST, false},           {SYNC_SEM_TRYWAIT, SYNC_SEM_POST, true},
    {SYNC_SEM_TIMEDWAIT, SYNC_SEM_POST, true},       {SYNC_ONCE_BEGIN, SYNC_ONCE_END, true},
};

static const unsigned singles[] = {
    SYNC_COND_SIGNAL, SYNC_COND_BROADCAST, SYNC_SEM_POST,       SYNC_SEM_TRYWAIT,
    SYNC_SEM_WAIT,    WHOLE_BARRIER_WAIT,  SYNC_THREAD_JOIN,    SYNC_THREAD_TRYJOIN,
    SYNC_THREAD_JOIN, SYNC_THREAD_DETACH,  SYNC_THREAD_TRYJOIN, WHOLE_RW_UNLOCK,
};

struct sync_drawer {
    struct random_source *source;
    struct generated *generated;
    const struct place *places;
    unsigned topic; /* the pairs of a program are mostly of one sort */
};

static void append(struct sync_drawer *drawer, unsigned thread, struct operation operation) {
    struct generated *generated = drawer->generated;
    assert(generated->counts[thread] < MODEL_OPERATIONS);
    generated->operations[thread][generated->counts[thread]++] = operation;
}

static void append_access(struct sync_drawer *drawer, unsigned thread, bool if_got) {
    struct operation operation = draw_operation(drawer->source, drawer->places);
    operation.if_got = if_got;
    append(drawer, thread, operation);
}

static void draw_pair(struct sync_drawer *drawer, unsigned thread) {
    static const unsigned firsts[] = {0, 4, 10};
    static const unsigned counts[] = {4, 6, 4};
    unsigned sort = draw(drawer->source, 4) == 0 ? (unsigned)draw(drawer->source, 3) : drawer->topic;
    const struct pair *pair = &pairs[firsts[sort] + draw(drawer->source, counts[sort])];
    unsigned object = sort < 2 && draw(drawer->source, 3) == 0;
    bool nested = draw(drawer->source, 4) == 0;
    append(drawer, thread, sync_operation(pair->lock, object));
    if (nested) {
        /* Once more, which may be its own lock or another. */
        const struct pair *inner = &pairs[firsts[sort] + draw(drawer->source, counts[sort])];
        struct operation again = sync_operation(inner->lock, sort < 2 && draw(drawer->source, 3) == 0);
        again.if_got = pair->may_fail;
        append(drawer, thread, again);
        struct operation unlock = sync_operation(inner->unlock, again.object);
        unlock.if_got = true;
        append(drawer, thread, unlock);
    } else if (draw(drawer->source, 2)) {
        append_access(drawer, thread, pair->may_fail);
    }
    struct operation unlock = sync_operation(pair->unlock, object);
    unlock.if_got = pair->may_fail && !nested;
    append(drawer, thread, unlock);
}

/* Destroys an object, which others may need. */
static void draw_destroy(struct sync_drawer *drawer, unsigned thread) {
    struct operation operation = sync_operation(WHOLE_DESTROY, 0);
    operation.value = draw(drawer->source, SORT_COUNT);
    operation.object = operation.value <= SORT_RWLOCK && draw(drawer->source, 3) == 0;
    operation.if_got = draw(drawer->source, 2);
    append(drawer, thread, operation);
}

static void draw_wait(struct sync_drawer *drawer, unsigned thread) {
    append(drawer, thread, sync_operation(SYNC_MUTEX_LOCK, 0));
    append(drawer, thread, sync_operation(draw(drawer->source, 3) == 0 ? WHOLE_COND_WAIT : WHOLE_COND_TIMEDWAIT, 0));
    append(drawer, thread, sync_operation(SYNC_MUTEX_UNLOCK, 0));
}

static void draw_spin(struct sync_drawer *drawer, unsigned thread) {
    bool tries = draw(drawer->source, 2);
    append(drawer, thread, sync_operation(tries ? SYNC_SPIN_TRYLOCK : SYNC_SPIN_LOCK, 0));
    append_access(drawer, thread, tries);
    append(drawer, thread, (struct operation){.kind = OPERATION_SPIN_UNLOCK, .if_got = tries, .size = 4});
}

static void draw_single(struct sync_drawer *drawer, unsigned thread) {
    struct operation operation = sync_operation(singles[draw(drawer->source, sizeof singles / sizeof *singles)], 0);
    operation.value = 1 + 2 * draw(drawer->source, drawer->generated->threads);
    operation.object = operation.sync == WHOLE_RW_UNLOCK && draw(drawer->source, 3) == 0;
    append(drawer, thread, operation);
}

void generated_draw_sync(struct generated *generated, uint64_t seed) {
    struct random_source source = random_source_from(seed);
    memset(generated, 0, sizeof *generated);
    generated->seed = seed;
    generated->threads = draw(&source, 2) == 0 ? 3 : 2;
    generated->semaphore = (unsigned)draw(&source, 3);
    generated->parties = 1 + (unsigned)draw(&source, 3);
    for (unsigned i = 0; i < MODEL_MUTEXES; i++) {
        generated->mutex_kinds[i] = (unsigned)draw(&source, 3);
    }
    const struct place places[PLACES] = {draw_place(&source), draw_place(&source)};
    struct sync_drawer drawer = {&source, generated, places, (unsigned)draw(&source, 3)};
    bool destroys = draw(&source, 3) == 0;
    for (unsigned t = 0; t < generated->threads; t++) {
        unsigned most = generated->threads == 3 ? 3 : 5;
        bool section = false;
        while (generated->counts[t] < most) {
            if (!section && draw(&source, 6) == 0) {
                append(&drawer, t, (struct operation){.kind = OPERATION_ATOMIC_BEGIN, .size = 1});
                section = true;
            }
            switch (draw(&source, 8)) {
            case 0:
            case 1:
                append_access(&drawer, t, false);
                break;
            case 2:
                draw_single(&drawer, t);
                break;
            case 3:
                draw_wait(&drawer, t);
                break;
            case 4:
                draw_spin(&drawer, t);
                break;
            case 5:
                if (destroys) {
                    draw_destroy(&drawer, t);
                    break;
                }
                /* fallthrough */
            default:
                draw_pair(&drawer, t);
                break;
            }
            if (section && (draw(&source, 2) || generated->counts[t] >= most)) {
                append(&drawer, t, (struct operation){.kind = OPERATION_ATOMIC_END, .size = 1});
                section = false;
            }
        }
    }
}

enum register_use {
    ACCUMULATOR,
    LAST,
    VALUE,
    SUCCESS,
    SCRATCH,
    GOT,
    HELD, /* how often the thread holds each reader-writer lock for reading */
    REGISTERS = HELD + MODEL_RWLOCKS
};

struct emitter {
    struct builder builder;
    uint64_t memory;
    uint64_t mutexes[MODEL_MUTEXES];
    uint64_t rwlocks[MODEL_RWLOCKS];
    uint64_t spin;
    uint64_t semaphore;
    uint64_t condition;
    uint64_t barrier;
    uint64_t once;
    uint64_t results[MODEL_THREADS];
    struct wholes wholes;
    bool fenced; /* a full fence after every store */
    uint32_t line;
};

static uint32_t number(struct emitter *emitter, uint64_t value) {
    return builder_constant(&emitter->builder, value);
}

static void emit(struct emitter *emitter, struct instruction instruction) {
    instruction.pos = builder_position(&emitter->builder, "generated.c", ++emitter->line, 1, NULL, NULL);
    builder_emit(&emitter->builder, instruction);
}

/* VALUE was read: into the accumulator with it. */
static void emit_mix(struct emitter *emitter) {
    emit(emitter, (struct instruction){
                      .op = OP_MUL, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = number(emitter, 31)});
    emit(emitter, (struct instruction){.op = OP_ADD, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = VALUE});
    emit(emitter, (struct instruction){
                      .op = OP_ADD, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = number(emitter, 1)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = VALUE});
}

static uint64_t sync_operand(const struct emitter *emitter, const struct operation *operation) {
    switch (operation->sync) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
    case SYNC_MUTEX_UNLOCK:
        return emitter->mutexes[operation->object];
    case WHOLE_COND_WAIT:
    case WHOLE_COND_TIMEDWAIT:
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
    case WHOLE_BARRIER_WAIT:
        return emitter->barrier;
    case SYNC_ONCE_BEGIN:
    case SYNC_ONCE_END:
        return emitter->once;
    case SYNC_THREAD_JOIN:
    case SYNC_THREAD_TRYJOIN:
    case SYNC_THREAD_DETACH:
        return operation->value;
    default:
        return emitter->rwlocks[operation->object];
    }
}

static bool locks_for_reading(unsigned sync) {
    return sync == SYNC_READ_LOCK || sync == SYNC_READ_TRYLOCK || sync == SYNC_READ_TIMEDLOCK;
}

static void emit_operation_on(struct emitter *emitter, unsigned kind, unsigned results, uint64_t object) {
    emit(emitter, (struct instruction){.op = OP_SYNC,
                                       .width = (uint8_t)kind,
                                       .sub = (uint8_t)results,
                                       .dst = VALUE,
                                       .a = number(emitter, object),
                                       .b = number(emitter, 0),
                                       .c = number(emitter, 0)});
}

/* The thread knows whether it holds the lock for reading. */
static void emit_rw_unlock(struct emitter *emitter, unsigned object) {
    uint32_t held = HELD + object;
    uint32_t branch = builder_here(&emitter->builder);
    emit(emitter, (struct instruction){.op = OP_BR, .a = held, .b = branch + 1, .c = branch + 4});
    emit(emitter, (struct instruction){.op = OP_SUB, .width = 64, .dst = held, .a = held, .b = number(emitter, 1)});
    emit_operation_on(emitter, SYNC_READ_UNLOCK, 1, emitter->rwlocks[object]);
    emit(emitter, (struct instruction){.op = OP_JMP, .a = branch + 5});
    emit_operation_on(emitter, SYNC_WRITE_UNLOCK, 1, emitter->rwlocks[object]);
}

/* An assertion that the word of the object is, or is not, this. */
static void emit_word_assertion(struct emitter *emitter, uint64_t address, unsigned predicate, uint64_t value) {
    emit(emitter, (struct instruction){.op = OP_LOAD, .width = 4, .dst = VALUE, .a = number(emitter, address)});
    emit(emitter, (struct instruction){.op = OP_ICMP,
                                       .width = 64,
                                       .sub = (uint8_t)predicate,
                                       .dst = SCRATCH,
                                       .a = VALUE,
                                       .b = number(emitter, value)});
    emit(emitter, (struct instruction){.op = OP_ASSERT,
                                       .a = SCRATCH,
                                       .b = builder_string(&emitter->builder, "destroyed already, or in use")});
}

/* As Picket's C library does it, but in one step. */
static void emit_destroy(struct emitter *emitter, const struct operation *operation) {
    const uint64_t objects[] = {[SORT_MUTEX] = emitter->mutexes[operation->object % MODEL_MUTEXES],
                                [SORT_RWLOCK] = emitter->rwlocks[operation->object % MODEL_RWLOCKS],
                                [SORT_SEMAPHORE] = emitter->semaphore,
                                [SORT_CONDITION] = emitter->condition,
                                [SORT_BARRIER] = emitter->barrier};
    uint64_t object = objects[operation->value];
    emit(emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
    if (operation->value == SORT_MUTEX) {
        emit_word_assertion(emitter, object + MUTEX_OWNER, PREDICATE_EQ, 0);
    } else {
        emit_word_assertion(emitter, object, PREDICATE_NE, SYNC_DESTROYED);
    }
    if (operation->value == SORT_RWLOCK) {
        emit_word_assertion(emitter, object + RWLOCK_WRITER, PREDICATE_EQ, 0);
    }
    if (operation->value != SORT_MUTEX && operation->value != SORT_SEMAPHORE) {
        emit_word_assertion(emitter, object + 4, PREDICATE_EQ, 0); /* readers, waiters, those who have arrived */
    }
    emit(emitter, (struct instruction){
                      .op = OP_STORE, .width = 4, .a = number(emitter, object), .b = number(emitter, SYNC_DESTROYED)});
    emit(emitter, (struct instruction){.op = OP_ATOMIC_END});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = VALUE, .a = number(emitter, 0)});
}

static void emit_sync(struct emitter *emitter, const struct operation *operation) {
    uint64_t object = sync_operand(emitter, operation);
    bool joins = operation->sync == SYNC_THREAD_JOIN || operation->sync == SYNC_THREAD_TRYJOIN;
    if (operation->sync == WHOLE_DESTROY) {
        emit_destroy(emitter, operation);
    } else if (operation->sync == WHOLE_RW_UNLOCK) {
        emit_rw_unlock(emitter, operation->object);
    } else if (operation->sync >= SYNC_COUNT) {
        emit(emitter,
             whole_call(&emitter->wholes, &emitter->builder, operation->sync, object, emitter->mutexes[0], VALUE));
    } else {
        emit_operation_on(emitter, operation->sync, joins ? 2 : 1, object);
    }
    emit(emitter, (struct instruction){.op = OP_ICMP,
                                       .width = 64,
                                       .sub = PREDICATE_EQ,
                                       .dst = GOT,
                                       .a = VALUE,
                                       .b = number(emitter, operation->sync == SYNC_ONCE_BEGIN)});
    if (locks_for_reading(operation->sync)) {
        uint32_t held = HELD + operation->object;
        emit(emitter, (struct instruction){.op = OP_ADD, .width = 64, .dst = held, .a = held, .b = GOT});
    }
    emit_mix(emitter);
}

static void emit_operation(struct emitter *emitter, const struct operation *operation) {
    uint32_t branches[2];
    unsigned branches_count = 0;
    struct instruction access = {.width = (uint8_t)operation->size,
                                 .sub = (uint8_t)operation->order,
                                 .a = number(emitter, emitter->memory + operation->offset),
                                 .b = number(emitter, operation->value)};
    if (operation->conditional) {
        emit(emitter,
             (struct instruction){.op = OP_AND, .width = 64, .dst = SCRATCH, .a = LAST, .b = number(emitter, 1)});
        branches[branches_count++] = builder_here(&emitter->builder);
        emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = builder_here(&emitter->builder) + 1});
    }
    if (operation->if_got) {
        branches[branches_count++] = builder_here(&emitter->builder);
        emit(emitter, (struct instruction){.op = OP_BR, .a = GOT, .b = builder_here(&emitter->builder) + 1});
    }
    switch (operation->kind) {
    case OPERATION_LOAD:
        access.op = OP_LOAD;
        access.dst = VALUE;
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_STORE:
        access.op = OP_STORE;
        if (operation->relative) {
            emit(emitter,
                 (struct instruction){
                     .op = OP_ADD, .width = (uint8_t)(8 * operation->size), .dst = SCRATCH, .a = LAST, .b = access.b});
            access.b = SCRATCH;
        }
        emit(emitter, access);
        if (emitter->fenced) {
            emit(emitter, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST});
        }
        break;
    case OPERATION_ADD:
    case OPERATION_EXCHANGE:
        access.op = OP_RMW;
        access.dst = VALUE;
        access.c = operation->kind == OPERATION_ADD ? RMW_ADD : RMW_XCHG;
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_CAS:
        access.op = OP_CAS;
        access.dst = VALUE;
        access.c = access.b;
        access.b = number(emitter, operation->expected);
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_FENCE:
        emit(emitter, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)operation->order});
        break;
    case OPERATION_BARRIER:
        emit(emitter, (struct instruction){.op = OP_STORE_BARRIER});
        break;
    case OPERATION_SYNC:
        emit_sync(emitter, operation);
        break;
    case OPERATION_SPIN_UNLOCK:
        emit(emitter, (struct instruction){.op = OP_STORE,
                                           .width = 4,
                                           .sub = ORDER_RELEASE,
                                           .a = number(emitter, emitter->spin),
                                           .b = number(emitter, 0)});
        break;
    case OPERATION_ATOMIC_BEGIN:
        emit(emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
        break;
    default:
        emit(emitter, (struct instruction){.op = OP_ATOMIC_END});
        break;
    }
    if (branches_count > 0) {
        for (unsigned i = 0; i < branches_count; i++) {
            builder_at(&emitter->builder, branches[i])->c = builder_here(&emitter->builder);
        }
        emit(emitter, (struct instruction){.op = OP_NOP});
    }
}

static void emit_thread(struct emitter *emitter, const struct generated *generated, unsigned thread) {
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = ACCUMULATOR, .a = number(emitter, 0)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = number(emitter, 0)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = GOT, .a = number(emitter, 0)});
    for (uint32_t held = HELD; held < REGISTERS; held++) {
        emit(emitter, (struct instruction){.op = OP_MOV, .dst = held, .a = number(emitter, 0)});
    }
    for (unsigned i = 0; i < generated->counts[thread]; i++) {
        emit_operation(emitter, &generated->operations[thread][i]);
    }
    emit(emitter, (struct instruction){.op = OP_RMW,
                                       .width = 8,
                                       .sub = ORDER_SEQ_CST,
                                       .dst = VALUE,
                                       .a = number(emitter, emitter->results[thread]),
                                       .b = ACCUMULATOR,
                                       .c = RMW_XCHG});
    if (generated->asserts && generated->asserting == thread) {
        emit(emitter, (struct instruction){.op = OP_ICMP,
                                           .width = 64,
                                           .sub = PREDICATE_NE,
                                           .dst = SCRATCH,
                                           .a = ACCUMULATOR,
                                           .b = number(emitter, generated->forbidden)});
        emit(emitter, (struct instruction){
                          .op = OP_ASSERT, .a = SCRATCH, .b = builder_string(&emitter->builder, "not the result")});
    }
    emit(emitter, (struct instruction){.op = OP_RET});
}

/* A global that final states show. */
static uint64_t emit_global(struct emitter *emitter, const char *name, uint64_t size) {
    uint32_t global = builder_global(&emitter->builder, name, size, 8, 0);
    builder_global_at(&emitter->builder, global)->pos =
        builder_position(&emitter->builder, "generated.c", 1, 1, NULL, name);
    return builder_global_at(&emitter->builder, global)->address;
}

static uint64_t emit_object(struct emitter *emitter, const char *name, uint64_t size, unsigned offset, uint32_t word) {
    uint8_t bytes[OBJECT_BYTES] = {0};
    memcpy(bytes + offset, &word, sizeof word);
    uint32_t global = builder_global(&emitter->builder, name, size, 8, 0);
    builder_global_bytes(&emitter->builder, global, bytes, size);
    return builder_global_at(&emitter->builder, global)->address;
}

static void emit_objects(struct emitter *emitter, const struct generated *generated) {
    for (unsigned i = 0; i < MODEL_MUTEXES; i++) {
        emitter->mutexes[i] =
            emit_object(emitter, i == 0 ? "mutex0" : "mutex1", OBJECT_BYTES, MUTEX_KIND, generated->mutex_kinds[i]);
    }
    for (unsigned i = 0; i < MODEL_RWLOCKS; i++) {
        emitter->rwlocks[i] = emit_object(emitter, i == 0 ? "rwlock0" : "rwlock1", 8, 0, 0);
    }
    emitter->spin = emit_object(emitter, "spin", 4, 0, 0);
    emitter->semaphore = emit_object(emitter, "semaphore", 4, 0, generated->semaphore);
    emitter->condition = emit_object(emitter, "condition", 8, 0, 0);
    emitter->barrier = emit_object(emitter, "barrier", 12, 0, generated->parties);
    emitter->once = emit_object(emitter, "once", 4, 0, 0);
}

/* Main creates the other threads in one atomic step and then runs the code of the first itself, so that there is
 * nothing to interleave but what was generated. */
void generated_build(const struct generated *generated, bool fenced, struct program *program) {
    static const char *const names[] = {"r0", "r1", "r2"};
    struct emitter emitter = {.fenced = fenced};
    builder_init(&emitter.builder);
    emitter.memory = emit_global(&emitter, "m", MODEL_MEMORY);
    for (unsigned t = 0; t < generated->threads; t++) {
        emitter.results[t] = emit_global(&emitter, names[t], 8);
    }
    emit_objects(&emitter, generated);
    builder_function(&emitter.builder, "main", 0, 0, 0);
    for (unsigned t = 1; t < generated->threads; t++) {
        builder_function(&emitter.builder, "thread", 2, 0, 0);
    }
    wholes_declare(&emitter.wholes, &emitter.builder);
    for (unsigned t = 0; t < generated->threads; t++) {
        builder_begin(&emitter.builder, t);
        if (t == 0) {
            emit(&emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
            for (unsigned k = 1; k < generated->threads; k++) {
                emit(&emitter, (struct instruction){.op = OP_SYNC,
                                                    .width = SYNC_THREAD_CREATE,
                                                    .dst = NO_REGISTER,
                                                    .a = number(&emitter, function_address(k)),
                                                    .b = number(&emitter, 0),
                                                    .c = number(&emitter, 0)});
            }
            emit(&emitter, (struct instruction){.op = OP_ATOMIC_END});
        }
        emit_thread(&emitter, generated, t);
        builder_end(&emitter.builder, REGISTERS);
    }
    wholes_emit(&emitter.wholes, &emitter.builder);
    builder_finish(&emitter.builder, program);
}
