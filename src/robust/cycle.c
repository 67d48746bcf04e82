/* The trace of an execution as a graph, and a shortest cycle in it.
 *
 * A store takes effect when it drains.  A load reads memory at its step, or, if its own buffer served it, memory right
 * after the drain of the store that it read.
 *
 * First all failed reads are added together.  If those on a cycle cannot be in one execution, each of them in turn is
 * left out. */
#include "robust/cycle.h"

#include <stdlib.h>
#include <string.h>

#include "explore/race.h"
#include "explore/waiting.h"
#include "util/memory.h"

struct node {
    uint32_t event;  /* NO_EVENT: a failed read of a loop that does not end */
    uint32_t failed; /* NO_EVENT: an event of the execution */
    uint32_t thread;
    const struct label *label; /* its accesses; of a buffered store: those of its drain */
    struct label own;          /* of a failed read */
    uint64_t time;             /* when it takes effect in memory, doubled so that "right after" has a number */
    uint32_t next_step;        /* the next node of its thread, or NO_EVENT */
    uint32_t joined;           /* the node that joins this thread's end, or is the first of a created thread */
};

struct graph {
    const struct chronological *execution;
    struct node *nodes;
    uint32_t count;
    uint8_t *edges; /* from * count + to: enum cycle_edge + 1, or 0 */
};

/* For every event: the drain of its store, or NO_EVENT. */
static uint32_t *find_drains(const struct chronological *execution) {
    uint32_t count = (uint32_t)execution->events.count;
    uint32_t *drain_of = memory_allocate(((size_t)count + 1) * sizeof *drain_of);
    memset(drain_of, 0xff, ((size_t)count + 1) * sizeof *drain_of);
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = chronological_event(execution, i);
        if (event->kind == STEP_DRAIN) {
            drain_of[event->store] = i;
        }
    }
    return drain_of;
}

/* By slot of the chains: do several threads access the word?  NULL if that is unknown.  Accesses to words of one thread
 * alone are on no cycle, and there may be many.  The caller frees the array. */
static bool *find_shared(const struct chronological *execution, const uint32_t *drain_of) {
    const struct chains *chains = &execution->chains;
    bool known = execution->failed.count == 0 && execution->large.count == 0;
    for (uint32_t i = 0; i < execution->events.count && known; i++) {
        const struct event *event = chronological_event(execution, i);
        known = event->kind != STEP_LOAD || event->store == NO_EVENT || drain_of[event->store] != NO_EVENT;
    }
    if (!known) {
        return NULL;
    }
    bool *shared = memory_allocate(chains->capacity * sizeof *shared);
    for (uint32_t i = 0; i < chains->links.count; i++) {
        const struct chain_link *link = chains_at(chains, i);
        const struct chain_link *before = link->previous == NO_LINK ? link : chains_at(chains, link->previous);
        shared[link->slot] |= chronological_event(execution, link->event)->label.transition.thread !=
                              chronological_event(execution, before->event)->label.transition.thread;
    }
    return shared;
}

/* Does the event access a word that several threads access? */
static bool is_shared(const struct chronological *execution, uint32_t event, const bool *shared) {
    const struct event *at = chronological_event(execution, event);
    uint32_t end = event + 1 < execution->events.count ? chronological_event(execution, event + 1)->links
                                                       : (uint32_t)execution->chains.links.count;
    bool found = shared == NULL;
    for (uint32_t i = at->links; i < end && !found; i++) {
        found = shared[chains_at(&execution->chains, i)->slot];
    }
    return found;
}

static bool takes_part(const struct chronological *execution, uint32_t index, const uint32_t *drain_of,
                       const bool *shared) {
    const struct event *event = chronological_event(execution, index);
    bool thread_step = event->kind == STEP_SYNC && (event->sub == SYNC_THREAD_CREATE ||
                                                    event->sub == SYNC_THREAD_JOIN || event->sub == SYNC_THREAD_EXIT);
    bool early = event->kind == STEP_LOAD && event->store != NO_EVENT;
    if (event->kind == STEP_DRAIN || early || thread_step) {
        return event->kind != STEP_DRAIN;
    }
    uint32_t touches = drain_of[index] != NO_EVENT ? drain_of[index] : index;
    return chronological_event(execution, touches)->label.accesses > 0 && is_shared(execution, touches, shared);
}

/* The edges to a new node from the one before it in its thread, or from the step that created the thread. */
static void link_program_order(struct graph *graph, uint32_t node) {
    for (uint32_t before = node; before-- > 0;) {
        struct node *other = &graph->nodes[before];
        if (other->thread == graph->nodes[node].thread) {
            other->next_step = node;
            return;
        }
        if (other->event == NO_EVENT || other->failed != NO_EVENT) {
            continue;
        }
        const struct event *event = chronological_event(graph->execution, other->event);
        if (event->kind == STEP_SYNC && event->sub == SYNC_THREAD_CREATE && event->other == graph->nodes[node].thread) {
            other->joined = node;
            return;
        }
    }
}

static void add_failed(struct graph *graph, uint32_t index) {
    const struct failed_read *failed = vector_at(&graph->execution->failed, index);
    struct node *node = &graph->nodes[graph->count];
    *node = (struct node){
        .event = failed->event,
        .failed = index,
        .thread = failed->thread,
        .label = &node->own,
        .own = {.accesses = 1, .access = {failed->access}},
        .time = failed->after == NO_EVENT ? 1 : 2 * (uint64_t)failed->after + 3,
        .next_step = NO_EVENT,
        .joined = NO_EVENT,
    };
    link_program_order(graph, graph->count++);
}

static void add_event(struct graph *graph, uint32_t index, const uint32_t *drain_of) {
    const struct chronological *execution = graph->execution;
    const struct event *event = chronological_event(execution, index);
    bool early = event->kind == STEP_LOAD && event->store != NO_EVENT;
    uint32_t drain = early ? drain_of[event->store] : drain_of[index];
    uint32_t own = drain_of[index];
    uint32_t at = graph->count++;
    graph->nodes[at] = (struct node){
        .event = index,
        .failed = NO_EVENT,
        .thread = event->label.transition.thread,
        .label = &chronological_event(execution, own == NO_EVENT ? index : own)->label,
        .time = 2 * (uint64_t)(drain == NO_EVENT ? index : drain) + 2 + early,
        .next_step = NO_EVENT,
        .joined = NO_EVENT,
    };
    link_program_order(graph, at);
    for (uint32_t before = at; event->joins && before-- > 0;) {
        if (graph->nodes[before].thread == event->other) {
            graph->nodes[before].joined = at;
            break;
        }
    }
}

/* The edge from one label to another through memory, enum cycle_edge + 1, if their order matters; else 0. */
static uint8_t memory_edge(const struct label *one, const struct label *other) {
    uint32_t one_count = one->early ? 1 : one->accesses;
    uint32_t other_count = other->early ? 1 : other->accesses;
    for (uint32_t i = 0; i < one_count; i++) {
        const struct access *first = label_access(one, i);
        for (uint32_t k = 0; k < other_count; k++) {
            const struct access *second = label_access(other, k);
            if (accesses_conflict(first, second)) {
                return 1 + (!access_changes(first)   ? CYCLE_FROM_READS
                            : access_changes(second) ? CYCLE_STORE_ORDER
                                                     : CYCLE_READS_FROM);
            }
        }
    }
    return 0;
}

/* The entry for the edge from one node to another: there may be more than 2^32. */
static uint8_t *edge_at(const struct graph *graph, uint32_t from, uint32_t to) {
    return &graph->edges[(size_t)from * graph->count + to];
}

/* The edge from one node to another: enum cycle_edge + 1, or 0. */
static uint8_t find_edge(const struct graph *graph, uint32_t from, uint32_t to) {
    const struct node *one = &graph->nodes[from];
    const struct node *other = &graph->nodes[to];
    if (one->next_step == to || one->joined == to) {
        return CYCLE_PROGRAM_ORDER + 1;
    }
    bool apart = one->thread == other->thread || one->time >= other->time;
    return apart ? 0 : memory_edge(one->label, other->label);
}

/* Does the event come after a section in which an error was made?  No thread gets so far: others run on only so that
 * what they do instead is seen. */
static bool follows_failure(const struct chronological *execution, uint32_t event) {
    for (uint32_t i = 0; i < event && machine_errors(execution->machine) > 0; i++) {
        if (chronological_event(execution, i)->fails && happens_before(execution, i, event)) {
            return true;
        }
    }
    return false;
}

static void graph_init(struct graph *graph, const struct chronological *execution, const bool *left_out) {
    uint32_t events = (uint32_t)execution->events.count;
    uint32_t *drain_of = find_drains(execution);
    bool *shared = find_shared(execution, drain_of);
    *graph = (struct graph){.execution = execution};
    graph->nodes = memory_allocate((events + execution->failed.count + 1) * sizeof *graph->nodes);
    for (uint32_t i = 0; i <= events; i++) {
        for (uint32_t f = (uint32_t)execution->failed.count; f-- > 0;) { /* they were recorded backwards */
            uint32_t before = ((const struct failed_read *)vector_at(&execution->failed, f))->event;
            if (!left_out[f] && (before == i || (before == NO_EVENT && i == events))) {
                add_failed(graph, f);
            }
        }
        if (i < events && takes_part(execution, i, drain_of, shared) && !follows_failure(execution, i)) {
            add_event(graph, i, drain_of);
        }
    }
    graph->edges = memory_allocate((size_t)graph->count * graph->count + 1);
    for (uint32_t from = 0; from < graph->count; from++) {
        for (uint32_t to = 0; to < graph->count; to++) {
            *edge_at(graph, from, to) = from == to ? 0 : find_edge(graph, from, to);
        }
    }
    free(drain_of);
    free(shared);
}

static void graph_delete(struct graph *graph) {
    free(graph->nodes);
    free(graph->edges);
}

/* Removes nodes without incoming edges until none is left, or only cycles and what follows them. */
static bool is_acyclic(const struct graph *graph) {
    uint32_t *predecessors = memory_allocate(((size_t)graph->count + 1) * sizeof *predecessors);
    uint32_t *ready = memory_allocate(((size_t)graph->count + 1) * sizeof *ready);
    uint32_t ready_count = 0;
    uint32_t done = 0;
    for (uint32_t to = 0; to < graph->count; to++) {
        for (uint32_t from = 0; from < graph->count; from++) {
            predecessors[to] += *edge_at(graph, from, to) != 0;
        }
        if (predecessors[to] == 0) {
            ready[ready_count++] = to;
        }
    }
    while (ready_count > 0) {
        uint32_t from = ready[--ready_count];
        done++;
        for (uint32_t to = 0; to < graph->count; to++) {
            if (*edge_at(graph, from, to) && --predecessors[to] == 0) {
                ready[ready_count++] = to;
            }
        }
    }
    free(predecessors);
    free(ready);
    return done == graph->count;
}

/* Breadth first from `start` back to itself; returns the length, or 0.  `back` leads from each node to its predecessor.
 */
static uint32_t search_cycle(const struct graph *graph, uint32_t start, uint32_t *back, uint32_t *queue) {
    uint32_t first = 0;
    uint32_t count = 1;
    memset(back, 0xff, graph->count * sizeof *back);
    queue[0] = start;
    while (first < count) {
        uint32_t from = queue[first++];
        for (uint32_t to = 0; to < graph->count; to++) {
            if (!*edge_at(graph, from, to) || back[to] != NO_EVENT) {
                continue;
            }
            back[to] = from;
            if (to == start) {
                uint32_t length = 1;
                for (uint32_t at = from; at != start; at = back[at]) {
                    length++;
                }
                return length;
            }
            queue[count++] = to;
        }
    }
    return 0;
}

static void extract_cycle(const struct graph *graph, uint32_t start, const uint32_t *back, uint32_t length,
                          struct vector *cycle) {
    cycle->count = 0;
    vector_grow(cycle, length);
    uint32_t to = start;
    for (uint32_t i = length; i-- > 0;) {
        uint32_t from = back[to];
        *(struct cycle_event *)vector_at(cycle, i) =
            (struct cycle_event){.event = graph->nodes[from].event,
                                 .failed = graph->nodes[from].failed,
                                 .edge = (enum cycle_edge)(*edge_at(graph, from, to) - 1)};
        to = from;
    }
}

static bool shortest_cycle(const struct graph *graph, struct vector *cycle) {
    cycle->count = 0;
    if (is_acyclic(graph)) {
        return false;
    }
    uint32_t *back = memory_allocate(((size_t)graph->count + 1) * sizeof *back);
    uint32_t *queue = memory_allocate(((size_t)graph->count + 1) * sizeof *queue);
    uint32_t best = NO_EVENT;
    uint32_t best_length = UINT32_MAX;
    for (uint32_t start = 0; start < graph->count; start++) {
        uint32_t length = search_cycle(graph, start, back, queue);
        if (length > 0 && length < best_length) {
            best = start;
            best_length = length;
        }
    }
    search_cycle(graph, best, back, queue);
    extract_cycle(graph, best, back, best_length, cycle);
    free(back);
    free(queue);
    return true;
}

/* Must one failed read come before the other in every execution that has both? */
static bool failed_before(const struct chronological *execution, uint32_t one, uint32_t other) {
    const struct failed_read *first = vector_at(&execution->failed, one);
    const struct failed_read *second = vector_at(&execution->failed, other);
    const uint32_t later[] = {first->next, first->event};
    const uint32_t earlier[] = {second->last_step, second->last_drain, second->after};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            if (later[i] != NO_EVENT && event_follows(execution, earlier[k], later[i])) {
                return true;
            }
        }
    }
    return false;
}

/* Can the failed reads of the cycle be in one execution: is the order that they require acyclic? */
static bool is_possible(const struct chronological *execution, const struct vector *cycle) {
    bool *placed = memory_allocate(cycle->count * sizeof *placed);
    bool progress = true;
    bool all = true;
    while (progress) {
        progress = false;
        for (size_t i = 0; i < cycle->count; i++) {
            uint32_t one = ((const struct cycle_event *)vector_at(cycle, i))->failed;
            bool first = !placed[i];
            for (size_t k = 0; k < cycle->count && first && one != NO_EVENT; k++) {
                uint32_t other = ((const struct cycle_event *)vector_at(cycle, k))->failed;
                first = placed[k] || other == NO_EVENT || k == i || !failed_before(execution, other, one);
            }
            placed[i] = placed[i] || first;
            progress = progress || first;
        }
    }
    for (size_t i = 0; i < cycle->count; i++) {
        all = all && placed[i];
    }
    free(placed);
    return all;
}

static bool find_possible_cycle(const struct chronological *execution, bool *left_out, struct vector *cycle) {
    struct graph graph;
    graph_init(&graph, execution, left_out);
    bool found = shortest_cycle(&graph, cycle);
    graph_delete(&graph);
    if (!found || is_possible(execution, cycle)) {
        return found;
    }
    struct vector impossible = *cycle;
    vector_init(cycle, sizeof(struct cycle_event));
    found = false;
    for (size_t i = 0; i < impossible.count && !found; i++) {
        uint32_t failed = ((const struct cycle_event *)vector_at(&impossible, i))->failed;
        if (failed != NO_EVENT) {
            left_out[failed] = true;
            found = find_possible_cycle(execution, left_out, cycle);
            left_out[failed] = false;
        }
    }
    vector_delete(&impossible);
    return found;
}

/* Records the failed reads of loops that do not end. */
static void note_unfinished(struct chronological *execution) {
    struct machine *machine = execution->machine;
    for (uint32_t thread = 0; thread < machine_threads(machine); thread++) {
        struct transition next = {.thread = thread, .kind = TRANSITION_STEP};
        if (!machine_thread_exists(machine, thread) || machine_thread_finished(machine, thread) ||
            machine_thread_stopped(machine, thread) || !machine_thread_awaits(machine, thread)) {
            continue;
        }
        struct step step;
        struct label label;
        machine_next(machine, next, &step);
        label_init(&label, &execution->lists, next, &step, execution->buffered);
        waiting_note_failed(execution, thread, &step, &label, NO_EVENT);
    }
}

bool cycle_find_shortest(struct chronological *execution, struct vector *cycle) {
    size_t failed = execution->failed.count;
    if (execution->notes_failed) {
        note_unfinished(execution);
    }
    bool *left_out = memory_allocate((execution->failed.count + 1) * sizeof *left_out);
    bool found = find_possible_cycle(execution, left_out, cycle);
    free(left_out);
    if (!found) {
        execution->failed.count = failed;
    }
    return found;
}
