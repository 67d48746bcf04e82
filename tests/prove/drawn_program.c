/* Drawing, building, printing and shrinking. */
#include "drawn_program.h"

#include <string.h>

#include "ir/builder.h"

/* --- Drawing ------------------------------------------------------------------------------------------------------ */

static uint64_t next(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned below(uint64_t *state, unsigned count) {
    return (unsigned)(next(state) % count);
}

static void draw_place(uint64_t *state, bool mixed, struct drawn_operation *operation) {
    static const unsigned sizes[] = {1, 1, 2, 4, 8};
    operation->size = mixed ? sizes[below(state, 5)] : 2;
    operation->offset = mixed ? below(state, 4) / operation->size * operation->size : 2 * below(state, 3);
}

static void draw_operation(uint64_t *state, const struct drawn_program *drawn, bool mixed, bool inside,
                           struct drawn_operation *operation) {
    static const enum drawn_kind kinds[] = {
        DRAWN_LOAD,         DRAWN_LOAD,          DRAWN_LOAD, DRAWN_LOAD,  DRAWN_STORE,     DRAWN_STORE, DRAWN_STORE,
        DRAWN_STORE,        DRAWN_ADD,           DRAWN_CAS,  DRAWN_CAS,   DRAWN_EXCHANGE,  DRAWN_FENCE, DRAWN_POINT,
        DRAWN_LOAD_POINTED, DRAWN_STORE_POINTED, DRAWN_LOAD, DRAWN_STORE, DRAWN_LOAD_HEAP, DRAWN_FREE};
    *operation = (struct drawn_operation){.kind = kinds[below(state, sizeof kinds / sizeof *kinds)]};
    if (operation->kind >= DRAWN_FREE && (!drawn->heap || inside)) {
        operation->kind = DRAWN_LOAD;
    }
    draw_place(state, mixed, operation);
    operation->live = below(state, 3) > 0;
    operation->conditional = below(state, 4) == 0;
    operation->relative = below(state, 6) == 0;
    operation->indexed = below(state, 5) == 0;
    operation->value = below(state, 3);
    operation->expected = below(state, 3);
}

static bool can_skip(enum drawn_kind kind) {
    return kind != DRAWN_BEGIN && kind != DRAWN_END && kind != DRAWN_LOCK && kind != DRAWN_UNLOCK;
}

/* Sections and locked parts are opened and closed around what is drawn. */
static void draw_body(uint64_t *state, struct drawn_program *drawn, bool mixed, unsigned body) {
    unsigned wanted = 2 + below(state, 4);
    unsigned count = 0;
    enum drawn_kind open = DRAWN_KINDS;
    bool freed = false;
    for (unsigned i = 0; i < wanted && count + 2 < DRAWN_AT_FIRST; i++) {
        struct drawn_operation *operation = &drawn->operations[body][count];
        if (open == DRAWN_KINDS && below(state, 6) == 0) {
            open = below(state, 3) == 0 ? DRAWN_LOCK : DRAWN_BEGIN;
            *operation = (struct drawn_operation){.kind = open};
            count++;
            operation++;
        } else if (open != DRAWN_KINDS && below(state, 2) == 0) {
            *operation = (struct drawn_operation){.kind = open == DRAWN_LOCK ? DRAWN_UNLOCK : DRAWN_END};
            open = DRAWN_KINDS;
            count++;
            operation++;
        }
        draw_operation(state, drawn, mixed, open == DRAWN_BEGIN, operation);
        if (operation->kind == DRAWN_FREE) {
            operation->conditional = false;
            if (freed || body > 0) {
                operation->kind = DRAWN_FENCE;
            }
            freed = true;
        }
        count++;
    }
    if (open == DRAWN_KINDS && below(state, 4) > 0) {
        /* What the theorem is about: a store, then a load. */
        draw_operation(state, drawn, mixed, false, &drawn->operations[body][count]);
        if (can_skip(drawn->operations[body][0].kind)) {
            draw_operation(state, drawn, mixed, false, &drawn->operations[body][0]);
            drawn->operations[body][0].kind = below(state, 6) > 0 ? DRAWN_STORE : DRAWN_STORE_POINTED;
        }
        drawn->operations[body][count].kind = below(state, 6) > 0 ? DRAWN_LOAD : DRAWN_LOAD_POINTED;
        drawn->operations[body][count].live = below(state, 8) > 0;
        count++;
    }
    if (open != DRAWN_KINDS) {
        drawn->operations[body][count++] =
            (struct drawn_operation){.kind = open == DRAWN_LOCK ? DRAWN_UNLOCK : DRAWN_END};
    }
    drawn->counts[body] = count;
}

/* One operation on one of two places, which are two bytes of one word or two words. */
static void add_sharp(uint64_t *state, struct drawn_program *drawn, unsigned body, bool mixed, enum drawn_kind kind,
                      unsigned place) {
    drawn->operations[body][drawn->counts[body]++] = (struct drawn_operation){
        .kind = kind,
        .live = true,
        .offset = mixed ? place : 2 * place,
        .size = mixed ? 1 : 2,
        .value = below(state, 2),
        .expected = below(state, 2),
    };
}

static struct drawn_operation *last_sharp(struct drawn_program *drawn, unsigned body) {
    return &drawn->operations[body][drawn->counts[body] - 1];
}

/* The other side: it reads one place and writes the other, with all that drains in between. */
static void draw_other_side(uint64_t *state, struct drawn_program *drawn, bool mixed) {
    switch (below(state, 5)) {
    case 0: /* a section whose store depends on what it reads */
        add_sharp(state, drawn, 1, mixed, DRAWN_BEGIN, 0);
        add_sharp(state, drawn, 1, mixed, DRAWN_LOAD, 0);
        last_sharp(drawn, 1)->live = true;
        add_sharp(state, drawn, 1, mixed, DRAWN_STORE, 1);
        last_sharp(drawn, 1)->conditional = true;
        add_sharp(state, drawn, 1, mixed, DRAWN_END, 0);
        return;
    case 1: /* a compare-and-swap over both places, or one */
        add_sharp(state, drawn, 1, mixed, DRAWN_CAS, below(state, 2));
        if (mixed) {
            last_sharp(drawn, 1)->size = 2;
            last_sharp(drawn, 1)->offset = 0;
        }
        add_sharp(state, drawn, 1, mixed, below(state, 2) ? DRAWN_LOAD : DRAWN_CAS, below(state, 2));
        return;
    case 2:
        add_sharp(state, drawn, 1, mixed, below(state, 2) ? DRAWN_EXCHANGE : DRAWN_ADD, 1);
        add_sharp(state, drawn, 1, mixed, DRAWN_LOAD, 0);
        return;
    case 3:
        add_sharp(state, drawn, 1, mixed, DRAWN_STORE, 1);
        add_sharp(state, drawn, 1, mixed, DRAWN_FENCE, 0);
        add_sharp(state, drawn, 1, mixed, below(state, 3) ? DRAWN_LOAD : DRAWN_CAS, 0);
        return;
    default:
        add_sharp(state, drawn, 1, mixed, DRAWN_STORE, 1);
        add_sharp(state, drawn, 1, mixed, DRAWN_STORE, 0);
        return;
    }
}

/* A store and a load that may pass it, beside a thread that can notice. */
static void draw_sharp(uint64_t *state, struct drawn_program *drawn) {
    bool mixed = below(state, 3) == 0;
    drawn->heap = false;
    drawn->bodies = 2;
    drawn->threads[0] = drawn->threads[1] = 1;
    drawn->counts[0] = drawn->counts[1] = 0;
    if (below(state, 4) == 0) {
        add_sharp(state, drawn, 0, mixed, DRAWN_STORE, 1);
    }
    add_sharp(state, drawn, 0, mixed, DRAWN_STORE, 0);
    if (below(state, 6) == 0) {
        add_sharp(state, drawn, 0, mixed, DRAWN_STORE, below(state, 2));
    }
    add_sharp(state, drawn, 0, mixed, DRAWN_LOAD, 1);
    draw_other_side(state, drawn, mixed);
}

void drawn_draw(struct drawn_program *drawn, uint64_t seed) {
    uint64_t state = seed * 77 + 5;
    *drawn = (struct drawn_program){.seed = seed};
    bool mixed = below(&state, 3) == 0;
    drawn->heap = below(&state, 8) == 0;
    for (unsigned i = 0; i < sizeof drawn->initial; i++) {
        drawn->initial[i] = below(&state, 4) == 0;
    }
    drawn->bodies = 1 + below(&state, 2);
    for (unsigned b = 0; b < drawn->bodies; b++) {
        drawn->threads[b] = drawn->bodies == 1 || (below(&state, 4) == 0 && b == 0) ? 2 : 1;
        draw_body(&state, drawn, mixed, b);
    }
    if (drawn->heap) {
        drawn->threads[0] = 1;
    }
    if (below(&state, 2)) {
        draw_sharp(&state, drawn);
    }
}

/* --- Annotations -------------------------------------------------------------------------------------------------- */

static void draw_condition(uint64_t *state, struct drawn_operation *operation) {
    static const enum predicate predicates[] = {PREDICATE_EQ, PREDICATE_NE, PREDICATE_ULE, PREDICATE_ULE,
                                                PREDICATE_UGE};
    operation->predicate = predicates[below(state, 5)];
    operation->value = below(state, 3);
}

static void insert_operation(struct drawn_program *drawn, unsigned body, unsigned at,
                             struct drawn_operation operation) {
    unsigned count = drawn->counts[body];
    if (count < DRAWN_OPERATIONS) {
        memmove(&drawn->operations[body][at + 1], &drawn->operations[body][at],
                (count - at) * sizeof drawn->operations[body][0]);
        drawn->operations[body][at] = operation;
        drawn->counts[body]++;
    }
}

static bool inside_section(const struct drawn_program *drawn, unsigned body, unsigned at) {
    int depth = 0;
    for (unsigned i = 0; i < at; i++) {
        depth += drawn->operations[body][i].kind == DRAWN_BEGIN;
        depth -= drawn->operations[body][i].kind == DRAWN_END;
    }
    return depth > 0;
}

static bool can_abstract(const struct drawn_program *drawn, unsigned body, unsigned at) {
    const struct drawn_operation *operation = &drawn->operations[body][at];
    return (operation->kind == DRAWN_LOAD || operation->kind == DRAWN_EXCHANGE || operation->kind == DRAWN_CAS) &&
           !operation->indexed && operation->size == 1 && !inside_section(drawn, body, at);
}

void drawn_annotate(struct drawn_program *drawn, uint64_t seed) {
    uint64_t state = seed * 131 + 17;
    bool bytes = below(&state, 2);
    for (unsigned b = 0; b < drawn->bodies; b++) {
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            struct drawn_operation *operation = &drawn->operations[b][i];
            operation->size = bytes ? 1 : operation->size;
        }
        unsigned abstractions = 0;
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            if (can_abstract(drawn, b, i) && abstractions == 0 && below(&state, 3) == 0) {
                drawn->operations[b][i].abstraction = (enum drawn_abstraction)(1 + below(&state, ABSTRACT_KINDS - 1));
                drawn->operations[b][i].relative = false;
                abstractions++;
            }
        }
        for (unsigned i = 0; i < 2; i++) {
            struct drawn_operation claim = {.kind = below(&state, 2) ? DRAWN_CLAIM : DRAWN_ASSERT,
                                            .size = bytes ? 1 : 2,
                                            .offset = bytes ? below(&state, 2) : 2 * below(&state, 2),
                                            .relative = below(&state, 4) == 0};
            unsigned at = below(&state, drawn->counts[b] + 1);
            draw_condition(&state, &claim);
            if (claim.kind == DRAWN_ASSERT || !inside_section(drawn, b, at)) {
                insert_operation(drawn, b, at, claim);
            }
        }
    }
    drawn->invariants = below(&state, 3);
    for (unsigned i = 0; i < drawn->invariants; i++) {
        drawn->invariant[i] = (struct drawn_operation){
            .kind = DRAWN_CLAIM, .size = bytes ? 1 : 2, .offset = bytes ? below(&state, 2) : 2 * below(&state, 2)};
        draw_condition(&state, &drawn->invariant[i]);
    }
}

/* May the operation be part of a loop? */
static bool can_repeat(enum drawn_kind kind) {
    return can_skip(kind) && kind != DRAWN_FREE;
}

void drawn_spin(struct drawn_program *drawn, uint64_t seed) {
    uint64_t state = seed * 131 + 17;
    if (below(&state, 2)) {
        /* A store that the other thread waits for, and a load that may pass it. */
        drawn->heap = false;
        drawn->bodies = 2;
        drawn->threads[0] = drawn->threads[1] = 1;
        drawn->counts[0] = drawn->counts[1] = 0;
        memset(drawn->initial, 0, sizeof drawn->initial);
        add_sharp(&state, drawn, 0, false, DRAWN_STORE, 0);
        last_sharp(drawn, 0)->value = 1;
        add_sharp(&state, drawn, 0, false, DRAWN_LOAD, 1);
        if (below(&state, 2)) {
            add_sharp(&state, drawn, 1, false, below(&state, 2) ? DRAWN_STORE : DRAWN_LOAD, below(&state, 3));
        }
        add_sharp(&state, drawn, 1, false, below(&state, 4) ? DRAWN_LOAD : DRAWN_EXCHANGE, 0);
        struct drawn_operation *waits = last_sharp(drawn, 1);
        waits->expected = below(&state, 4) == 0;
        waits->back = 1 + below(&state, drawn->counts[1]);
        for (unsigned i = 0; i < drawn->counts[1]; i++) {
            drawn->operations[1][i].live = false;
        }
        add_sharp(&state, drawn, 1, false, DRAWN_STORE, 1);
        last_sharp(drawn, 1)->value = 1;
        if (below(&state, 2)) {
            add_sharp(&state, drawn, 0, false, DRAWN_STORE, 2);
        }
        return;
    }
    for (unsigned b = 0; b < drawn->bodies; b++) {
        unsigned last = below(&state, drawn->counts[b]);
        struct drawn_operation *end = &drawn->operations[b][last];
        if (end->kind != DRAWN_LOAD && end->kind != DRAWN_EXCHANGE) {
            continue;
        }
        end->conditional = false;
        end->expected = below(&state, 2);
        end->back = 1 + (below(&state, 3) == 0 ? below(&state, last + 1) : 0);
        for (unsigned i = 0; i < end->back; i++) {
            /* What the loop reads is not added up, or it would never wait in the same state. */
            drawn->operations[b][last - i].live = false;
            if (!can_repeat(drawn->operations[b][last - i].kind)) {
                end->back = i;
            }
        }
    }
}

/* An operation on the array, or on the first place, which has an index; now and then something else. */
static void add_queue_operation(uint64_t *state, struct drawn_program *drawn, unsigned body,
                                struct drawn_operation operation) {
    operation.size = 2;
    operation.live = operation.kind == DRAWN_LOAD && !(operation.element && below(state, 4) == 0);
    if (below(state, 12) == 0) {
        draw_operation(state, drawn, false, false, &operation);
    }
    if (below(state, 12) > 0 && drawn->counts[body] < DRAWN_OPERATIONS) {
        drawn->operations[body][drawn->counts[body]++] = operation;
    }
}

void drawn_index(struct drawn_program *drawn, uint64_t seed) {
    uint64_t state = seed * 131 + 29;
    uint64_t value = 1 + below(&state, 2);
    drawn->heap = false;
    drawn->bodies = 2;
    drawn->threads[0] = 1 + (below(&state, 8) == 0);
    drawn->threads[1] = 1 + below(&state, 2);
    drawn->counts[0] = drawn->counts[1] = 0;
    memset(drawn->initial, 0, sizeof drawn->initial);
    for (unsigned i = 0; i < 1 + below(&state, 2); i++) {
        struct drawn_operation load = {.kind = DRAWN_LOAD};
        struct drawn_operation fill = {.kind = DRAWN_STORE, .element = true, .value = value};
        struct drawn_operation raise = {.kind = DRAWN_STORE, .relative = true, .value = 1};
        bool early = below(&state, 6) == 0;
        add_queue_operation(&state, drawn, 0, load);
        add_queue_operation(&state, drawn, 0, early ? raise : fill);
        add_queue_operation(&state, drawn, 0, early ? fill : raise);
    }
    if (below(&state, 2)) {
        add_queue_operation(&state, drawn, 0, (struct drawn_operation){.kind = DRAWN_LOAD, .offset = 2});
    }
    add_queue_operation(&state, drawn, 1, (struct drawn_operation){.kind = DRAWN_LOAD});
    add_queue_operation(&state, drawn, 1,
                        (struct drawn_operation){.kind = DRAWN_LOAD,
                                                 .element = true,
                                                 .conditional = below(&state, 4) > 0,
                                                 .expected = below(&state, 4) ? 3 : 0});
    if (below(&state, 2)) {
        struct drawn_operation assertion = {.kind = DRAWN_ASSERT, .predicate = PREDICATE_NE, .conditional = true};
        assertion.value = below(&state, 4) ? 3 - value : 0;
        add_queue_operation(&state, drawn, 1, assertion);
    }
    add_queue_operation(&state, drawn, 1, (struct drawn_operation){.kind = DRAWN_STORE, .offset = 2, .value = 1});
}

/* --- Building ----------------------------------------------------------------------------------------------------- */

enum { LAST, RESULT, FLAG, ADDRESS, OLD, OLD_FLAG, ARGUMENT_COPY, PLACE, REGISTERS_BEHIND };

struct building {
    struct builder *builder;
    const struct drawn_program *drawn;
    uint64_t memory; /* addresses of globals */
    uint64_t elements;
    uint64_t results;
    uint64_t mutex;
    uint64_t pointer;
    uint64_t heap_pointer;
};

/* Registers 0 and 1 are the parameters. */
static uint32_t reg(unsigned which) {
    return 2 + which;
}

static uint32_t number(const struct building *building, uint64_t value) {
    return builder_constant(building->builder, value);
}

static uint32_t emit(const struct building *building, struct instruction instruction) {
    return builder_emit(building->builder, instruction);
}

static void binary(const struct building *building, enum op op, unsigned width, uint32_t dst, uint32_t a, uint32_t b) {
    emit(building, (struct instruction){.op = (uint8_t)op, .width = (uint8_t)width, .dst = dst, .a = a, .b = b});
}

/* A value that was read: the last one, and maybe a part of the result. */
static void use(const struct building *building, const struct drawn_operation *operation, uint32_t value) {
    if (operation->live) {
        emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = reg(LAST), .a = value});
        binary(building, OP_MUL, 64, reg(RESULT), reg(RESULT), number(building, 5));
        binary(building, OP_ADD, 64, reg(RESULT), reg(RESULT), value);
    }
}

/* An annotation: NOTE, the condition that `build` leaves in FLAG, NOTED. */
static void build_note(const struct building *building, enum note_kind kind, uint32_t about, uint32_t place,
                       const struct drawn_operation *operation) {
    uint32_t note = emit(building, (struct instruction){.op = OP_NOTE,
                                                        .sub = (uint8_t)kind,
                                                        .dst = NO_REGISTER,
                                                        .a = builder_here(building->builder) + 1,
                                                        .c = about});
    emit(building,
         (struct instruction){.op = OP_LOAD, .width = (uint8_t)operation->size, .dst = reg(PLACE), .a = place});
    uint32_t left = reg(PLACE);
    uint32_t right = operation->relative ? reg(LAST) : number(building, operation->value);
    unsigned predicate = operation->predicate;
    if (kind == NOTE_READS || kind == NOTE_MAY_FAIL) {
        left = about;
        right = reg(PLACE);
        predicate = operation->abstraction == ABSTRACT_AT_MOST    ? PREDICATE_ULE
                    : operation->abstraction == ABSTRACT_AT_LEAST ? PREDICATE_UGE
                                                                  : PREDICATE_EQ;
    }
    emit(building, (struct instruction){
                       .op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate, .dst = reg(FLAG), .a = left, .b = right});
    if (operation->abstraction == ABSTRACT_ANYTHING) {
        binary(building, OP_OR, 64, reg(FLAG), reg(FLAG), number(building, 1));
    } else if (operation->abstraction == ABSTRACT_OR_VALUE) {
        emit(building, (struct instruction){.op = OP_ICMP,
                                            .width = 64,
                                            .sub = PREDICATE_EQ,
                                            .dst = reg(PLACE),
                                            .a = about,
                                            .b = number(building, operation->value)});
        binary(building, OP_OR, 64, reg(FLAG), reg(FLAG), reg(PLACE));
    }
    emit(building, (struct instruction){.op = OP_NOTED, .dst = NO_REGISTER, .a = reg(FLAG)});
    builder_at(building->builder, note)->b = builder_here(building->builder);
}

static void build_abstraction(const struct building *building, const struct drawn_operation *operation,
                              uint32_t address) {
    if (operation->abstraction != ABSTRACT_NOT) {
        build_note(building, operation->kind == DRAWN_LOAD ? NOTE_READS : NOTE_MAY_FAIL, reg(OLD), address, operation);
    }
}

static void build_assertion(const struct building *building, const struct drawn_operation *operation) {
    emit(building, (struct instruction){.op = OP_ICMP,
                                        .width = 64,
                                        .sub = (uint8_t)operation->predicate,
                                        .dst = reg(FLAG),
                                        .a = reg(LAST),
                                        .b = number(building, operation->value)});
    emit(building, (struct instruction){.op = OP_ASSERT, .dst = NO_REGISTER, .a = reg(FLAG)});
}

static void build_access(const struct building *building, const struct drawn_operation *operation, uint32_t address) {
    uint8_t size = (uint8_t)operation->size;
    uint32_t value = number(building, operation->value);
    switch (operation->kind) {
    case DRAWN_LOAD:
    case DRAWN_LOAD_POINTED:
    case DRAWN_LOAD_HEAP:
        emit(building, (struct instruction){.op = OP_LOAD, .width = size, .dst = reg(OLD), .a = address});
        build_abstraction(building, operation, address);
        use(building, operation, reg(OLD));
        break;
    case DRAWN_STORE:
    case DRAWN_STORE_POINTED:
        if (operation->relative) {
            binary(building, OP_ADD, 64, reg(ADDRESS + 1), reg(LAST), value);
            value = reg(ADDRESS + 1);
        }
        emit(building,
             (struct instruction){.op = OP_STORE, .width = size, .dst = NO_REGISTER, .a = address, .b = value});
        break;
    case DRAWN_ADD:
    case DRAWN_EXCHANGE:
        emit(building, (struct instruction){.op = OP_RMW,
                                            .width = size,
                                            .dst = reg(OLD),
                                            .a = address,
                                            .b = value,
                                            .c = operation->kind == DRAWN_ADD ? RMW_ADD : RMW_XCHG});
        build_abstraction(building, operation, address);
        use(building, operation, reg(OLD));
        break;
    default:
        emit(building, (struct instruction){.op = OP_CAS,
                                            .width = size,
                                            .dst = reg(OLD),
                                            .a = address,
                                            .b = number(building, operation->expected),
                                            .c = value});
        build_abstraction(building, operation, address);
        use(building, operation, operation->relative ? reg(OLD_FLAG) : reg(OLD));
        break;
    }
}

static void load_pointer(const struct building *building, uint64_t from) {
    emit(building, (struct instruction){
                       .op = OP_LOAD, .width = 8, .dst = reg(ADDRESS), .a = builder_address(building->builder, from)});
}

static void build_operation(const struct building *building, const struct drawn_operation *operation) {
    uint32_t place = builder_address(building->builder, building->memory + operation->offset);
    switch (operation->kind) {
    case DRAWN_FENCE:
        emit(building, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER});
        break;
    case DRAWN_BEGIN:
    case DRAWN_END:
        emit(building, (struct instruction){.op = operation->kind == DRAWN_BEGIN ? OP_ATOMIC_BEGIN : OP_ATOMIC_END,
                                            .dst = NO_REGISTER});
        break;
    case DRAWN_LOCK:
    case DRAWN_UNLOCK:
        emit(building,
             (struct instruction){.op = OP_SYNC,
                                  .width = operation->kind == DRAWN_LOCK ? SYNC_MUTEX_LOCK : SYNC_MUTEX_UNLOCK,
                                  .dst = NO_REGISTER,
                                  .a = builder_address(building->builder, building->mutex),
                                  .b = number(building, 0),
                                  .c = number(building, 0)});
        break;
    case DRAWN_ASSERT:
        build_assertion(building, operation);
        break;
    case DRAWN_CLAIM:
        build_note(building, NOTE_CLAIM, number(building, 0), place, operation);
        break;
    case DRAWN_POINT:
        emit(building, (struct instruction){.op = OP_STORE,
                                            .width = 8,
                                            .dst = NO_REGISTER,
                                            .a = builder_address(building->builder, building->pointer),
                                            .b = place});
        break;
    case DRAWN_LOAD_POINTED:
    case DRAWN_STORE_POINTED:
        load_pointer(building, building->pointer);
        build_access(building, operation, reg(ADDRESS));
        break;
    case DRAWN_LOAD_HEAP:
        load_pointer(building, building->heap_pointer);
        build_access(building, operation, reg(ADDRESS));
        break;
    case DRAWN_FREE:
        load_pointer(building, building->heap_pointer);
        emit(building, (struct instruction){.op = OP_FREE, .dst = NO_REGISTER, .a = reg(ADDRESS)});
        break;
    default:
        if (operation->element) {
            binary(building, OP_ADD, 64, reg(ADDRESS), reg(LAST), number(building, operation->expected));
            binary(building, OP_AND, 64, reg(ADDRESS), reg(ADDRESS), number(building, 3));
            binary(building, OP_MUL, 64, reg(ADDRESS), reg(ADDRESS), number(building, operation->size));
            place = builder_address(building->builder, building->elements);
            binary(building, OP_ADD, 64, reg(ADDRESS), reg(ADDRESS), place);
            place = reg(ADDRESS);
        } else if (operation->indexed) {
            binary(building, OP_MUL, 64, reg(ADDRESS), 1, number(building, operation->size));
            binary(building, OP_ADD, 64, reg(ADDRESS), reg(ADDRESS), place);
            place = reg(ADDRESS);
        }
        build_access(building, operation, place);
        break;
    }
}

/* Back to an earlier operation if this one has read the expected value. */
static void build_return(const struct building *building, const struct drawn_operation *operation, uint32_t start) {
    emit(building, (struct instruction){.op = OP_ICMP,
                                        .width = 64,
                                        .sub = PREDICATE_EQ,
                                        .dst = reg(FLAG),
                                        .a = reg(OLD),
                                        .b = number(building, operation->expected)});
    uint32_t branch =
        emit(building, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = reg(FLAG), .b = start});
    builder_at(building->builder, branch)->c = branch + 1;
}

static void build_body(const struct building *building, uint32_t function, unsigned body) {
    builder_begin(building->builder, function);
    emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = reg(LAST), .a = number(building, 0)});
    emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = reg(RESULT), .a = number(building, 1)});
    uint32_t starts[DRAWN_OPERATIONS];
    for (unsigned i = 0; i < building->drawn->counts[body]; i++) {
        const struct drawn_operation *operation = &building->drawn->operations[body][i];
        starts[i] = builder_here(building->builder);
        bool skips = operation->conditional && can_skip(operation->kind);
        uint32_t branch = 0;
        if (skips) {
            binary(building, OP_AND, 64, reg(FLAG), reg(LAST), number(building, 1));
            branch = emit(building, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = reg(FLAG)});
        }
        build_operation(building, operation);
        if (skips) {
            builder_at(building->builder, branch)->b = branch + 1;
            builder_at(building->builder, branch)->c = builder_here(building->builder);
        }
        if (operation->back > 0 && operation->back <= i + 1) {
            build_return(building, operation, starts[i + 1 - operation->back]);
        }
    }
    /* results[argument] = result */
    binary(building, OP_MUL, 64, reg(ADDRESS), 1, number(building, 8));
    binary(building, OP_ADD, 64, reg(ADDRESS), reg(ADDRESS), builder_address(building->builder, building->results));
    emit(building,
         (struct instruction){.op = OP_STORE, .width = 8, .dst = NO_REGISTER, .a = reg(ADDRESS), .b = reg(RESULT)});
    emit(building, (struct instruction){.op = OP_SYNC,
                                        .width = SYNC_THREAD_EXIT,
                                        .dst = NO_REGISTER,
                                        .a = number(building, 0),
                                        .b = number(building, 0),
                                        .c = number(building, 0)});
    builder_end(building->builder, reg(REGISTERS_BEHIND));
}

/* Creates the threads of one body; the argument is the thread's place among all. */
static void build_creations(const struct building *building, uint32_t function, unsigned threads, unsigned first) {
    uint32_t begin = 0;
    if (threads > 1) {
        emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = 0, .a = number(building, first)});
        begin = builder_here(building->builder);
    }
    emit(building, (struct instruction){.op = OP_SYNC,
                                        .width = SYNC_THREAD_CREATE,
                                        .sub = 1,
                                        .dst = 1,
                                        .a = builder_address(building->builder, function_address(function)),
                                        .b = number(building, 0),
                                        .c = threads > 1 ? 0 : number(building, first)});
    if (threads > 1) {
        binary(building, OP_ADD, 64, 0, 0, number(building, 1));
        emit(building, (struct instruction){.op = OP_ICMP,
                                            .width = 64,
                                            .sub = PREDICATE_ULT,
                                            .dst = 2,
                                            .a = 0,
                                            .b = number(building, first + threads)});
        uint32_t branch =
            emit(building, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = 2, .b = begin});
        builder_at(building->builder, branch)->c = branch + 1;
    }
}

static uint64_t global(struct builder *builder, const char *name, uint64_t size) {
    return builder_global_at(builder, builder_global(builder, name, size, 8, 0))->address;
}

void drawn_build(const struct drawn_program *drawn, struct program *program) {
    struct builder builder;
    builder_init(&builder);
    struct building building = {.builder = &builder, .drawn = drawn};
    uint32_t memory = builder_global(&builder, "m", 64, 8, 0);
    builder_global_bytes(&builder, memory, drawn->initial, sizeof drawn->initial);
    building.memory = builder_global_at(&builder, memory)->address;
    building.elements = global(&builder, "elements", 8);
    building.results = global(&builder, "results", 32);
    building.mutex = global(&builder, "mutex", 40);
    building.pointer = global(&builder, "pointer", 8);
    building.heap_pointer = global(&builder, "heap_pointer", 8);
    uint32_t bodies[DRAWN_BODIES];
    for (unsigned b = 0; b < drawn->bodies; b++) {
        bodies[b] = builder_function(&builder, b ? "second" : "first", 2, 1, 0);
    }
    builder.entry = builder_function(&builder, "start", 0, 0, 0);
    for (unsigned b = 0; b < drawn->bodies; b++) {
        build_body(&building, bodies[b], b);
    }
    builder_begin(&builder, builder.entry);
    emit(&building, (struct instruction){.op = OP_STORE,
                                         .width = 8,
                                         .dst = NO_REGISTER,
                                         .a = builder_address(&builder, building.pointer),
                                         .b = builder_address(&builder, building.memory)});
    if (drawn->heap) {
        emit(&building,
             (struct instruction){.op = OP_MALLOC, .dst = 0, .a = number(&building, 8), .b = number(&building, 8)});
        emit(&building, (struct instruction){.op = OP_STORE,
                                             .width = 8,
                                             .dst = NO_REGISTER,
                                             .a = builder_address(&builder, building.heap_pointer),
                                             .b = 0});
    }
    for (unsigned i = 0; i < drawn->invariants; i++) {
        uint32_t place = builder_address(&builder, building.memory + drawn->invariant[i].offset);
        build_note(&building, NOTE_INVARIANT, number(&building, 0), place, &drawn->invariant[i]);
    }
    unsigned first = 0;
    for (unsigned b = 0; b < drawn->bodies; b++) {
        build_creations(&building, bodies[b], drawn->threads[b], first);
        first += drawn->threads[b];
    }
    emit(&building, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = number(&building, 0)});
    builder_end(&builder, reg(REGISTERS_BEHIND));
    builder_finish(&builder, program);
}

/* --- Printing and shrinking --------------------------------------------------------------------------------------- */

void drawn_print(const struct drawn_program *drawn, FILE *file) {
    static const char *const names[DRAWN_KINDS] = {
        "load",   "store", "add",          "exchange",      "cas",  "fence",     "begin",  "end",  "lock",
        "unlock", "point", "load pointed", "store pointed", "free", "load heap", "assert", "claim"};
    static const char *const abstractions[ABSTRACT_KINDS] = {"", " or value", " at most", " at least", " anything"};
    fprintf(file, "seed %llu, memory", (unsigned long long)drawn->seed);
    for (unsigned i = 0; i < sizeof drawn->initial; i++) {
        fprintf(file, " %u", drawn->initial[i]);
    }
    fputc('\n', file);
    for (unsigned b = 0; b < drawn->bodies; b++) {
        fprintf(file, "  %u thread%s:\n", drawn->threads[b], drawn->threads[b] > 1 ? "s" : "");
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            const struct drawn_operation *operation = &drawn->operations[b][i];
            fprintf(file, "    %s%s %s[%u..%u] value %llu expected %llu%s%s\n",
                    operation->conditional && can_skip(operation->kind) ? "if odd: " : "", names[operation->kind],
                    operation->element ? "element" : "m", operation->offset, operation->offset + operation->size - 1,
                    (unsigned long long)operation->value, (unsigned long long)operation->expected,
                    operation->relative  ? operation->indexed ? " relative indexed" : " relative"
                    : operation->indexed ? " indexed"
                                         : "",
                    operation->live ? " live" : "");
            if (operation->abstraction != ABSTRACT_NOT || operation->kind >= DRAWN_ASSERT) {
                fprintf(file, "      %s%s\n", predicate_names[operation->predicate],
                        abstractions[operation->abstraction]);
            }
        }
    }
    for (unsigned i = 0; i < drawn->invariants; i++) {
        fprintf(file, "  invariant: m[%u], %u bytes, %s %llu\n", drawn->invariant[i].offset, drawn->invariant[i].size,
                predicate_names[drawn->invariant[i].predicate], (unsigned long long)drawn->invariant[i].value);
    }
}

/* Drops one operation or annotation; false if there is no such change. */
static bool drop_one(struct drawn_program *drawn, unsigned change) {
    for (unsigned b = 0; b < drawn->bodies; b++) {
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            if (!can_skip(drawn->operations[b][i].kind)) {
                continue;
            }
            if (drawn->operations[b][i].abstraction != ABSTRACT_NOT && change-- == 0) {
                drawn->operations[b][i].abstraction = ABSTRACT_NOT;
                return true;
            }
            if (change-- == 0) {
                memmove(&drawn->operations[b][i], &drawn->operations[b][i + 1],
                        (drawn->counts[b] - i - 1) * sizeof drawn->operations[b][0]);
                drawn->counts[b]--;
                return true;
            }
        }
    }
    if (drawn->invariants > 0 && change == 0) {
        drawn->invariants--;
        return true;
    }
    return false;
}

void drawn_print_smallest(struct drawn_program drawn, bool (*is_right)(const struct drawn_program *drawn, void *data),
                          void *data, FILE *file) {
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (unsigned change = 0;; change++) {
            struct drawn_program changed = drawn;
            if (!drop_one(&changed, change)) {
                break;
            }
            if (!is_right(&changed, data)) {
                drawn = changed;
                smaller = true;
                break;
            }
        }
    }
    drawn_print(&drawn, file);
}
