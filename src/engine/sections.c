/* A walk from the beginning of each section along the flow graph to its end, with how deep sections are nested. */
#include "engine/sections.h"

#include <stdlib.h>

#include "util/memory.h"
#include "util/vector.h"

#define DEEPEST 4 /* of sections in sections that are followed */

static bool is_join(const struct instruction *instruction) {
    return instruction->op == OP_SYNC && instruction->width == SYNC_THREAD_JOIN;
}

/* May the call lead to a join?  By function: does it join, itself or by the functions it calls? */
static bool call_may_join(const struct program *program, const struct instruction *call, const bool *joins) {
    if (call->op == OP_CALL) {
        return joins[call->a];
    }
    for (size_t i = 0; call->op == OP_CALL_INDIRECT && i < program->functions_count; i++) {
        if (joins[i]) {
            return true;
        }
    }
    return false;
}

/* By function: may it come to a join?  To be freed. */
static bool *find_joining(const struct program *program) {
    bool *joins = memory_allocate((program->functions_count + 1) * sizeof *joins);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < program->functions_count; f++) {
            const struct function *function = &program->functions[f];
            for (uint32_t i = 0; i < function->count && !joins[f]; i++) {
                const struct instruction *instruction = &program->code[function->first + i];
                joins[f] = is_join(instruction) || call_may_join(program, instruction, joins);
                changed = changed || joins[f];
            }
        }
    }
    return joins;
}

/* Where a walk has been and where it goes on. */
struct section_walk {
    bool *seen;           /* by instruction of the function, and depth */
    struct vector places; /* of uint32_t: likewise */
    uint32_t depth;
};

static void walk_to(void *data, uint32_t target) {
    struct section_walk *walk = data;
    uint32_t place = target * DEEPEST + walk->depth;
    if (!walk->seen[place]) {
        walk->seen[place] = true;
        vector_push(&walk->places, &place);
    }
}

/* Goes on from everywhere it can come to inside a section; true if a join may be there, or the section goes further
 * than the walk. */
static bool walk_may_join(const struct program *program, const struct function *function, const bool *joins,
                          struct section_walk *walk) {
    while (walk->places.count > 0) {
        uint32_t place = *(uint32_t *)vector_at(&walk->places, --walk->places.count);
        const struct instruction *instruction = &program->code[function->first + place / DEEPEST];
        walk->depth = place % DEEPEST;
        walk->depth += instruction->op == OP_ATOMIC_BEGIN;
        if (is_join(instruction) || call_may_join(program, instruction, joins) || instruction->op == OP_RET ||
            walk->depth == DEEPEST) {
            return true;
        }
        if (instruction->op == OP_ATOMIC_END && walk->depth-- == 0) {
            continue;
        }
        instruction_targets(program, instruction, walk_to, walk);
        if (!instruction_ends_block(instruction)) {
            walk_to(walk, place / DEEPEST + 1);
        }
    }
    return false;
}

static bool function_may_join(const struct program *program, const struct function *function, const bool *joins) {
    struct section_walk walk = {.seen = memory_allocate((size_t)(function->count + 1) * DEEPEST)};
    vector_init(&walk.places, sizeof(uint32_t));
    for (uint32_t i = 0; i < function->count; i++) {
        if (program->code[function->first + i].op == OP_ATOMIC_BEGIN) {
            walk.depth = 0;
            walk_to(&walk, i + 1);
        }
    }
    bool may = walk_may_join(program, function, joins, &walk);
    vector_delete(&walk.places);
    free(walk.seen);
    return may;
}

bool sections_may_join(const struct program *program) {
    bool *joins = find_joining(program);
    bool may = false;
    for (size_t f = 0; f < program->functions_count && !may; f++) {
        may = function_may_join(program, &program->functions[f], joins);
    }
    free(joins);
    return may;
}
