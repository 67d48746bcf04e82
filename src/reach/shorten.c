/* Short cuts: searches the states within a few steps of each state of the path; if the path reaches one of them much
 * later, a short cut replaces the steps in between.
 *
 * The rest of the path is then taken after the short cut.  The machine may give its threads and stores other numbers
 * there; they are identified by the creation tree and the buffer. */
#include "reach/shorten.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reach/search.h"
#include "util/hash_table.h"

#define MOST_CUT 5u         /* steps of a short cut, without drains */
#define MOST_STATES 400000u /* number of states searched for short cuts */

/* --- States ------------------------------------------------------------------------------------------------------- */

struct namer {
    uint8_t *buffer;
    size_t capacity;
};

static XXH128_hash_t state_name(struct namer *namer, struct machine *machine) {
    size_t size = machine_serialise(machine, &namer->buffer, &namer->capacity);
    return XXH3_128bits(namer->buffer, size);
}

/* Translates a transition of one machine's thread to the other machine; false if that cannot take it. */
static bool translate(const struct machine *from, struct machine *to, struct transition *transition) {
    int64_t slot = machine_thread_numbered(to, machine_thread_number(from, transition->thread));
    if (slot < 0) {
        return false;
    }
    if (transition->kind == TRANSITION_DRAIN) {
        const struct buffer_entry *entries;
        size_t count = machine_buffer(from, transition->thread, &entries);
        size_t index = 0;
        while (index < count && entries[index].serial != transition->choice) {
            index++;
        }
        if (index >= machine_buffer(to, (uint32_t)slot, &entries)) {
            return false;
        }
        transition->choice = entries[index].serial;
    }
    transition->thread = (uint32_t)slot;
    return machine_is_enabled(to, *transition);
}

/* If errors end sections, a thread that is blocked in a section fails when the outcome is computed. */
static void take_one(struct machine *machine, struct transition transition) {
    machine_take(machine, transition);
    machine_outcome(machine);
}

/* Both machines are in the same state, which they may have reached by different paths.  Takes the transitions of the
 * path from `first` up to `end` on both, and appends what the second one takes. */
static bool take_both(struct machine *from, struct machine *to, const struct vector *path, size_t first, size_t end,
                      struct vector *taken) {
    for (size_t i = first; i < end; i++) {
        struct transition next = *(const struct transition *)vector_at(path, i);
        struct transition translated = next;
        if (!translate(from, to, &translated)) {
            return false;
        }
        take_one(from, next);
        take_one(to, translated);
        vector_push(taken, &translated);
    }
    return true;
}

static void take_all(struct machine *machine, const struct vector *path, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        take_one(machine, *(const struct transition *)vector_at(path, i));
    }
}

/* --- Short cuts --------------------------------------------------------------------------------------------------- */

struct cutter {
    struct machine *machine;
    struct namer namer;
    struct hash_table *positions; /* states of the path: the last position with that state */
    uint64_t states;
    bool at_once; /* every store drains at once */
    size_t start; /* position of the machine's state in the path */
    /* The best short cut from there: */
    size_t end;
    size_t saved;
    struct vector detour;  /* of struct transition */
    struct vector current; /* of struct transition: steps of the search so far */
};

static void search(struct cutter *cutter, uint32_t steps);

static void search_after(struct cutter *cutter, struct transition transition, uint32_t steps) {
    machine_mark mark = machine_set_mark(cutter->machine);
    take_one(cutter->machine, transition);
    vector_push(&cutter->current, &transition);
    cutter->states++;
    XXH128_hash_t name = state_name(&cutter->namer, cutter->machine);
    const uint64_t *position = hash_table_find(cutter->positions, &name, sizeof name);
    size_t length = cutter->current.count;
    if (position && *position > cutter->start + length + cutter->saved) {
        cutter->end = *position;
        cutter->saved = *position - cutter->start - length;
        cutter->detour.count = 0;
        for (size_t i = 0; i < length; i++) {
            vector_push(&cutter->detour, vector_at(&cutter->current, i));
        }
    }
    search(cutter, steps);
    cutter->current.count--;
    machine_undo(cutter->machine, mark);
}

/* Searches the states within `steps` steps. */
static void search(struct cutter *cutter, uint32_t steps) {
    const struct transition *enabled;
    size_t count = steps == 0 ? 0 : machine_enabled(cutter->machine, &enabled);
    struct transition options[64];
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < 64; i++) {
        if (!cutter->at_once || search_drains_first(NULL, cutter->machine, enabled[i], NULL)) {
            options[kept++] = enabled[i];
        }
    }
    for (size_t i = 0; i < kept; i++) {
        bool is_step = options[i].kind == TRANSITION_STEP;
        uint64_t choices = is_step ? machine_choices(cutter->machine, options[i].thread) : 1;
        for (uint64_t choice = 0; choice < choices && choice < 8; choice++) {
            options[i].choice = is_step ? choice : options[i].choice;
            search_after(cutter, options[i], steps - (is_step || !cutter->at_once));
        }
    }
}

/* Records the states after the first `before` transitions of the path. */
static void note_positions(struct cutter *cutter, struct machine *machine, const struct vector *path, size_t before) {
    for (size_t i = 0; i < before; i++) {
        take_all(machine, path, i, i + 1);
        XXH128_hash_t name = state_name(&cutter->namer, machine);
        *hash_table_slot(cutter->positions, &name, sizeof name, NULL) = i + 1;
    }
}

/* Takes the path with short cuts on the second machine, and without on the first one.  False if a step was not
 * possible. */
static bool take_short_cuts(struct cutter *cutter, struct machine *from, const struct vector *path, size_t before,
                            struct vector *shorter) {
    bool good = true;
    while (good && cutter->start < before) {
        cutter->saved = 0;
        if (cutter->states < MOST_STATES) {
            search(cutter, MOST_CUT);
        }
        if (cutter->saved > 0) {
            take_all(from, path, cutter->start, cutter->end);
            take_all(cutter->machine, &cutter->detour, 0, cutter->detour.count);
            memcpy(vector_grow(shorter, cutter->detour.count), cutter->detour.data,
                   cutter->detour.count * sizeof(struct transition));
            cutter->start = cutter->end;
        } else {
            good = take_both(from, cutter->machine, path, cutter->start, cutter->start + 1, shorter);
            cutter->start++;
        }
    }
    return good;
}

void path_shorten(const struct program *program, const struct machine_options *options, size_t before, bool at_once,
                  struct vector *path) {
    struct machine *from = machine_new(program, options);
    struct cutter cutter = {
        .machine = machine_new(program, options), .positions = hash_table_new(), .at_once = at_once};
    struct vector shorter;
    vector_init(&cutter.detour, sizeof(struct transition));
    vector_init(&cutter.current, sizeof(struct transition));
    vector_init(&shorter, sizeof(struct transition));
    note_positions(&cutter, from, path, before);
    machine_free(from);
    from = machine_new(program, options);
    if (take_short_cuts(&cutter, from, path, before, &shorter) &&
        take_both(from, cutter.machine, path, before, path->count, &shorter)) {
        struct vector old = *path;
        *path = shorter;
        shorter = old;
    }
    vector_delete(&shorter);
    vector_delete(&cutter.detour);
    vector_delete(&cutter.current);
    hash_table_free(cutter.positions);
    free(cutter.namer.buffer);
    machine_free(cutter.machine);
    machine_free(from);
}
