/* A created thread begins with some function whose address is taken; what it can reach is found along the calls. */
#include "engine/noticing.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sections.h"
#include "ir/sync.h"
#include "util/memory.h"

static void mark(const struct program *program, uint64_t value, bool *marked) {
    int64_t function = function_at(program, value);
    if (function >= 0) {
        marked[function] = true;
    }
}

static void mark_address_taken(const struct program *program, bool *marked) {
    for (size_t i = 0; i < program->constants_count; i++) {
        mark(program, program->constants[i], marked);
    }
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        for (uint64_t at = 0; at + sizeof(uint64_t) <= global->initial_size; at += sizeof(uint64_t)) {
            uint64_t value;
            memcpy(&value, program->bytes + global->initial + at, sizeof value);
            mark(program, value, marked);
        }
    }
}

/* Calls through pointers lead to functions whose address is taken, which are marked already. */
static void mark_called(const struct program *program, bool *marked) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < program->functions_count; f++) {
            const struct function *function = &program->functions[f];
            for (uint32_t i = 0; i < function->count && marked[f]; i++) {
                const struct instruction *instruction = &program->code[function->first + i];
                if (instruction->op == OP_CALL && !marked[instruction->a]) {
                    marked[instruction->a] = changed = true;
                }
            }
        }
    }
}

bool threads_are_noticed(const struct program *program) {
    bool *marked = memory_allocate((program->functions_count + 1) * sizeof *marked);
    bool noticed = sections_may_join(program);
    mark_address_taken(program, marked);
    mark_called(program, marked);
    for (size_t f = 0; f < program->functions_count; f++) {
        const struct function *function = &program->functions[f];
        for (uint32_t i = 0; i < function->count && !noticed; i++) {
            const struct instruction *instruction = &program->code[function->first + i];
            bool thread = instruction->op == OP_SYNC && sync_is_thread(instruction->width) &&
                          instruction->width != SYNC_THREAD_EXIT;
            noticed = thread && (marked[f] || instruction->width == SYNC_THREAD_TRYJOIN);
        }
    }
    free(marked);
    return noticed;
}
