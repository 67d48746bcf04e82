/* Marks and unmarks fences by their positions. */
#include "fence/markers.h"

#include <stdlib.h>
#include <string.h>

#include "ir/flatten.h"
#include "ir/flow.h"
#include "ir/rewrite.h"
#include "util/memory.h"

static uint32_t place_at(const struct marked *marked, const struct instruction *instruction) {
    return instruction->op == OP_FENCE ? marked->place_of[instruction->pos] : NO_PLACE;
}

static void measure_depths(struct marked *marked) {
    for (uint32_t f = 0; f < marked->program.functions_count; f++) {
        struct flow flow;
        flow_init(&flow, &marked->program, f);
        for (uint32_t i = 0; i < flow.function->count; i++) {
            uint32_t place = place_at(marked, &flow.code[i]);
            uint32_t depth = 0;
            for (uint32_t l = 0; place != NO_PLACE && l < flow.loops_count; l++) {
                depth += loop_has(&flow.loops[l], flow.block_of[i]);
            }
            if (place != NO_PLACE) {
                marked->present[place] = true;
                marked->depth[place] = depth > marked->depth[place] ? depth : marked->depth[place];
            }
        }
        flow_delete(&flow);
    }
}

void marked_init(struct marked *marked, struct program *program, uint32_t places,
                 uint32_t (*place_of)(void *data, const char *file, uint32_t line), void *data) {
    *marked = (struct marked){
        .program = *program,
        .place_of = memory_allocate((program->positions_count + 1) * sizeof *marked->place_of),
        .places = places,
        .depth = memory_allocate(((size_t)places + 1) * sizeof *marked->depth),
        .present = memory_allocate(((size_t)places + 1) * sizeof *marked->present),
    };
    for (size_t i = 0; i < program->positions_count; i++) {
        const struct position *position = &program->positions[i];
        marked->place_of[i] = place_of(data, program_string(program, position->file), position->line);
    }
    measure_depths(marked);
}

void marked_delete(struct marked *marked) {
    program_delete(&marked->program);
    free(marked->place_of);
    free(marked->depth);
    free(marked->present);
}

struct choice {
    const struct marked *marked;
    const uint8_t *kinds;
};

static void choose(struct rewrite *rewrite, void *data) {
    const struct choice *choice = data;
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    for (uint32_t i = 0; i < count; i++) {
        struct instruction *instruction = &rewrite->code[i];
        uint32_t place = place_at(choice->marked, instruction);
        if (place == NO_PLACE || choice->kinds[place] == FENCE_FULL) {
            continue;
        }
        if (choice->kinds[place] == FENCE_STORE) {
            instruction->sub = ORDER_RELEASE;
        } else {
            *instruction = (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = instruction->pos};
        }
    }
}

void marked_choose(const struct marked *marked, const uint8_t *kinds, struct program *program) {
    struct choice choice = {marked, kinds};
    program_copy(&marked->program, program);
    program_rewrite(program, choose, &choice);
}
