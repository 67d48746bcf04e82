/* The search on the machine itself, for every model, every program and with hooks.
 *
 * A state is known by a 128-bit hash of its key.  Depth first, the machine goes forward by steps and back by marks. For
 * a shortest execution it is breadth first: states are nodes of a tree of first discoveries, and to get from one node
 * to the next the machine goes back to where their ways part and forward from there. */
#include "reach/walk.h"

#include <stdlib.h>
#include <string.h>

#include "engine/visited.h"
#include "util/memory.h"

#define ROOT UINT32_MAX

/* A state on the way: the transitions still to be taken from it lie in `pending` up to the next level's. */
struct level {
    machine_mark mark;
    size_t pending_first;
};

/* Breadth first: how a state was reached. */
struct node {
    uint32_t parent;
    uint32_t depth;
    struct transition transition;
};

struct walk {
    const struct search_task *task;
    const struct search_hooks *hooks; /* NULL: none */
    struct search_result *result;
    struct machine *machine;
    struct visited seen;
    struct vector levels;  /* of struct level */
    struct vector pending; /* of struct transition */
    struct vector path;    /* of struct transition */
    struct vector enabled; /* of struct transition: scratch */
    uint8_t *monitors;     /* of every level; the last one is the state's */
    size_t monitors_capacity;
    size_t monitor_size;
    uint8_t *key;
    size_t key_capacity;
    bool refused;
};

static uint8_t *monitor_of(struct walk *walk, size_t level) {
    size_t end = (level + 1) * walk->monitor_size;
    if (end > walk->monitors_capacity) {
        walk->monitors_capacity = end * 2 + 64;
        walk->monitors = memory_resize(walk->monitors, walk->monitors_capacity);
    }
    return walk->monitors + level * walk->monitor_size;
}

/* The monitor of the state behind this level, which begins as the level's. */
static uint8_t *monitor_behind(struct walk *walk, size_t level) {
    uint8_t *monitor = monitor_of(walk, level + 1);
    if (walk->monitor_size > 0) {
        memcpy(monitor, monitor_of(walk, level), walk->monitor_size);
    }
    return monitor;
}

static XXH128_hash_t state_name(struct walk *walk, const uint8_t *monitor) {
    const struct search_hooks *hooks = walk->hooks;
    if (hooks && hooks->key) {
        size_t size = hooks->key(hooks->data, walk->machine, monitor, &walk->key, &walk->key_capacity);
        return XXH3_128bits(walk->key, size);
    }
    size_t size = machine_serialise(walk->machine, &walk->key, &walk->key_capacity);
    if (walk->monitor_size == 0) {
        return XXH3_128bits(walk->key, size);
    }
    if (size + walk->monitor_size > walk->key_capacity) {
        walk->key_capacity = (size + walk->monitor_size) * 2;
        walk->key = memory_resize(walk->key, walk->key_capacity);
    }
    memcpy(walk->key + size, monitor, walk->monitor_size);
    return XXH3_128bits(walk->key, size + walk->monitor_size);
}

static void add_transition(struct walk *walk, struct transition transition, const uint8_t *monitor) {
    const struct search_hooks *hooks = walk->hooks;
    if (!hooks || !hooks->allows || hooks->allows(hooks->data, walk->machine, transition, monitor)) {
        vector_push(&walk->pending, &transition);
    }
}

/* Puts what may be taken from here into `pending`, the first of it last. */
static void add_transitions(struct walk *walk, const uint8_t *monitor) {
    const struct transition *enabled;
    size_t count = machine_enabled(walk->machine, &enabled);
    /* The hook may ask the machine, whose array it then is no longer. */
    walk->enabled.count = 0;
    for (size_t i = 0; i < count; i++) {
        vector_push(&walk->enabled, &enabled[i]);
    }
    struct transition *copy = walk->enabled.data;
    for (size_t i = count; i-- > 0;) {
        uint64_t choices = copy[i].kind == TRANSITION_STEP ? machine_choices(walk->machine, copy[i].thread) : 0;
        if (choices > SEARCH_CHOICES) {
            walk->refused = true;
            continue;
        }
        if (choices <= 1) {
            add_transition(walk, copy[i], monitor);
        }
        for (uint64_t choice = choices; choices > 1 && choice-- > 0;) {
            copy[i].choice = choice;
            add_transition(walk, copy[i], monitor);
        }
    }
}

/* The machine is in a state: is it new, and if so, is it what is looked for, has an execution ended here?  Returns
 * whether the search goes on from it; found is set in the result. */
static bool enter(struct walk *walk, const uint8_t *monitor) {
    struct search_result *result = walk->result;
    const struct search_hooks *hooks = walk->hooks;
    if (!visited_add(&walk->seen, state_name(walk, monitor))) {
        return false;
    }
    result->states++;
    if (hooks && hooks->goal && hooks->goal(hooks->data, walk->machine, monitor)) {
        result->end = SEARCH_FOUND;
        result->goal = true;
        return false;
    }
    enum outcome outcome = machine_outcome(walk->machine);
    if (outcome == OUTCOME_RUNNING) {
        return true;
    }
    if (outcome == OUTCOME_ERROR && !walk->task->errors_pass) {
        result->end = SEARCH_FOUND;
        result->error = *machine_error(walk->machine);
        return false;
    }
    search_count_end(walk->task, result, walk->machine, outcome);
    return false;
}

/* Takes a transition; false if a hook drops the path. */
static bool take(struct walk *walk, struct transition transition, uint8_t *monitor) {
    const struct search_hooks *hooks = walk->hooks;
    machine_take(walk->machine, transition);
    walk->result->transitions++;
    return !hooks || !hooks->follow || hooks->follow(hooks->data, walk->machine, transition, monitor);
}

/* --- Depth first -------------------------------------------------------------------------------------------------- */

static void push_level(struct walk *walk) {
    struct level level = {.pending_first = walk->pending.count};
    add_transitions(walk, monitor_of(walk, walk->levels.count));
    level.mark = machine_set_mark(walk->machine);
    vector_push(&walk->levels, &level);
    if (walk->path.count > walk->result->depth) {
        walk->result->depth = walk->path.count;
    }
}

static void walk_deep(struct walk *walk) {
    struct search_result *result = walk->result;
    if (enter(walk, monitor_of(walk, 0))) {
        push_level(walk);
    }
    while (walk->levels.count > 0 && !search_must_stop(walk->task, result)) {
        struct level *level = vector_at(&walk->levels, walk->levels.count - 1);
        machine_undo(walk->machine, level->mark);
        walk->path.count = walk->levels.count - 1;
        if (walk->pending.count == level->pending_first) {
            walk->levels.count--;
            continue;
        }
        struct transition transition = *(struct transition *)vector_at(&walk->pending, --walk->pending.count);
        uint8_t *monitor = monitor_behind(walk, walk->levels.count - 1);
        vector_push(&walk->path, &transition);
        if (take(walk, transition, monitor) && enter(walk, monitor)) {
            push_level(walk);
        }
        if (result->end == SEARCH_FOUND) {
            return;
        }
        search_show_progress(walk->task, result);
    }
}

/* --- Breadth first ------------------------------------------------------------------------------------------------ */

struct breadth {
    struct walk *walk;
    struct vector nodes; /* of struct node: known states, in the order of their discovery */
    struct vector marks; /* of machine_mark: one before each step of `path` */
};

static const struct node *node_at(const struct breadth *breadth, uint32_t node) {
    return vector_at(&breadth->nodes, node);
}

static void step_forward(struct breadth *breadth, struct transition transition) {
    struct walk *walk = breadth->walk;
    machine_mark mark = machine_set_mark(walk->machine);
    vector_push(&breadth->marks, &mark);
    vector_push(&walk->path, &transition);
}

static void step_back(struct breadth *breadth) {
    machine_undo(breadth->walk->machine, *(machine_mark *)vector_at(&breadth->marks, --breadth->marks.count));
    breadth->walk->path.count--;
}

/* Brings the machine from one node to another. */
static void go_to(struct breadth *breadth, uint32_t from, uint32_t to) {
    struct walk *walk = breadth->walk;
    uint32_t common = to;
    size_t first = walk->pending.count;
    while (from != common) {
        if (common == ROOT || (from != ROOT && node_at(breadth, from)->depth >= node_at(breadth, common)->depth)) {
            step_back(breadth);
            from = node_at(breadth, from)->parent;
        } else {
            vector_push(&walk->pending, &node_at(breadth, common)->transition);
            common = node_at(breadth, common)->parent;
        }
    }
    while (walk->pending.count > first) {
        struct transition transition = *(struct transition *)vector_at(&walk->pending, --walk->pending.count);
        size_t level = walk->path.count;
        uint8_t *monitor = monitor_behind(walk, level);
        step_forward(breadth, transition);
        machine_take(walk->machine, transition);
        if (walk->hooks && walk->hooks->follow) {
            walk->hooks->follow(walk->hooks->data, walk->machine, transition, monitor);
        }
    }
}

static void expand_node(struct breadth *breadth, uint32_t node) {
    struct walk *walk = breadth->walk;
    size_t level = walk->path.count;
    size_t first = walk->pending.count;
    add_transitions(walk, monitor_of(walk, level));
    while (walk->pending.count > first && walk->result->end != SEARCH_FOUND) {
        struct transition transition = *(struct transition *)vector_at(&walk->pending, --walk->pending.count);
        uint8_t *monitor = monitor_behind(walk, level);
        step_forward(breadth, transition);
        if (take(walk, transition, monitor) && enter(walk, monitor)) {
            struct node next = {.parent = node, .depth = (uint32_t)level + 1, .transition = transition};
            vector_push(&breadth->nodes, &next);
            walk->result->depth = level + 1;
        }
        if (walk->result->end != SEARCH_FOUND) {
            step_back(breadth);
        }
    }
}

static void walk_broad(struct walk *walk) {
    struct breadth breadth = {.walk = walk};
    vector_init(&breadth.nodes, sizeof(struct node));
    vector_init(&breadth.marks, sizeof(machine_mark));
    uint32_t at = ROOT;
    if (enter(walk, monitor_of(walk, 0))) {
        expand_node(&breadth, ROOT);
    }
    for (uint32_t next = 0;
         next < breadth.nodes.count && walk->result->end != SEARCH_FOUND && !search_must_stop(walk->task, walk->result);
         next++) {
        go_to(&breadth, at, next);
        at = next;
        expand_node(&breadth, next);
        search_show_progress(walk->task, walk->result);
    }
    vector_delete(&breadth.nodes);
    vector_delete(&breadth.marks);
}

void walk_run(const struct search_task *task, struct search_result *result) {
    struct walk walk = {
        .task = task,
        .hooks = task->hooks,
        .result = result,
        .monitor_size = task->hooks ? task->hooks->monitor_size : 0,
    };
    vector_init(&walk.levels, sizeof(struct level));
    vector_init(&walk.pending, sizeof(struct transition));
    vector_init(&walk.path, sizeof(struct transition));
    vector_init(&walk.enabled, sizeof(struct transition));
    visited_init(&walk.seen);
    walk.machine = machine_new(task->program, &task->machine);
    uint8_t *monitor = monitor_of(&walk, 0);
    if (walk.monitor_size > 0 && task->hooks->monitor_start) {
        memcpy(monitor, task->hooks->monitor_start, walk.monitor_size);
    } else if (walk.monitor_size > 0) {
        memset(monitor, 0, walk.monitor_size);
    }
    (task->shortest ? walk_broad : walk_deep)(&walk);
    if (result->end == SEARCH_FOUND) {
        for (size_t i = 0; i < walk.path.count; i++) {
            vector_push(&result->path, vector_at(&walk.path, i));
        }
        search_settle_path(task, result, walk.machine);
    } else if (result->end == SEARCH_EXHAUSTED && walk.refused) {
        result->end = SEARCH_LIMIT;
        result->reason = SEARCH_REFUSED;
    }
    result->table_bytes = walk.seen.capacity * sizeof(XXH128_hash_t);
    machine_free(walk.machine);
    vector_delete(&walk.levels);
    vector_delete(&walk.pending);
    vector_delete(&walk.path);
    vector_delete(&walk.enabled);
    visited_delete(&walk.seen);
    free(walk.monitors);
    free(walk.key);
}
