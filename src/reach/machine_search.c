/* The search on the machine itself, for every model, every program and with hooks.
 *
 * A 128-bit hash of its key identifies a state.  A depth-first search takes steps and undoes them by marks.  A search
 * for a shortest execution is breadth first: states are nodes of a tree of first discoveries, and to get from one node
 * to the next the machine undoes steps up to their common ancestor and takes the steps to the next node. */
#include "reach/machine_search.h"

#include <stdlib.h>
#include <string.h>

#include "engine/visited.h"
#include "util/memory.h"

#define ROOT UINT32_MAX

/* A state of the current execution; its transitions that were not yet taken are in `pending`, before those of the next
 * level. */
struct level {
    machine_mark mark;
    size_t pending_first;
};

/* Breadth first: the path to a state. */
struct node {
    uint32_t parent;
    uint32_t depth;
    struct transition transition;
};

struct machine_search {
    const struct search_task *task;
    const struct search_hooks *hooks; /* NULL: none */
    struct search_result *result;
    struct machine *machine;
    struct visited seen;
    struct vector levels;  /* of struct level */
    struct vector pending; /* of struct transition */
    struct vector path;    /* of struct transition */
    struct vector enabled; /* of struct transition: scratch */
    uint8_t *monitors;     /* by level; the last one is the state's */
    size_t monitors_capacity;
    size_t monitor_size;
    uint8_t *key;
    size_t key_capacity;
    bool refused;
};

static uint8_t *monitor_of(struct machine_search *search, size_t level) {
    size_t end = (level + 1) * search->monitor_size;
    if (end > search->monitors_capacity) {
        search->monitors_capacity = end * 2 + 64;
        search->monitors = memory_resize(search->monitors, search->monitors_capacity);
    }
    return search->monitors + level * search->monitor_size;
}

/* The monitor of the state after this level, initially a copy of the level's. */
static uint8_t *monitor_after(struct machine_search *search, size_t level) {
    uint8_t *monitor = monitor_of(search, level + 1);
    if (search->monitor_size > 0) {
        memcpy(monitor, monitor_of(search, level), search->monitor_size);
    }
    return monitor;
}

static XXH128_hash_t state_name(struct machine_search *search, const uint8_t *monitor) {
    const struct search_hooks *hooks = search->hooks;
    if (hooks && hooks->key) {
        size_t size = hooks->key(hooks->data, search->machine, monitor, &search->key, &search->key_capacity);
        return XXH3_128bits(search->key, size);
    }
    size_t size = machine_serialise(search->machine, &search->key, &search->key_capacity);
    if (search->monitor_size == 0) {
        return XXH3_128bits(search->key, size);
    }
    if (size + search->monitor_size > search->key_capacity) {
        search->key_capacity = (size + search->monitor_size) * 2;
        search->key = memory_resize(search->key, search->key_capacity);
    }
    memcpy(search->key + size, monitor, search->monitor_size);
    return XXH3_128bits(search->key, size + search->monitor_size);
}

static void add_transition(struct machine_search *search, struct transition transition, const uint8_t *monitor) {
    const struct search_hooks *hooks = search->hooks;
    if (!hooks || !hooks->allows || hooks->allows(hooks->data, search->machine, transition, monitor)) {
        vector_push(&search->pending, &transition);
    }
}

/* Adds the transitions that may be taken here to `pending`, in reverse order. */
static void add_transitions(struct machine_search *search, const uint8_t *monitor) {
    const struct transition *enabled;
    size_t count = machine_enabled(search->machine, &enabled);
    /* The hook may call the machine, which then changes its array. */
    search->enabled.count = 0;
    for (size_t i = 0; i < count; i++) {
        vector_push(&search->enabled, &enabled[i]);
    }
    struct transition *copy = search->enabled.data;
    for (size_t i = count; i-- > 0;) {
        uint64_t choices = copy[i].kind == TRANSITION_STEP ? machine_choices(search->machine, copy[i].thread) : 0;
        if (choices > SEARCH_CHOICES) {
            search->refused = true;
            continue;
        }
        if (choices <= 1) {
            add_transition(search, copy[i], monitor);
        }
        for (uint64_t choice = choices; choices > 1 && choice-- > 0;) {
            copy[i].choice = choice;
            add_transition(search, copy[i], monitor);
        }
    }
}

/* Visits the machine's state: is it new, and if so, is it a result, or the end of an execution?  Returns whether the
 * search continues from it; a result is set in search->result. */
static bool enter(struct machine_search *search, const uint8_t *monitor) {
    struct search_result *result = search->result;
    const struct search_hooks *hooks = search->hooks;
    if (!visited_add(&search->seen, state_name(search, monitor))) {
        return false;
    }
    result->states++;
    if (hooks && hooks->goal && hooks->goal(hooks->data, search->machine, monitor)) {
        result->end = SEARCH_FOUND;
        result->goal = true;
        return false;
    }
    enum outcome outcome = machine_outcome(search->machine);
    if (outcome == OUTCOME_RUNNING) {
        return true;
    }
    if (outcome == OUTCOME_ERROR && !search->task->errors_pass) {
        result->end = SEARCH_FOUND;
        result->error = *machine_error(search->machine);
        return false;
    }
    search_count_end(search->task, result, search->machine, outcome);
    return false;
}

/* Takes a transition; false if a hook rejects it. */
static bool take(struct machine_search *search, struct transition transition, uint8_t *monitor) {
    const struct search_hooks *hooks = search->hooks;
    machine_take(search->machine, transition);
    search->result->transitions++;
    return !hooks || !hooks->follow || hooks->follow(hooks->data, search->machine, transition, monitor);
}

/* --- Depth first -------------------------------------------------------------------------------------------------- */

static void push_level(struct machine_search *search) {
    struct level level = {.pending_first = search->pending.count};
    add_transitions(search, monitor_of(search, search->levels.count));
    level.mark = machine_set_mark(search->machine);
    vector_push(&search->levels, &level);
    if (search->path.count > search->result->depth) {
        search->result->depth = search->path.count;
    }
}

static void search_depth_first(struct machine_search *search) {
    struct search_result *result = search->result;
    if (enter(search, monitor_of(search, 0))) {
        push_level(search);
    }
    while (search->levels.count > 0 && !search_must_stop(search->task, result)) {
        struct level *level = vector_at(&search->levels, search->levels.count - 1);
        machine_undo(search->machine, level->mark);
        search->path.count = search->levels.count - 1;
        if (search->pending.count == level->pending_first) {
            search->levels.count--;
            continue;
        }
        struct transition transition = *(struct transition *)vector_at(&search->pending, --search->pending.count);
        uint8_t *monitor = monitor_after(search, search->levels.count - 1);
        vector_push(&search->path, &transition);
        if (take(search, transition, monitor) && enter(search, monitor)) {
            push_level(search);
        }
        if (result->end == SEARCH_FOUND) {
            return;
        }
        search_show_progress(search->task, result);
    }
}

/* --- Breadth first ------------------------------------------------------------------------------------------------ */

struct breadth {
    struct machine_search *search;
    struct vector nodes; /* of struct node: known states, in the order of their discovery */
    struct vector marks; /* of machine_mark: one before each step of `path` */
};

static const struct node *node_at(const struct breadth *breadth, uint32_t node) {
    return vector_at(&breadth->nodes, node);
}

static void step_forward(struct breadth *breadth, struct transition transition) {
    struct machine_search *search = breadth->search;
    machine_mark mark = machine_set_mark(search->machine);
    vector_push(&breadth->marks, &mark);
    vector_push(&search->path, &transition);
}

static void step_back(struct breadth *breadth) {
    machine_undo(breadth->search->machine, *(machine_mark *)vector_at(&breadth->marks, --breadth->marks.count));
    breadth->search->path.count--;
}

/* Brings the machine from one node to another. */
static void go_to(struct breadth *breadth, uint32_t from, uint32_t to) {
    struct machine_search *search = breadth->search;
    uint32_t common = to;
    size_t first = search->pending.count;
    while (from != common) {
        if (common == ROOT || (from != ROOT && node_at(breadth, from)->depth >= node_at(breadth, common)->depth)) {
            step_back(breadth);
            from = node_at(breadth, from)->parent;
        } else {
            vector_push(&search->pending, &node_at(breadth, common)->transition);
            common = node_at(breadth, common)->parent;
        }
    }
    while (search->pending.count > first) {
        struct transition transition = *(struct transition *)vector_at(&search->pending, --search->pending.count);
        size_t level = search->path.count;
        uint8_t *monitor = monitor_after(search, level);
        step_forward(breadth, transition);
        machine_take(search->machine, transition);
        if (search->hooks && search->hooks->follow) {
            search->hooks->follow(search->hooks->data, search->machine, transition, monitor);
        }
    }
}

static void expand_node(struct breadth *breadth, uint32_t node) {
    struct machine_search *search = breadth->search;
    size_t level = search->path.count;
    size_t first = search->pending.count;
    add_transitions(search, monitor_of(search, level));
    while (search->pending.count > first && search->result->end != SEARCH_FOUND) {
        struct transition transition = *(struct transition *)vector_at(&search->pending, --search->pending.count);
        uint8_t *monitor = monitor_after(search, level);
        step_forward(breadth, transition);
        if (take(search, transition, monitor) && enter(search, monitor)) {
            struct node next = {.parent = node, .depth = (uint32_t)level + 1, .transition = transition};
            vector_push(&breadth->nodes, &next);
            search->result->depth = level + 1;
        }
        if (search->result->end != SEARCH_FOUND) {
            step_back(breadth);
        }
    }
}

static void search_breadth_first(struct machine_search *search) {
    struct breadth breadth = {.search = search};
    vector_init(&breadth.nodes, sizeof(struct node));
    vector_init(&breadth.marks, sizeof(machine_mark));
    uint32_t at = ROOT;
    if (enter(search, monitor_of(search, 0))) {
        expand_node(&breadth, ROOT);
    }
    for (uint32_t next = 0; next < breadth.nodes.count && search->result->end != SEARCH_FOUND &&
                            !search_must_stop(search->task, search->result);
         next++) {
        go_to(&breadth, at, next);
        at = next;
        expand_node(&breadth, next);
        search_show_progress(search->task, search->result);
    }
    vector_delete(&breadth.nodes);
    vector_delete(&breadth.marks);
}

void machine_search_run(const struct search_task *task, struct search_result *result) {
    struct machine_search search = {
        .task = task,
        .hooks = task->hooks,
        .result = result,
        .monitor_size = task->hooks ? task->hooks->monitor_size : 0,
    };
    vector_init(&search.levels, sizeof(struct level));
    vector_init(&search.pending, sizeof(struct transition));
    vector_init(&search.path, sizeof(struct transition));
    vector_init(&search.enabled, sizeof(struct transition));
    visited_init(&search.seen);
    search.machine = machine_new(task->program, &task->machine);
    uint8_t *monitor = monitor_of(&search, 0);
    if (search.monitor_size > 0 && task->hooks->monitor_start) {
        memcpy(monitor, task->hooks->monitor_start, search.monitor_size);
    } else if (search.monitor_size > 0) {
        memset(monitor, 0, search.monitor_size);
    }
    (task->shortest ? search_breadth_first : search_depth_first)(&search);
    if (result->end == SEARCH_FOUND) {
        for (size_t i = 0; i < search.path.count; i++) {
            vector_push(&result->path, vector_at(&search.path, i));
        }
        search_settle_path(task, result, search.machine);
    } else if (result->end == SEARCH_EXHAUSTED && search.refused) {
        result->end = SEARCH_LIMIT;
        result->reason = SEARCH_REFUSED;
    }
    result->table_bytes = search.seen.capacity * sizeof(XXH128_hash_t);
    machine_free(search.machine);
    vector_delete(&search.levels);
    vector_delete(&search.pending);
    vector_delete(&search.path);
    vector_delete(&search.enabled);
    visited_delete(&search.seen);
    free(search.monitors);
    free(search.key);
}
