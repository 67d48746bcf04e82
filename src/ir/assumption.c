/* The table of assumptions, and the first position of each. */
#include "ir/assumption.h"

const struct assumption_info assumption_table[ASSUMPTION_COUNT] = {
#define X(name, ...) [ASSUMPTION_##name] = {__VA_ARGS__},
    ASSUMPTIONS(X)
#undef X
};

/* Files are ordered by their first occurrence in the program. */
static bool is_before(const struct program *program, uint32_t one, uint32_t other) {
    const struct position *first = &program->positions[one];
    const struct position *second = &program->positions[other];
    return first->file != second->file ? first->file < second->file : first->line < second->line;
}

static void note(_Atomic uint32_t *first, const struct program *program, uint32_t position) {
    uint32_t known = atomic_load_explicit(first, memory_order_relaxed);
    while ((known == 0 || is_before(program, position, known - 1)) &&
           !atomic_compare_exchange_weak(first, &known, position + 1)) {
    }
}

bool assumptions_would_change(const struct assumptions *assumptions, const struct program *program,
                              enum assumption assumption, uint32_t position) {
    uint32_t known = atomic_load_explicit(&assumptions->first[assumption], memory_order_relaxed);
    return !(assumptions->lifted >> assumption & 1) && (known == 0 || is_before(program, position, known - 1));
}

void assumptions_note(struct assumptions *assumptions, const struct program *program, enum assumption assumption,
                      uint32_t position) {
    if (!(assumptions->lifted >> assumption & 1)) {
        note(&assumptions->first[assumption], program, position);
    }
}

void assumptions_note_failed(struct assumptions *assumptions, const struct program *program, uint32_t position) {
    note(&assumptions->failed, program, position);
}

/* Two positions in one line are of one loop. */
void assumptions_note_cut(struct assumptions *assumptions, const struct program *program, uint32_t position) {
    const struct position *at = &program->positions[position];
    for (unsigned i = 0; i < LOOPS_NOTED; i++) {
        uint32_t known = 0;
        if (atomic_compare_exchange_strong(&assumptions->cut[i], &known, position + 1)) {
            return;
        }
        const struct position *other = &program->positions[known - 1];
        if (other->file == at->file && other->line == at->line) {
            return;
        }
    }
    atomic_store(&assumptions->cut_others, 1);
}
