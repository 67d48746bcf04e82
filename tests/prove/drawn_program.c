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
    for (unsigned i = 0; i < wanted && count + 2 < DRAWN_OPERATIONS; i++) {
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

/* The other side: it looks at one place and writes the other, with all that drains in between. */
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

/* --- Building ----------------------------------------------------------------------------------------------------- */

enum { LAST, RESULT, FLAG, ADDRESS, OLD, OLD_FLAG, ARGUMENT_COPY, REGISTERS_BEHIND };

struct building {
    struct builder *builder;
    const struct drawn_program *drawn;
    uint64_t memory; /* addresses of globals */
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

static void build_access(const struct building *building, const struct drawn_operation *operation, uint32_t address) {
    uint8_t size = (uint8_t)operation->size;
    uint32_t value = number(building, operation->value);
    switch (operation->kind) {
    case DRAWN_LOAD:
    case DRAWN_LOAD_POINTED:
    case DRAWN_LOAD_HEAP:
        emit(building, (struct instruction){.op = OP_LOAD, .width = size, .dst = reg(OLD), .a = address});
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
        use(building, operation, reg(OLD));
        break;
    default:
        emit(building, (struct instruction){.op = OP_CAS,
                                            .width = size,
                                            .dst = reg(OLD),
                                            .a = address,
                                            .b = number(building, operation->expected),
                                            .c = value});
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
        if (operation->indexed) {
            binary(building, OP_MUL, 64, reg(ADDRESS), 1, number(building, operation->size));
            binary(building, OP_ADD, 64, reg(ADDRESS), reg(ADDRESS), place);
            place = reg(ADDRESS);
        }
        build_access(building, operation, place);
        break;
    }
}

static void build_body(const struct building *building, uint32_t function, unsigned body) {
    builder_begin(building->builder, function);
    emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = reg(LAST), .a = number(building, 0)});
    emit(building, (struct instruction){.op = OP_MOV, .width = 64, .dst = reg(RESULT), .a = number(building, 1)});
    for (unsigned i = 0; i < building->drawn->counts[body]; i++) {
        const struct drawn_operation *operation = &building->drawn->operations[body][i];
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
    unsigned first = 0;
    for (unsigned b = 0; b < drawn->bodies; b++) {
        build_creations(&building, bodies[b], drawn->threads[b], first);
        first += drawn->threads[b];
    }
    emit(&building, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = number(&building, 0)});
    builder_end(&builder, 3);
    builder_finish(&builder, program);
}

/* --- Printing and shrinking --------------------------------------------------------------------------------------- */

void drawn_print(const struct drawn_program *drawn, FILE *file) {
    static const char *const names[DRAWN_KINDS] = {"load",  "store",        "add",           "exchange", "cas",
                                                   "fence", "begin",        "end",           "lock",     "unlock",
                                                   "point", "load pointed", "store pointed", "free",     "load heap"};
    fprintf(file, "seed %llu, memory", (unsigned long long)drawn->seed);
    for (unsigned i = 0; i < sizeof drawn->initial; i++) {
        fprintf(file, " %u", drawn->initial[i]);
    }
    fputc('\n', file);
    for (unsigned b = 0; b < drawn->bodies; b++) {
        fprintf(file, "  %u thread%s:\n", drawn->threads[b], drawn->threads[b] > 1 ? "s" : "");
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            const struct drawn_operation *operation = &drawn->operations[b][i];
            fprintf(file, "    %s%s m[%u..%u] value %llu expected %llu%s%s\n",
                    operation->conditional && can_skip(operation->kind) ? "if odd: " : "", names[operation->kind],
                    operation->offset, operation->offset + operation->size - 1, (unsigned long long)operation->value,
                    (unsigned long long)operation->expected,
                    operation->relative  ? operation->indexed ? " relative indexed" : " relative"
                    : operation->indexed ? " indexed"
                                         : "",
                    operation->live ? " live" : "");
        }
    }
}

bool drawn_change(struct drawn_program *drawn, unsigned change) {
    for (unsigned b = 0; b < drawn->bodies; b++) {
        for (unsigned i = 0; i < drawn->counts[b]; i++) {
            if (!can_skip(drawn->operations[b][i].kind)) {
                continue;
            }
            if (change-- == 0) {
                memmove(&drawn->operations[b][i], &drawn->operations[b][i + 1],
                        (drawn->counts[b] - i - 1) * sizeof drawn->operations[b][0]);
                drawn->counts[b]--;
                return true;
            }
        }
    }
    return false;
}
