/* See stores_program.h. */
#include "stores_program.h"

#include "engine/random_source.h"
#include "small_program.h"

#define FIRST_REGISTER 2u
#define MOST_LOADS 3u
#define COUNTER 8u

struct drawer {
    struct random_source source;
    struct small_program small;
    uint64_t memory[2];
    bool overlaps; /* accesses of several sizes */
    bool barriers;
};

static unsigned draw(struct drawer *drawer, unsigned end) {
    return (unsigned)random_below(&drawer->source, end);
}

static uint64_t draw_place(struct drawer *drawer, unsigned *size) {
    *size = drawer->overlaps ? 1u << draw(drawer, 3) : 4;
    uint64_t offset = drawer->overlaps ? draw(drawer, 4 / *size) * *size : 0;
    return drawer->memory[draw(drawer, 2)] + offset;
}

/* An operation of the thread that mostly stores. */
static void draw_operation(struct drawer *drawer, unsigned *loads) {
    unsigned size;
    uint64_t place = draw_place(drawer, &size);
    if (draw(drawer, 6) == 0 && *loads + 1 < MOST_LOADS) {
        small_load(&drawer->small, FIRST_REGISTER + (*loads)++, place, size);
    } else if (drawer->barriers && draw(drawer, 4) == 0) {
        small_store_barrier(&drawer->small);
    } else if (draw(drawer, 20) == 0) {
        small_fence(&drawer->small, ORDER_SEQ_CST);
    } else {
        bool release = drawer->barriers && draw(drawer, 4) == 0;
        small_store(&drawer->small, place, 1 + draw(drawer, 3), size, release ? ORDER_RELEASE : ORDER_PLAIN);
    }
}

/* One number for all that was read. */
static void keep_loads(struct drawer *drawer, unsigned loads, uint64_t result) {
    for (unsigned i = 1; i < loads; i++) {
        small_emit(&drawer->small, (struct instruction){.op = OP_MUL,
                                                        .width = 64,
                                                        .dst = FIRST_REGISTER,
                                                        .a = FIRST_REGISTER,
                                                        .b = small_number(&drawer->small, 1000003)});
        small_emit(&drawer->small,
                   (struct instruction){
                       .op = OP_ADD, .width = 64, .dst = FIRST_REGISTER, .a = FIRST_REGISTER, .b = FIRST_REGISTER + i});
    }
    small_fence(&drawer->small, ORDER_SEQ_CST);
    small_store_register(&drawer->small, result, FIRST_REGISTER, 8);
}

/* The first thread's last load tells whether all its stores were made before the second one's loads. */
void stores_program_draw(uint64_t seed, struct program *program) {
    struct drawer drawer = {.source = random_source_from(seed)};
    drawer.overlaps = draw(&drawer, 3) == 0;
    drawer.barriers = draw(&drawer, 2) == 0;
    small_init(&drawer.small, 2);
    drawer.memory[0] = small_variable(&drawer.small, "x", 4);
    drawer.memory[1] = small_variable(&drawer.small, "y", 4);
    uint64_t second_runs = small_variable(&drawer.small, "second_runs", 4);
    uint64_t results[2] = {small_variable(&drawer.small, "r1", 8), small_variable(&drawer.small, "r2", 8)};
    small_thread(&drawer.small, 1);
    unsigned loads = 0;
    unsigned rounds = 1 + draw(&drawer, 3);
    small_emit(&drawer.small,
               (struct instruction){.op = OP_MOV, .dst = COUNTER, .a = small_number(&drawer.small, rounds)});
    uint32_t loop = small_here(&drawer.small);
    for (unsigned i = 6 / rounds - draw(&drawer, 2); i > 0; i--) {
        draw_operation(&drawer, &loads);
    }
    small_emit(&drawer.small,
               (struct instruction){
                   .op = OP_SUB, .width = 32, .dst = COUNTER, .a = COUNTER, .b = small_number(&drawer.small, 1)});
    small_emit(&drawer.small,
               (struct instruction){.op = OP_BR, .a = COUNTER, .b = loop, .c = small_here(&drawer.small) + 1});
    small_load(&drawer.small, FIRST_REGISTER + loads++, second_runs, 4);
    keep_loads(&drawer, loads, results[0]);
    small_thread(&drawer.small, 2);
    small_store(&drawer.small, second_runs, 1, 4, ORDER_PLAIN);
    small_fence(&drawer.small, ORDER_SEQ_CST);
    loads = 2 + draw(&drawer, MOST_LOADS - 1);
    for (unsigned i = 0; i < loads; i++) {
        unsigned size;
        uint64_t place = draw_place(&drawer, &size);
        small_load(&drawer.small, FIRST_REGISTER + i, place, size);
    }
    keep_loads(&drawer, loads, results[1]);
    small_finish(&drawer.small, program);
}
