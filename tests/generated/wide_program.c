/* Builds, prints and simplifies generated programs. */
#include <string.h>

#include "ir/builder.h"
#include "ir/print.h"
#include "wide_program.h"

#define RWLOCKS 2

/* --- Building ----------------------------------------------------------------------------------------------------- */

enum register_use {
    HEAP,
    UNUSED,
    LAST,
    GOT,
    VALUE,
    SUCCESS,
    SCRATCH,
    PLACE,
    OBSERVED,
    CHILDREN,
    REGISTERS = CHILDREN + WIDE_THREADS
};

struct emitter {
    struct builder builder;
    uint64_t memory;
    uint64_t numbers; /* of threads, as far as they are announced */
    uint64_t pointers;
    uint64_t observations; /* by thread */
    bool observed;
    uint64_t mutexes[WIDE_MUTEXES];
    uint64_t rwlocks[RWLOCKS];
    uint64_t spin;
    uint64_t semaphore;
    uint64_t condition;
    uint64_t barrier;
    uint64_t once;
    struct wholes wholes;
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
        return emitter->mutexes[object % WIDE_MUTEXES];
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
    default:
        return emitter->rwlocks[object % RWLOCKS];
    }
}

static void emit_sync(struct emitter *emitter, const struct wide_operation *operation, uint8_t flags) {
    if (operation->sync >= SYNC_COUNT) {
        uint64_t object = object_address(emitter, operation->sync, 0);
        emit(emitter,
             whole_call(&emitter->wholes, &emitter->builder, operation->sync, object, emitter->mutexes[0], GOT));
        return;
    }
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

/* The thread stores at its end that it has seen this value. */
static void emit_observed(struct emitter *emitter, uint32_t value) {
    if (emitter->observed) {
        emit(emitter,
             (struct instruction){.op = OP_MUL, .width = 64, .dst = OBSERVED, .a = OBSERVED, .b = number(emitter, 9)});
        emit(emitter, (struct instruction){.op = OP_ADD, .width = 64, .dst = OBSERVED, .a = OBSERVED, .b = value});
    }
}

/* An error if all threads have stored that they have seen what is forbidden. */
static void emit_forbidden(struct emitter *emitter, const struct wide_program *wide) {
    emit(emitter, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = SUCCESS, .a = number(emitter, 0)});
    for (unsigned t = 0; t < wide->threads; t++) {
        emit(emitter, (struct instruction){.op = OP_LOAD,
                                           .width = 8,
                                           .dst = VALUE,
                                           .a = address(emitter, emitter->observations + 8 * (uint64_t)t)});
        emit_compare(emitter, PREDICATE_NE, SCRATCH, VALUE, wide->forbidden[t]);
        emit(emitter, (struct instruction){.op = OP_OR, .width = 64, .dst = SUCCESS, .a = SUCCESS, .b = SCRATCH});
    }
    emit(emitter,
         (struct instruction){.op = OP_ASSERT, .a = SUCCESS, .b = builder_string(&emitter->builder, "not forbidden")});
}

/* The value is the one read last. */
static void emit_last(struct emitter *emitter, uint32_t value) {
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = value});
    emit_observed(emitter, value);
}

static void emit_await_load(struct emitter *emitter, unsigned offset, unsigned size) {
    emit(emitter, (struct instruction){.op = OP_LOAD,
                                       .width = (uint8_t)size,
                                       .flags = INSTRUCTION_AWAIT,
                                       .dst = VALUE,
                                       .a = address(emitter, emitter->memory + offset)});
}

/* A waiting loop: SCRATCH says whether the iteration has read what it waits for. */
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
    emit_last(emitter, VALUE);
}

static uint32_t sum(struct emitter *emitter, uint32_t a, uint32_t b) {
    emit(emitter, (struct instruction){.op = OP_ADD, .width = 64, .dst = PLACE, .a = a, .b = b});
    return PLACE;
}

static uint32_t pointer_address(struct emitter *emitter, const struct wide_operation *operation) {
    return address(emitter, emitter->pointers + 8 * (uint64_t)(operation->object % WIDE_POINTERS));
}

/* The global's place, or the one `stride` further, as PLACE says with 0 or 1. */
static uint32_t chosen_place(struct emitter *emitter, const struct wide_operation *operation) {
    emit(emitter, (struct instruction){
                      .op = OP_MUL, .width = 64, .dst = PLACE, .a = PLACE, .b = number(emitter, operation->stride)});
    return sum(emitter, PLACE, address(emitter, emitter->memory + operation->offset));
}

static uint32_t computed_address(struct emitter *emitter, const struct wide_operation *operation) {
    switch (operation->address) {
    case WIDE_AT_INPUT:
        emit(emitter,
             (struct instruction){
                 .op = OP_NONDET, .width = 64, .dst = PLACE, .a = number(emitter, 0), .b = number(emitter, 1)});
        return chosen_place(emitter, operation);
    case WIDE_AT_LAST:
        emit(emitter,
             (struct instruction){.op = OP_AND, .width = 64, .dst = PLACE, .a = LAST, .b = number(emitter, 1)});
        return chosen_place(emitter, operation);
    case WIDE_AT_POINTER:
        emit(emitter,
             (struct instruction){.op = OP_LOAD, .width = 8, .dst = PLACE, .a = pointer_address(emitter, operation)});
        return sum(emitter, PLACE, number(emitter, operation->offset));
    case WIDE_AT_HEAP:
        return sum(emitter, HEAP, number(emitter, operation->offset));
    default:
        return address(emitter, emitter->memory + operation->offset);
    }
}

static uint32_t place_address(struct emitter *emitter, const struct wide_operation *operation) {
    switch (operation->kind) {
    case WIDE_HEAP_LOAD:
    case WIDE_HEAP_STORE:
        return sum(emitter, HEAP, number(emitter, operation->offset));
    case WIDE_WORD_LOAD:
    case WIDE_WORD_STORE:
    case WIDE_WORD_ADD:
        return address(emitter, object_address(emitter, operation->sync, operation->object) + operation->offset);
    default:
        return computed_address(emitter, operation);
    }
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
    case WIDE_WORD_LOAD:
        access.op = OP_LOAD;
        access.b = 0;
        break;
    case WIDE_ADD:
    case WIDE_EXCHANGE:
    case WIDE_WORD_ADD:
        access.op = OP_RMW;
        access.c = operation->kind == WIDE_EXCHANGE ? RMW_XCHG : RMW_ADD;
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
    emit_last(emitter, VALUE);
}

static uint32_t number_address(struct emitter *emitter, unsigned thread) {
    return address(emitter, emitter->numbers + 4 * (uint64_t)thread);
}

static void emit_thread(struct emitter *emitter, const struct wide_operation *operation) {
    uint32_t branch = 0;
    uint32_t thread = CHILDREN + operation->object;
    if (operation->number == WIDE_NUMBER_KNOWN) {
        thread = number(emitter, operation->value);
    } else if (operation->number == WIDE_NUMBER_STORED) {
        thread = SCRATCH;
        emit(emitter, (struct instruction){
                          .op = OP_LOAD, .width = 4, .dst = SCRATCH, .a = number_address(emitter, operation->object)});
        branch = here(emitter);
        emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = branch + 1});
    }
    emit(emitter, (struct instruction){.op = OP_SYNC,
                                       .width = (uint8_t)operation->sync,
                                       .sub = operation->sync == SYNC_THREAD_DETACH ? 1 : 2,
                                       .dst = GOT,
                                       .a = thread,
                                       .b = number(emitter, 0),
                                       .c = number(emitter, 0)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = GOT});
    if (operation->number == WIDE_NUMBER_STORED) {
        builder_at(&emitter->builder, branch)->c = here(emitter);
        emit(emitter, (struct instruction){.op = OP_NOP});
    }
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
        emit(emitter, (struct instruction){.op = OP_NONDET,
                                           .width = 32,
                                           .dst = LAST,
                                           .a = number(emitter, 0),
                                           .b = number(emitter, 1 + operation->object)});
        emit_observed(emitter, LAST);
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
    case WIDE_ANNOUNCE:
        emit(emitter, (struct instruction){.op = OP_CHILD, .dst = SCRATCH});
        emit(emitter, (struct instruction){
                          .op = OP_STORE, .width = 4, .a = number_address(emitter, operation->object), .b = SCRATCH});
        break;
    case WIDE_THREAD:
        emit_thread(emitter, operation);
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
    case WIDE_MALLOC:
        emit(emitter, (struct instruction){
                          .op = OP_MALLOC, .dst = HEAP, .a = number(emitter, WIDE_BYTES), .b = number(emitter, 8)});
        break;
    case WIDE_COMPARE:
        if (operation->address == WIDE_AT_HEAP) {
            emit(emitter,
                 (struct instruction){
                     .op = OP_ADD, .width = 64, .dst = VALUE, .a = HEAP, .b = number(emitter, operation->offset)});
        } else {
            emit(emitter, (struct instruction){
                              .op = OP_LOAD, .width = 8, .dst = VALUE, .a = pointer_address(emitter, operation)});
        }
        emit(emitter, (struct instruction){
                          .op = OP_ICMP, .width = 64, .sub = PREDICATE_EQ, .dst = SCRATCH, .a = VALUE, .b = HEAP});
        emit_last(emitter, SCRATCH);
        break;
    case WIDE_SWING:
        emit(emitter, (struct instruction){.op = OP_CAS,
                                           .width = 8,
                                           .sub = ORDER_SEQ_CST,
                                           .dst = VALUE,
                                           .a = pointer_address(emitter, operation),
                                           .b = HEAP,
                                           .c = address(emitter, emitter->memory + operation->offset)});
        emit_last(emitter, SUCCESS);
        break;
    case WIDE_POINT:
        emit(emitter, (struct instruction){.op = OP_STORE,
                                           .width = 8,
                                           .sub = (uint8_t)operation->order,
                                           .a = pointer_address(emitter, operation),
                                           .b = operation->address == WIDE_AT_HEAP
                                                    ? HEAP
                                                    : address(emitter, emitter->memory + operation->offset)});
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

static bool reads_stored_numbers(const struct wide_program *wide) {
    for (unsigned t = 0; t < wide->threads; t++) {
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            const struct wide_operation *operation = &wide->operations[t][i];
            if (operation->kind == WIDE_THREAD && operation->number == WIDE_NUMBER_STORED) {
                return true;
            }
        }
    }
    return false;
}

static void emit_main_start(struct emitter *emitter, const struct wide_program *wide) {
    emit(emitter,
         (struct instruction){.op = OP_MALLOC, .dst = HEAP, .a = number(emitter, WIDE_BYTES), .b = number(emitter, 8)});
    if (!wide->atomic_start) {
        return;
    }
    emit(emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
    for (unsigned t = 1; t < wide->threads; t++) {
        if (reads_stored_numbers(wide)) {
            emit_plain(emitter, &(struct wide_operation){.kind = WIDE_ANNOUNCE, .object = t});
        }
        emit_plain(emitter, &(struct wide_operation){.kind = WIDE_CREATE, .object = t});
    }
    emit(emitter, (struct instruction){.op = OP_ATOMIC_END});
}

void wide_build(const struct wide_program *wide, struct program *program) {
    struct emitter emitter = {.observed = wide->observed};
    const uint32_t semaphore = wide->semaphore;
    const uint32_t parties = wide->parties;
    builder_init(&emitter.builder);
    emitter.memory = emit_global(&emitter, "m", WIDE_BYTES, NULL, 0);
    if (wide->observed) {
        const uint64_t pointers[WIDE_POINTERS] = {emitter.memory, emitter.memory + 8};
        emitter.pointers = emit_global(&emitter, "pointers", sizeof pointers, pointers, sizeof pointers);
        emitter.observations = emit_global(&emitter, "observations", 8 * WIDE_THREADS, NULL, 0);
    }
    emitter.numbers = emit_global(&emitter, "numbers", 4 * WIDE_THREADS, NULL, 0);
    for (unsigned i = 0; i < WIDE_MUTEXES; i++) {
        uint8_t mutex[MUTEX_BYTES] = {[MUTEX_KIND] = (uint8_t)wide->mutex_kinds[i]};
        emitter.mutexes[i] = emit_global(&emitter, i == 0 ? "mutex0" : "mutex1", MUTEX_BYTES, mutex, sizeof mutex);
    }
    for (unsigned i = 0; i < RWLOCKS; i++) {
        emitter.rwlocks[i] = emit_global(&emitter, i == 0 ? "rwlock0" : "rwlock1", 8, NULL, 0);
    }
    emitter.spin = emit_global(&emitter, "spin", 4, NULL, 0);
    emitter.semaphore = emit_global(&emitter, "semaphore", 4, &semaphore, sizeof semaphore);
    emitter.condition = emit_global(&emitter, "condition", 8, NULL, 0);
    emitter.barrier = emit_global(&emitter, "barrier", 12, &parties, sizeof parties);
    emitter.once = emit_global(&emitter, "once", 4, NULL, 0);
    builder_function(&emitter.builder, "main", 0, 0, 0);
    for (unsigned t = 1; t < wide->threads; t++) {
        builder_function(&emitter.builder, "thread", 2, 0, 0);
    }
    wholes_declare(&emitter.wholes, &emitter.builder);
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
        if (wide->observed) {
            emit(&emitter, (struct instruction){.op = OP_STORE,
                                                .width = 8,
                                                .a = address(&emitter, emitter.observations + 8 * (uint64_t)t),
                                                .b = OBSERVED});
        }
        if (t == 0 && wide->forbids) {
            emit_forbidden(&emitter, wide);
        }
        emit(&emitter, (struct instruction){.op = OP_RET});
        builder_end(&emitter.builder, REGISTERS);
    }
    wholes_emit(&emitter.wholes, &emitter.builder);
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
        [WIDE_ANNOUNCE] = "announce",
        [WIDE_WORD_LOAD] = "load word",
        [WIDE_WORD_STORE] = "store word",
        [WIDE_WORD_ADD] = "add to word",
        [WIDE_ATOMIC_BEGIN] = "atomic begin",
        [WIDE_ATOMIC_END] = "atomic end",
        [WIDE_HEAP_LOAD] = "heap load",
        [WIDE_HEAP_STORE] = "heap store",
        [WIDE_FREE] = "free",
        [WIDE_MALLOC] = "malloc",
        [WIDE_POINT] = "point",
        [WIDE_COMPARE] = "compare",
        [WIDE_SWING] = "swing",
    };
    fprintf(file, "    %s%s",
            operation->if_got        ? "if got: "
            : operation->conditional ? "if odd: "
                                     : "",
            names[operation->kind] ? names[operation->kind] : "");
    if (operation->kind == WIDE_SYNC || operation->kind == WIDE_AWAIT_TRY) {
        fprintf(file, " %s %u\n", sync_or_whole_name(operation->sync), operation->object);
    } else if (operation->kind == WIDE_CREATE || operation->kind == WIDE_ANNOUNCE) {
        fprintf(file, " %u\n", operation->object);
    } else if (operation->kind == WIDE_CHOICE) {
        fprintf(file, " 0..%u\n", operation->object + 1);
    } else if (operation->kind == WIDE_THREAD && operation->number == WIDE_NUMBER_KNOWN) {
        fprintf(file, "%s number %llu\n", sync_or_whole_name(operation->sync), (unsigned long long)operation->value);
    } else if (operation->kind == WIDE_THREAD) {
        fprintf(file, "%s %s number of thread %u\n", sync_or_whole_name(operation->sync),
                operation->number == WIDE_NUMBER_STORED ? "stored" : "own", operation->object);
    } else if (operation->kind >= WIDE_WORD_LOAD && operation->kind <= WIDE_WORD_ADD) {
        fprintf(file, " %u of %s %u, value %llu%s\n", operation->offset, sync_or_whole_name(operation->sync),
                operation->object, (unsigned long long)operation->value, operation->relative ? "+last" : "");
    } else {
        static const char *const addresses[] = {"", " + input", " + last odd", " of pointer", " of heap"};
        if (operation->address != WIDE_AT_PLACE || operation->kind >= WIDE_COMPARE) {
            fprintf(file, " (%s, %u, stride %u)", addresses[operation->address], operation->object, operation->stride);
        }
        fprintf(file, " %u..%u value %llx%s expected %llx, second %u..%u, %s\n", operation->offset,
                operation->offset + operation->size - 1, (unsigned long long)operation->value,
                operation->relative ? "+last" : "", (unsigned long long)operation->expected, operation->offset2,
                operation->offset2 + operation->size2 - 1, order_names[operation->order]);
    }
}

void wide_print(const struct wide_program *wide, FILE *file) {
    static const char *const kinds[] = {"normal", "recursive", "error-checking"};
    fprintf(file, "program %llu, %s, semaphore %u, barrier %u, mutexes %s, %s%s%s\n", (unsigned long long)wide->seed,
            wide->topic, wide->semaphore, wide->parties, kinds[wide->mutex_kinds[0]], kinds[wide->mutex_kinds[1]],
            wide->spurious ? ", spurious"
            : wide->stale  ? ", --check stale"
                           : "",
            wide->atomic_start ? ", atomic start" : "");
    for (unsigned t = 0; t < wide->threads; t++) {
        fprintf(file, "  thread %u\n", t);
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            print_operation(&wide->operations[t][i], file);
        }
    }
}

/* --- Making smaller ----------------------------------------------------------------------------------------------- */

/* Of a program, and of each of its operations. */
#define SIMPLIFICATIONS 5
#define OPERATION_SIMPLIFICATIONS 7

unsigned wide_changes(const struct wide_program *wide) {
    (void)wide;
    return SIMPLIFICATIONS + WIDE_THREADS * WIDE_OPERATIONS * OPERATION_SIMPLIFICATIONS;
}

static bool set_false(bool *flag) {
    bool before = *flag;
    *flag = false;
    return before;
}

static bool set_number(unsigned *number, unsigned to) {
    bool changes = *number != to;
    *number = to;
    return changes;
}

/* Drops the last thread, and what creates it. */
static bool drop_thread(struct wide_program *wide) {
    if (wide->threads == 2 || wide->counts[2] > 0) {
        return false;
    }
    wide->threads = 2;
    for (unsigned t = 0; t < 2; t++) {
        unsigned kept = 0;
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            const struct wide_operation *operation = &wide->operations[t][i];
            bool names = operation->kind == WIDE_CREATE || operation->kind == WIDE_ANNOUNCE ||
                         (operation->kind == WIDE_THREAD && operation->number != WIDE_NUMBER_KNOWN);
            if (!names || operation->object != 2) {
                wide->operations[t][kept++] = *operation;
            }
        }
        wide->counts[t] = kept;
    }
    return true;
}

static bool simplify(struct wide_program *wide, unsigned change) {
    switch (change) {
    case 0:
        return drop_thread(wide);
    case 1:
        return set_false(&wide->spurious);
    case 2:
        return set_number(&wide->parties, 2);
    case 3:
        return set_number(&wide->mutex_kinds[0], 0);
    default:
        return set_number(&wide->mutex_kinds[1], 0);
    }
}

static void remove_operation(struct wide_program *wide, unsigned thread, unsigned at) {
    struct wide_operation *operations = wide->operations[thread];
    wide->counts[thread]--;
    memmove(operations + at, operations + at + 1, (wide->counts[thread] - at) * sizeof *operations);
}

/* A section goes as a whole, and what stood in it stays. */
static bool drop_operation(struct wide_program *wide, unsigned thread, unsigned at) {
    enum wide_kind kind = wide->operations[thread][at].kind;
    if (kind == WIDE_ATOMIC_END) {
        return false;
    }
    remove_operation(wide, thread, at);
    while (kind == WIDE_ATOMIC_BEGIN && at < wide->counts[thread]) {
        if (wide->operations[thread][at].kind == WIDE_ATOMIC_END) {
            remove_operation(wide, thread, at);
            break;
        }
        at++;
    }
    return true;
}

bool wide_change(struct wide_program *wide, unsigned change) {
    if (change < SIMPLIFICATIONS) {
        return simplify(wide, change);
    }
    change -= SIMPLIFICATIONS;
    unsigned simplification = change / (WIDE_THREADS * WIDE_OPERATIONS);
    unsigned thread = change / WIDE_OPERATIONS % WIDE_THREADS;
    unsigned at = change % WIDE_OPERATIONS;
    if (thread >= wide->threads || at >= wide->counts[thread]) {
        return false;
    }
    struct wide_operation *operation = &wide->operations[thread][at];
    switch (simplification) {
    case 0:
        return drop_operation(wide, thread, at);
    case 1:
        return set_false(&operation->conditional);
    case 2:
        return set_false(&operation->if_got);
    case 3:
        return set_false(&operation->relative);
    case 4:
        return operation->kind == WIDE_CHOICE && set_number(&operation->object, 0);
    case 5: {
        bool changes = operation->address != WIDE_AT_PLACE;
        operation->address = WIDE_AT_PLACE;
        return changes;
    }
    default:
        if (operation->order == ORDER_PLAIN || operation->kind == WIDE_FENCE) {
            return false;
        }
        operation->order = ORDER_PLAIN;
        return true;
    }
}
