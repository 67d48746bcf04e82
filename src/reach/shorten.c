/* Short cuts: from a state on the way, what is a few steps away is looked at, and if a state is among it to which the
 * way comes much later, it goes there at once.
 *
 * What lies behind is taken again behind the new way.  The machine may number its threads otherwise there, and its
 * stores too; who they are is the same. */
#include "reach/shorten.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reach/search.h"
#include "util/hash_table.h"

#define MOST_CUT 5u            /* steps of a short cut, drains apart */
#define MOST_LOOKED_AT 400000u /* states that are looked at for short cuts */

/* --- States ------------------------------------------------------------------------------------------------------- */

struct namer {
    uint8_t *buffer;
    size_t capacity;
};

static XXH128_hash_t state_name(struct namer *namer, struct machine *machine) {
    size_t size = machine_serialise(machine, &namer->buffer, &namer->capacity);
    return XXH3_128bits(namer->buffer, size);
}

/* The transition of one machine's thread as the other machine has it; false if it cannot take it. */
static bool translate(const struct machine *from, struct machine *to, struct transition *transition) {
    int64_t slot = machine_thread_numbered(to, machine_thread_number(from, transition->thread));
    if (slot < 0) {
        return false;
    }
    if (transition->kind == TRANSITION_DRAIN) {
        const struct buffer_entry *entries;
        size_t count = machine_buffer(from, transition->thread, &entries);
        size_t place = 0;
        while (place < count && entries[place].serial != transition->choice) {
            place++;
        }
        if (place >= machine_buffer(to, (uint32_t)slot, &entries)) {
            return false;
        }
        transition->choice = entries[place].serial;
    }
    transition->thread = (uint32_t)slot;
    return machine_is_enabled(to, *transition);
}

/* Both machines are in one state, to which their ways may differ.  Takes the transitions of the path from `first` up to
 * `end` on both, and appends what the second one takes. */
static bool take_both(struct machine *from, struct machine *to, const struct vector *path, size_t first, size_t end,
                      struct vector *taken) {
    for (size_t i = first; i < end; i++) {
        struct transition next = *(const struct transition *)vector_at(path, i);
        struct transition translated = next;
        if (!translate(from, to, &translated)) {
            return false;
        }
        machine_take(from, next);
        machine_take(to, translated);
        vector_push(taken, &translated);
    }
    return true;
}

static void take_all(struct machine *machine, const struct vector *path, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        machine_take(machine, *(const struct transition *)vector_at(path, i));
    }
}

/* --- Short cuts --------------------------------------------------------------------------------------------------- */

struct cutter {
    struct machine *machine;
    struct namer namer;
    struct hash_table *places; /* states of the way: the last place at which it comes to them */
    uint64_t looked_at;
    bool at_once; /* stores drain at once */
    size_t start; /* where on the way the machine stands */
    /* The best short cut from there: */
    size_t end;
    size_t saved;
    struct vector way;     /* of struct transition */
    struct vector current; /* of struct transition: where the machine has gone */
};

static void look(struct cutter *cutter, uint32_t steps);

static void look_behind(struct cutter *cutter, struct transition transition, uint32_t steps) {
    machine_mark mark = machine_set_mark(cutter->machine);
    machine_take(cutter->machine, transition);
    vector_push(&cutter->current, &transition);
    cutter->looked_at++;
    XXH128_hash_t name = state_name(&cutter->namer, cutter->machine);
    const uint64_t *place = hash_table_find(cutter->places, &name, sizeof name);
    size_t length = cutter->current.count;
    if (place && *place > cutter->start + length + cutter->saved) {
        cutter->end = *place;
        cutter->saved = *place - cutter->start - length;
        cutter->way.count = 0;
        for (size_t i = 0; i < length; i++) {
            vector_push(&cutter->way, vector_at(&cutter->current, i));
        }
    }
    look(cutter, steps);
    cutter->current.count--;
    machine_undo(cutter->machine, mark);
}

/* Looks at what is so many steps away. */
static void look(struct cutter *cutter, uint32_t steps) {
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
            look_behind(cutter, options[i], steps - (is_step || !cutter->at_once));
        }
    }
}

/* Notes where the first `before` transitions of the path lead. */
static void note_places(struct cutter *cutter, struct machine *machine, const struct vector *path, size_t before) {
    for (size_t i = 0; i < before; i++) {
        take_all(machine, path, i, i + 1);
        XXH128_hash_t name = state_name(&cutter->namer, machine);
        *hash_table_slot(cutter->places, &name, sizeof name, NULL) = i + 1;
    }
}

/* Goes the way with short cuts on the second machine; the first one goes it as it is.  False if something went wrong.
 */
static bool take_short_cuts(struct cutter *cutter, struct machine *from, const struct vector *path, size_t before,
                            struct vector *shorter) {
    bool good = true;
    while (good && cutter->start < before) {
        cutter->saved = 0;
        if (cutter->looked_at < MOST_LOOKED_AT) {
            look(cutter, MOST_CUT);
        }
        if (cutter->saved > 0) {
            take_all(from, path, cutter->start, cutter->end);
            take_all(cutter->machine, &cutter->way, 0, cutter->way.count);
            memcpy(vector_grow(shorter, cutter->way.count), cutter->way.data,
                   cutter->way.count * sizeof(struct transition));
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
    struct cutter cutter = {.machine = machine_new(program, options), .places = hash_table_new(), .at_once = at_once};
    struct vector shorter;
    vector_init(&cutter.way, sizeof(struct transition));
    vector_init(&cutter.current, sizeof(struct transition));
    vector_init(&shorter, sizeof(struct transition));
    note_places(&cutter, from, path, before);
    machine_free(from);
    from = machine_new(program, options);
    if (take_short_cuts(&cutter, from, path, before, &shorter) &&
        take_both(from, cutter.machine, path, before, path->count, &shorter)) {
        struct vector old = *path;
        *path = shorter;
        shorter = old;
    }
    vector_delete(&shorter);
    vector_delete(&cutter.way);
    vector_delete(&cutter.current);
    hash_table_free(cutter.places);
    free(cutter.namer.buffer);
    machine_free(cutter.machine);
    machine_free(from);
}
