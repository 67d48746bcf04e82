/* Searches each section from its beginning along the flow graph to its end, with the nesting depth of sections. */
#include "engine/sections.h"

#include <stdlib.h>

#include "util/memory.h"
#include "util/vector.h"

#define DEEPEST 4 /* of nested sections that are followed */

static bool is_join(const struct instruction *instruction) {
    return instruction->op == OP_SYNC && instruction->width == SYNC_THREAD_JOIN;
}

/* May the call lead to a join?  By function: does it join, itself or in functions it calls? */
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

/* By function: may it reach a join?  The caller frees the array. */
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

/* The state of a search. */
struct section_search {
    bool *seen;           /* by instruction of the function, and depth */
    struct vector places; /* of uint32_t: those still to be visited */
    uint32_t depth;
};

static void search_visit(void *data, uint32_t target) {
    struct section_search *search = data;
    uint32_t place = target * DEEPEST + search->depth;
    if (!search->seen[place]) {
        search->seen[place] = true;
        vector_push(&search->places, &place);
    }
}

/* Searches everything reachable inside a section; true if a join may be there, or the section nests deeper than the
 * search. */
static bool search_may_join(const struct program *program, const struct function *function, const bool *joins,
                            struct section_search *search) {
    while (search->places.count > 0) {
        uint32_t place = *(uint32_t *)vector_at(&search->places, --search->places.count);
        const struct instruction *instruction = &program->code[function->first + place / DEEPEST];
        search->depth = place % DEEPEST;
        search->depth += instruction->op == OP_ATOMIC_BEGIN;
        if (is_join(instruction) || call_may_join(program, instruction, joins) || instruction->op == OP_RET ||
            search->depth == DEEPEST) {
            return true;
        }
        if (instruction->op == OP_ATOMIC_END && search->depth-- == 0) {
            continue;
        }
        instruction_targets(program, instruction, search_visit, search);
        if (!instruction_ends_block(instruction)) {
            search_visit(search, place / DEEPEST + 1);
        }
    }
    return false;
}

static bool function_may_join(const struct program *program, const struct function *function, const bool *joins) {
    struct section_search search = {.seen = memory_allocate((size_t)(function->count + 1) * DEEPEST)};
    vector_init(&search.places, sizeof(uint32_t));
    for (uint32_t i = 0; i < function->count; i++) {
        if (program->code[function->first + i].op == OP_ATOMIC_BEGIN) {
            search.depth = 0;
            search_visit(&search, i + 1);
        }
    }
    bool may = search_may_join(program, function, joins, &search);
    vector_delete(&search.places);
    free(search.seen);
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
