/* The engine `switches`: a breadth-first search by context switches, so the execution that it finds has the fewest
 * switches.
 *
 * A context switch is a transition of another thread than the one before; a drain belongs to the thread of its buffer.
 * A node is a state together with the thread of the last transition; nodes that need k switches are expanded before
 * those that need more.  The machine reaches a node by its path from the beginning, so only paths are stored. */
#include "engine/switches.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/visited.h"

#define MAX_CHOICES 4096

struct node {
    uint32_t parent;
    uint32_t depth; /* 0: the first */
    struct transition last;
};

struct search {
    const struct task *task;
    struct verdict *verdict;
    struct machine *machine;
    machine_mark beginning;
    struct vector nodes;    /* of struct node: a tree */
    struct vector level[2]; /* of uint32_t: nodes to expand, with an even and with an odd number of switches */
    struct vector path;     /* of struct transition: to the present node */
    struct visited visited;
    unsigned met;    /* bits of enum met */
    bool restricted; /* another switch was not allowed */
};

/* Brings the machine to the node; true if its state was not visited before. */
static bool enter(struct search *search, uint32_t at, uint8_t **buffer, size_t *capacity) {
    const struct node *node = vector_at(&search->nodes, at);
    uint32_t thread = node->last.thread;
    search->path.count = 0;
    struct transition *path = vector_grow(&search->path, node->depth);
    for (; node->depth > 0; node = vector_at(&search->nodes, node->parent)) {
        path[node->depth - 1] = node->last;
    }
    machine_undo(search->machine, search->beginning);
    for (size_t i = 0; i < search->path.count; i++) {
        machine_take(search->machine, path[i]);
    }
    size_t size = machine_serialise(search->machine, buffer, capacity);
    return visited_add(&search->visited, XXH3_128bits_withSeed(*buffer, size, thread));
}

static void add_node(struct search *search, struct node node, uint32_t switches) {
    vector_push(&search->level[switches % 2], &(uint32_t){(uint32_t)search->nodes.count});
    vector_push(&search->nodes, &node);
}

/* Adds the successors of the node, whose state the machine has. */
static void expand(struct search *search, uint32_t at, uint32_t switches) {
    const struct restriction *restriction = &search->task->restriction;
    struct node node = *(struct node *)vector_at(&search->nodes, at);
    const struct transition *enabled;
    for (size_t i = machine_enabled(search->machine, &enabled); i-- > 0;) {
        struct node next = {at, node.depth + 1, enabled[i]};
        uint32_t needed = switches + (node.depth > 0 && next.last.thread != node.last.thread);
        bool is_step = next.last.kind == TRANSITION_STEP;
        uint64_t choices = is_step ? machine_choices(search->machine, next.last.thread) : 1;
        if (restriction->kind == RESTRICTION_SWITCHES && needed > restriction->bound) {
            search->restricted = true;
        } else if (choices > MAX_CHOICES) {
            snprintf(search->verdict->reason, sizeof search->verdict->reason, "a step has too many choices");
        } else if (!is_step) {
            add_node(search, next, needed);
        } else {
            for (next.last.choice = 0; next.last.choice < choices; next.last.choice++) {
                add_node(search, next, needed);
            }
        }
    }
}

/* Expands all nodes that need this number of switches; false if there are none, or if the search has to stop. */
static bool search_level(struct search *search, uint32_t switches) {
    struct vector *level = &search->level[switches % 2];
    struct verdict *verdict = search->verdict;
    uint8_t *buffer = NULL;
    size_t capacity = 0;
    bool any = level->count > 0;
    while (level->count > 0 && verdict->word != VERDICT_VIOLATION && !limits_reached(search->task->limits)) {
        uint32_t at = *(uint32_t *)vector_at(level, --level->count);
        if (!enter(search, at, &buffer, &capacity)) {
            continue;
        }
        verdict->states++;
        enum outcome outcome = machine_outcome(search->machine);
        if (outcome == OUTCOME_RUNNING) {
            expand(search, at, switches);
        } else {
            search->met |= machine_met(search->machine);
            verdict_add_execution(verdict, search->task, search->machine, outcome, &search->path);
        }
        if (progress_due(search->task->progress)) {
            progress_show(search->task->progress, "%u context switches, %" PRIu64 " states", switches, verdict->states);
        }
    }
    free(buffer);
    return any && level->count == 0;
}

static void run_switches(const struct task *task, struct verdict *verdict) {
    struct search search = {.task = task, .verdict = verdict, .machine = NULL};
    struct machine_options options = task->machine;
    options.awaits = AWAIT_SPIN;
    vector_init(&search.nodes, sizeof(struct node));
    vector_init(&search.level[0], sizeof(uint32_t));
    vector_init(&search.level[1], sizeof(uint32_t));
    vector_init(&search.path, sizeof(struct transition));
    visited_init(&search.visited);
    search.machine = machine_new(task->program, &options);
    search.beginning = machine_set_mark(search.machine);
    add_node(&search, (struct node){0}, 0);
    for (uint32_t switches = 0; search_level(&search, switches); switches++) {
    }
    if (verdict_conclude(verdict, task, search.met) && search.restricted) {
        verdict_add_restriction(verdict, task->restriction);
    }
    machine_free(search.machine);
    vector_delete(&search.nodes);
    vector_delete(&search.level[0]);
    vector_delete(&search.level[1]);
    vector_delete(&search.path);
    visited_delete(&search.visited);
}

const struct engine engine_switches = {
    .name = "switches",
    .what = "breadth first by context switches: an error with as few as possible, in small programs",
    .run = run_switches,
    .keeps_to = RESTRICTION_SWITCHES,
};
