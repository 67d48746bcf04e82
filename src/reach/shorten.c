/* See shorten.h.  The rest of the path is taken again behind the new way.  The machine may number its threads otherwise
 * there, and its stores too; who they are is the same. */
#include "reach/shorten.h"

#include <stdlib.h>
#include <xxhash.h>

#include "reach/search.h"

#define MOST_STATES 50000u

/* The state that is looked for. */
struct target {
    XXH128_hash_t name;
    uint8_t *buffer;
    size_t capacity;
};

static XXH128_hash_t state_name(struct target *target, struct machine *machine) {
    return XXH3_128bits(target->buffer, machine_serialise(machine, &target->buffer, &target->capacity));
}

static bool is_target(void *data, struct machine *machine, const uint8_t *monitor) {
    struct target *target = data;
    (void)monitor;
    XXH128_hash_t name = state_name(target, machine);
    return XXH128_isEqual(name, target->name);
}

/* The transition of one machine's thread as the other machine has it; false if it cannot take it. */
static bool translate(const struct machine *from, struct machine *to, struct transition *transition) {
    int64_t slot = machine_thread_numbered(to, machine_thread_number(from, transition->thread));
    if (slot < 0) {
        return false;
    }
    transition->thread = (uint32_t)slot;
    if (transition->kind == TRANSITION_DRAIN) {
        const struct buffer_entry *entries;
        if (machine_buffer(to, transition->thread, &entries) == 0) {
            return false;
        }
        transition->choice = entries[0].serial;
    }
    return machine_is_enabled(to, *transition);
}

/* Takes the rest of the path from the state that the first machine is in on the second one, too, and appends it. */
static bool take_rest(struct machine *from, struct machine *to, const struct vector *path, size_t before,
                      struct vector *shorter) {
    for (size_t i = before; i < path->count; i++) {
        struct transition next = *(const struct transition *)vector_at(path, i);
        struct transition translated = next;
        if (!translate(from, to, &translated)) {
            return false;
        }
        machine_take(from, next);
        machine_take(to, translated);
        vector_push(shorter, &translated);
    }
    return true;
}

void path_shorten(const struct program *program, const struct machine_options *options, struct limits *limits,
                  size_t before, struct vector *path) {
    struct target target = {.buffer = NULL};
    struct search_hooks hooks = {.data = &target, .allows = search_drains_first, .goal = is_target};
    struct search_task search = {
        .program = program,
        .machine = *options,
        .limits = limits,
        .hooks = &hooks,
        .errors_pass = true,
        .shortest = true,
        .most_states = MOST_STATES,
    };
    struct search_result result;
    struct machine *from = machine_new(program, options);
    struct machine *to = machine_new(program, options);
    for (size_t i = 0; i < before; i++) {
        machine_take(from, *(struct transition *)vector_at(path, i));
    }
    target.name = state_name(&target, from);
    search_result_init(&result);
    search_run(&search, &result);
    if (result.end == SEARCH_FOUND && result.path.count < before) {
        struct vector shorter = result.path;
        for (size_t i = 0; i < shorter.count; i++) {
            machine_take(to, *(struct transition *)vector_at(&shorter, i));
        }
        if (take_rest(from, to, path, before, &shorter)) {
            result.path = *path;
            *path = shorter;
        } else {
            result.path = shorter;
        }
    }
    search_result_delete(&result);
    machine_free(from);
    machine_free(to);
    free(target.buffer);
}
