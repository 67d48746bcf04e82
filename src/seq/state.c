/* Paths: copying and merging. */
#include "seq/state.h"

#include <stdlib.h>

#include "seq/memory.h"
#include "util/memory.h"

struct state *state_new(uint32_t registers) {
    struct state *state = memory_allocate(sizeof *state);
    state->registers = memory_allocate((registers + 1) * sizeof *state->registers);
    words_init(&state->private);
    words_init(&state->shared);
    vector_init(&state->locals, sizeof(struct local));
    vector_init(&state->escaping, sizeof(struct value));
    vector_init(&state->moments, sizeof(struct moment));
    state->await = UINT32_MAX;
    state->section = NO_EVENT;
    state->dirty = LITERAL_FALSE;
    return state;
}

static void copy_vector(struct vector *to, const struct vector *from) {
    vector_init(to, from->element_size);
    if (from->count > 0) {
        memcpy(vector_grow(to, from->count), from->data, from->count * from->element_size);
    }
}

struct state *state_copy(const struct state *state, uint32_t registers) {
    struct state *copy = memory_allocate(sizeof *copy);
    *copy = *state;
    copy->registers = memory_allocate((registers + 1) * sizeof *copy->registers);
    memcpy(copy->registers, state->registers, registers * sizeof *copy->registers);
    words_copy(&copy->private, &state->private);
    words_copy(&copy->shared, &state->shared);
    copy_vector(&copy->locals, &state->locals);
    copy_vector(&copy->escaping, &state->escaping);
    copy_vector(&copy->moments, &state->moments);
    return copy;
}

void state_delete(struct state *state) {
    free(state->registers);
    words_delete(&state->private);
    words_delete(&state->shared);
    vector_delete(&state->locals);
    vector_delete(&state->escaping);
    vector_delete(&state->moments);
    free(state);
}

int position_compare(const struct path_position *one, const struct path_position *other) {
    uint32_t a = 2 * one->depth + 1;
    uint32_t b = 2 * other->depth + 1;
    for (uint32_t i = 0; i < a && i < b; i++) {
        if (one->at[i] != other->at[i]) {
            return one->at[i] < other->at[i] ? -1 : 1;
        }
    }
    return a < b ? -1 : a > b;
}

/* --- Merging ------------------------------------------------------------------------------------------------------ */

/* The literal that distinguishes the two paths, given that one of them is taken. */
static literal selector(const struct gates *gates, literal one, literal other) {
    literal shared;
    if (!gates_or_folds(gates, one, other, &shared)) {
        return one;
    }
    const struct gate *gate = vector_at(&gates->gates, (size_t)one);
    return gate->a == shared ? gate->b : gate->a;
}

static bool same_locals(const struct vector *one, const struct vector *other) {
    return one->count == other->count &&
           (one->count == 0 || memcmp(one->data, other->data, one->count * one->element_size) == 0);
}

/* Each moment once; its guard holds on the paths that contain it. */
static void merge_moments(struct gates *gates, struct vector *moments, const struct vector *others) {
    for (size_t i = 0; i < others->count; i++) {
        const struct moment *other = vector_at(others, i);
        struct moment *same = NULL;
        for (size_t k = 0; k < moments->count && !same; k++) {
            struct moment *moment = vector_at(moments, k);
            same = moment->event == other->event ? moment : NULL;
        }
        if (same) {
            same->guard = gates_or(gates, same->guard, other->guard);
        } else {
            vector_push(moments, other);
        }
    }
}

const char *state_merge(struct symbolic *execution, struct state *state, struct state *other, uint32_t registers,
                        const uint64_t *live) {
    struct terms *terms = &execution->terms;
    if (state->section != other->section || state->section_depth != other->section_depth) {
        return "paths meet that are not in the same atomic section";
    }
    if (state->escaping.count != other->escaping.count || !same_locals(&state->locals, &other->locals)) {
        return "paths meet that have made different local variables";
    }
    if (state->alone != other->alone) {
        state_share(execution, state->alone ? state : other);
    }
    literal condition = selector(&execution->gates, state->guard, other->guard);
    for (uint32_t i = 0; i < registers; i++) {
        if (live[i / 64] >> i % 64 & 1) {
            state->registers[i] = value_mux(terms, condition, state->registers[i], other->registers[i]);
        }
    }
    struct path path = {execution, state};
    struct words_default private = {private_missing, &path};
    words_merge(&state->private, terms, condition, &other->private, &private);
    struct words_default shared = {shared_missing, &path};
    words_merge(&state->shared, terms, condition, &other->shared, &shared);
    for (size_t i = 0; i < state->escaping.count; i++) {
        struct value *base = vector_at(&state->escaping, i);
        *base = value_mux(terms, condition, *base, *(struct value *)vector_at(&other->escaping, i));
    }
    merge_moments(&execution->gates, &state->moments, &other->moments);
    state->stack_next = state->stack_next > other->stack_next ? state->stack_next : other->stack_next;
    state->heap_next = value_mux(terms, condition, state->heap_next, other->heap_next);
    state->children = value_mux(terms, condition, state->children, other->children);
    if (state->await != other->await) {
        state->await = UINT32_MAX;
    }
    state->await_event = state->await_event < other->await_event ? state->await_event : other->await_event;
    state->await_locals = state->await_locals < other->await_locals ? state->await_locals : other->await_locals;
    state->dirty = gates_mux(&execution->gates, condition, state->dirty, other->dirty);
    for (uint32_t i = 0; i < state->position.depth; i++) {
        state->counted[i] = state->counted[i] > other->counted[i] ? state->counted[i] : other->counted[i];
    }
    state->guard = gates_or(&execution->gates, state->guard, other->guard);
    return NULL;
}

void state_share(struct symbolic *execution, struct state *state) {
    if (state->alone) {
        struct path path = {execution, state};
        struct words_default missing = {shared_missing, &path};
        if (!execution->has_initial) {
            execution->has_initial = true;
            words_delete(&execution->initial);
            words_copy(&execution->initial, &state->shared);
        } else {
            struct words merged;
            words_copy(&merged, &state->shared);
            words_merge(&merged, &execution->terms, state->guard, &execution->initial, &missing);
            words_delete(&execution->initial);
            execution->initial = merged;
        }
        words_clear(&state->shared);
        state->alone = false;
    }
}
