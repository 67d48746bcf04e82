/* Counts rounds: for each thread their number, and the round in which each entry of its buffer was made. */
#include "engine/restriction.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define NO_SLOT UINT32_MAX

/* The rounds in which the pending entries were made are births[first ...], oldest first; earlier ones have drained and
 * are kept for undoing. */
struct thread_rounds {
    uint32_t begun;
    uint32_t first;
    struct vector births; /* of uint32_t */
};

struct round_change {
    uint32_t last; /* the previous value */
    uint32_t thread;
    bool began;
    bool drained;
    uint32_t pushed;
};

void round_count_init(struct round_count *count, struct restriction restriction) {
    count->restriction = restriction;
    count->begun = 0;
    count->last = NO_SLOT;
    vector_init(&count->threads, sizeof(struct thread_rounds));
    vector_init(&count->history, sizeof(struct round_change));
}

void round_count_delete(struct round_count *count) {
    for (size_t i = 0; i < count->threads.count; i++) {
        struct thread_rounds *thread = vector_at(&count->threads, i);
        vector_delete(&thread->births);
    }
    vector_delete(&count->threads);
    vector_delete(&count->history);
}

static struct thread_rounds *rounds_of(struct round_count *count, uint32_t slot) {
    while (count->threads.count <= slot) {
        struct thread_rounds *thread = vector_grow(&count->threads, 1);
        *thread = (struct thread_rounds){0};
        vector_init(&thread->births, sizeof(uint32_t));
    }
    return vector_at(&count->threads, slot);
}

bool round_count_allows(struct round_count *count, struct transition transition) {
    if (count->restriction.kind == RESTRICTION_NONE || transition.thread == count->last) {
        return true;
    }
    if (count->restriction.kind == RESTRICTION_SWITCHES) {
        return count->begun <= count->restriction.bound;
    }
    const struct thread_rounds *thread = rounds_of(count, transition.thread);
    uint64_t round = (uint64_t)thread->begun + 1;
    if (count->restriction.kind == RESTRICTION_ROUNDS) {
        return round <= count->restriction.bound;
    }
    return thread->first == thread->births.count ||
           round <= (uint64_t)*(const uint32_t *)vector_at(&thread->births, thread->first) + count->restriction.bound;
}

void round_count_follow(struct round_count *count, const struct machine *machine, struct transition transition) {
    struct thread_rounds *thread = rounds_of(count, transition.thread);
    struct round_change change = {
        .last = count->last,
        .thread = transition.thread,
        .began = transition.thread != count->last,
        .drained = transition.kind == TRANSITION_DRAIN,
    };
    count->begun += change.began;
    thread->begun += change.began;
    thread->first += change.drained;
    const struct buffer_entry *entries;
    size_t pending = machine_buffer(machine, transition.thread, &entries);
    while (thread->births.count - thread->first < pending) {
        vector_push(&thread->births, &thread->begun);
        change.pushed++;
    }
    count->last = transition.thread;
    vector_push(&count->history, &change);
}

void round_count_back(struct round_count *count) {
    struct round_change change = *(struct round_change *)vector_at(&count->history, --count->history.count);
    struct thread_rounds *thread = rounds_of(count, change.thread);
    thread->births.count -= change.pushed;
    thread->first -= change.drained;
    thread->begun -= change.began;
    count->begun -= change.began;
    count->last = change.last;
}

size_t round_count_serialise(const struct round_count *count, size_t used, uint8_t **buffer, size_t *capacity) {
    size_t numbers = 2;
    for (size_t i = 0; i < count->threads.count; i++) {
        const struct thread_rounds *thread = vector_at(&count->threads, i);
        numbers += 1 + thread->births.count - thread->first;
    }
    if (used + numbers * sizeof(uint32_t) > *capacity) {
        *capacity = (used + numbers * sizeof(uint32_t)) * 2;
        *buffer = memory_resize(*buffer, *capacity);
    }
    uint32_t *out = memory_allocate(numbers * sizeof *out);
    size_t n = 0;
    out[n++] = count->last;
    bool by_switches = count->restriction.kind == RESTRICTION_SWITCHES;
    if (by_switches) {
        out[n++] = count->begun;
    }
    for (size_t i = 0; i < count->threads.count && !by_switches; i++) {
        const struct thread_rounds *thread = vector_at(&count->threads, i);
        if (count->restriction.kind == RESTRICTION_ROUNDS) {
            out[n++] = thread->begun;
            continue;
        }
        for (size_t k = thread->first; k < thread->births.count; k++) {
            out[n++] = thread->begun - *(const uint32_t *)vector_at(&thread->births, k);
        }
        out[n++] = UINT32_MAX;
    }
    memcpy(*buffer + used, out, n * sizeof *out);
    free(out);
    return used + n * sizeof *out;
}
