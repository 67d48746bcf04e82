/* The engine `switches`: a breadth-first search by context switches, so the execution that it finds has the fewest
 * switches.
 *
 * A context switch is a transition of another thread than the one before; a drain belongs to the thread of its buffer.
 * A node is a state together with the thread of the last transition; nodes that need k switches are expanded before
 * those that need more.  The machine reaches a node by its path from the beginning, so only paths are stored. */
#include "engine/switches.h"

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
    struct vector nodes;    /* of struct node: a tree */
    struct vector level[2]; /* of uint32_t: nodes to expand with this number of switches, and with one more */
    struct vector path;     /* of struct transition: to the present node */
    struct visited visited;
    uint8_t *buffer;
    size_t capacity;
    unsigned met;    /* bits of enum met */
    bool more;       /* another switch is allowed */
    bool restricted; /* another switch was not allowed */
};

/* Brings the machine to the node; true if its state was not visited before. */
static bool enter(struct search *search, machine_mark beginning, uint32_t at) {
    const struct node *node = vector_at(&search->nodes, at);
    uint32_t thread = node->last.thread;
    search->path.count = 0;
    struct transition *path = vector_grow(&search->path, node->depth);
    for (; node->depth > 0; node = vector_at(&search->nodes, node->parent)) {
        path[node->depth - 1] = node->last;
    }
    machine_undo(search->machine, beginning);
    for (size_t i = 0; i < search->path.count; i++) {
        machine_take(search->machine, path[i]);
    }
    size_t size = machine_serialise(search->machine, &search->buffer, &search->capacity);
    return visited_add(&search->visited, XXH3_128bits_withSeed(search->buffer, size, thread));
}

static void end_path(struct search *search, enum outcome outcome) {
    struct verdict *verdict = search->verdict;
    bool waits = outcome == OUTCOME_BLOCKED || outcome == OUTCOME_ASSUME;
    search->met |= machine_met(search->machine);
    verdict->traces += outcome == OUTCOME_COMPLETE;
    verdict->blocked += waits;
    verdict->cut += outcome == OUTCOME_CUT;
    if (outcome == OUTCOME_ERROR) {
        verdict_set_violation(verdict, search->task, search->machine, machine_error(search->machine), search->path.data,
                              search->path.count);
    } else if (!waits && outcome != OUTCOME_COMPLETE && outcome != OUTCOME_CUT) {
        snprintf(verdict->reason, sizeof verdict->reason, "a thread runs on without ever reaching a visible step");
    }
}

/* Adds the successors of the node, whose state the machine has, to the two levels. */
static void expand(struct search *search, uint32_t at) {
    struct node node = *(struct node *)vector_at(&search->nodes, at);
    const struct transition *enabled;
    for (size_t i = machine_enabled(search->machine, &enabled); i-- > 0;) {
        struct node next = {at, node.depth + 1, enabled[i]};
        bool is_step = enabled[i].kind == TRANSITION_STEP;
        bool switches = node.depth > 0 && enabled[i].thread != node.last.thread;
        uint64_t choices = is_step ? machine_choices(search->machine, enabled[i].thread) : 1;
        search->restricted |= switches && !search->more;
        if (choices > MAX_CHOICES) {
            snprintf(search->verdict->reason, sizeof search->verdict->reason, "a step has too many choices");
            continue;
        }
        for (uint64_t choice = 0; choice < choices && (search->more || !switches); choice++) {
            next.last.choice = is_step ? choice : enabled[i].choice;
            vector_push(&search->level[switches], &(uint32_t){(uint32_t)search->nodes.count});
            vector_push(&search->nodes, &next);
        }
    }
}

/* Expands all nodes that need this number of switches. */
static void search_level(struct search *search, machine_mark beginning, uint32_t switches) {
    const struct restriction *restriction = &search->task->restriction;
    search->more = restriction->kind != RESTRICTION_SWITCHES || switches < restriction->bound;
    while (search->level[0].count > 0 && search->verdict->word != VERDICT_VIOLATION &&
           !limits_reached(search->task->limits)) {
        uint32_t at = *(uint32_t *)vector_at(&search->level[0], --search->level[0].count);
        if (enter(search, beginning, at)) {
            enum outcome outcome = machine_outcome(search->machine);
            search->verdict->states++;
            outcome == OUTCOME_RUNNING ? expand(search, at) : end_path(search, outcome);
        }
        if (progress_due(search->task->progress)) {
            progress_show(search->task->progress, "%u context switches, %llu states", switches,
                          (unsigned long long)search->verdict->states);
        }
    }
}

static void decide(struct search *search) {
    struct verdict *verdict = search->verdict;
    const char *limit = limits_reason(search->task->limits);
    if (verdict->word != VERDICT_VIOLATION && limit) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", limit);
    } else if (verdict->word == VERDICT_VIOLATION || verdict->reason[0]) {
        return;
    } else if (verdict_lacks_executions(verdict->traces, verdict->cut, search->met)) {
        verdict_set_incomplete(verdict, search->task, search->met);
    } else {
        verdict_set_safe(verdict, search->task, search->met);
        if (search->restricted) {
            verdict_add_bound(verdict, SWITCHES_BOUND, search->task->restriction.bound);
        }
    }
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
    machine_mark beginning = machine_set_mark(search.machine);
    vector_push(&search.nodes, &(struct node){0});
    vector_push(&search.level[0], &(uint32_t){0});
    for (uint32_t k = 0; search.level[0].count > 0; k++) {
        search_level(&search, beginning, k);
        if (search.level[0].count == 0) { /* otherwise it was stopped */
            struct vector swapped = search.level[0];
            search.level[0] = search.level[1];
            search.level[1] = swapped;
        } else {
            break;
        }
    }
    decide(&search);
    machine_free(search.machine);
    vector_delete(&search.nodes);
    vector_delete(&search.level[0]);
    vector_delete(&search.level[1]);
    vector_delete(&search.path);
    visited_delete(&search.visited);
    free(search.buffer);
}

const struct engine engine_switches = {
    .name = "switches",
    .what = "breadth first by context switches: an error with as few as possible, in small programs",
    .run = run_switches,
    .keeps_to = RESTRICTION_SWITCHES,
};
