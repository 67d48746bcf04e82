/* The trace of an execution as a graph, and a shortest cycle in it.
 *
 * When a store takes effect is when it drains; what a load sees is memory as it was when it read it, or, if its own
 * buffer served it, as it is right behind the drain of the store that it read. */
#include "explore/robust.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

struct graph {
    const struct chronological *execution;
    uint32_t *nodes; /* events that take part */
    uint32_t count;
    uint64_t *time;      /* by node: when it takes effect in memory, doubled so that "right behind" has a place */
    uint32_t *next_step; /* by node: the next node of its thread, or NO_EVENT */
    uint32_t *joined;    /* by node: the node that joins this thread's end, or is the first of a created thread */
};

static bool is_write(const struct event *event) {
    return event->kind == STEP_STORE || event->kind == STEP_FREE || event->kind == STEP_LEAVE ||
           label_writes(&event->label);
}

/* Bytes that a node touches.  A buffered store has them in its drain. */
static const struct label *touched(const struct graph *graph, uint32_t node, uint32_t *drain_of) {
    const struct chronological *execution = graph->execution;
    uint32_t event = graph->nodes[node];
    uint32_t drain = drain_of[event];
    return &chronological_event(execution, drain == NO_EVENT ? event : drain)->label;
}

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

static bool takes_part(const struct chronological *execution, uint32_t index, const uint32_t *drain_of) {
    const struct event *event = chronological_event(execution, index);
    bool thread_step = event->kind == STEP_SYNC && (event->sub == SYNC_THREAD_CREATE ||
                                                    event->sub == SYNC_THREAD_JOIN || event->sub == SYNC_THREAD_EXIT);
    bool early = event->kind == STEP_LOAD && event->store != NO_EVENT;
    return event->kind != STEP_DRAIN &&
           (event->label.accesses > 0 || early || thread_step || drain_of[index] != NO_EVENT);
}

static void graph_init(struct graph *graph, const struct chronological *execution, const uint32_t *drain_of) {
    uint32_t events = (uint32_t)execution->events.count;
    graph->execution = execution;
    graph->count = 0;
    graph->nodes = memory_allocate(((size_t)events + 1) * sizeof *graph->nodes);
    graph->time = memory_allocate(((size_t)events + 1) * sizeof *graph->time);
    graph->next_step = memory_allocate(((size_t)events + 1) * sizeof *graph->next_step);
    graph->joined = memory_allocate(((size_t)events + 1) * sizeof *graph->joined);
    for (uint32_t i = 0; i < events; i++) {
        if (!takes_part(execution, i, drain_of)) {
            continue;
        }
        const struct event *event = chronological_event(execution, i);
        bool early = event->kind == STEP_LOAD && event->store != NO_EVENT;
        uint32_t drain = early ? drain_of[event->store] : drain_of[i];
        uint32_t node = graph->count++;
        graph->nodes[node] = i;
        graph->time[node] = 2 * (uint64_t)(drain == NO_EVENT ? i : drain) + early;
        graph->next_step[node] = graph->joined[node] = NO_EVENT;
        for (uint32_t before = node; before-- > 0;) {
            const struct event *other = chronological_event(execution, graph->nodes[before]);
            if (other->label.transition.thread == event->label.transition.thread) {
                graph->next_step[before] = node;
                break;
            }
            if (other->kind == STEP_SYNC && other->sub == SYNC_THREAD_CREATE &&
                other->other == event->label.transition.thread) {
                graph->joined[before] = node;
                break;
            }
        }
        if (event->kind == STEP_SYNC && event->sub == SYNC_THREAD_JOIN) {
            for (uint32_t before = node; before-- > 0;) {
                const struct event *other = chronological_event(execution, graph->nodes[before]);
                if (other->label.transition.thread == event->other) {
                    graph->joined[before] = node;
                    break;
                }
            }
        }
    }
}

static void graph_delete(struct graph *graph) {
    free(graph->nodes);
    free(graph->time);
    free(graph->next_step);
    free(graph->joined);
}

static bool labels_overlap(const struct label *one, const struct label *other) {
    uint32_t one_count = one->early ? 1 : one->accesses;
    uint32_t other_count = other->early ? 1 : other->accesses;
    for (uint32_t i = 0; i < one_count && i < MAX_ACCESSES; i++) {
        for (uint32_t k = 0; k < other_count && k < MAX_ACCESSES; k++) {
            if (accesses_overlap(&one->access[i], &other->access[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Is there an edge from one node to another, and of which kind? */
static bool find_edge(const struct graph *graph, uint32_t *drain_of, uint32_t from, uint32_t to,
                      enum cycle_edge *edge) {
    const struct event *one = chronological_event(graph->execution, graph->nodes[from]);
    const struct event *other = chronological_event(graph->execution, graph->nodes[to]);
    if (graph->next_step[from] == to || graph->joined[from] == to) {
        *edge = CYCLE_PROGRAM_ORDER;
        return true;
    }
    bool one_writes = is_write(one);
    bool other_writes = is_write(other);
    if (one->label.transition.thread == other->label.transition.thread || (!one_writes && !other_writes) ||
        graph->time[from] >= graph->time[to] ||
        !labels_overlap(touched(graph, from, drain_of), touched(graph, to, drain_of))) {
        return false;
    }
    *edge = one_writes && other_writes ? CYCLE_STORE_ORDER : one_writes ? CYCLE_READS_FROM : CYCLE_FROM_READS;
    return true;
}

/* Removes nodes without a way in until none is left, or only cycles and what hangs behind them. */
static bool is_acyclic(const struct graph *graph, const uint8_t *edges) {
    uint32_t *ways_in = memory_allocate(((size_t)graph->count + 1) * sizeof *ways_in);
    uint32_t *ready = memory_allocate(((size_t)graph->count + 1) * sizeof *ready);
    uint32_t ready_count = 0;
    uint32_t done = 0;
    for (uint32_t to = 0; to < graph->count; to++) {
        for (uint32_t from = 0; from < graph->count; from++) {
            ways_in[to] += edges[from * graph->count + to] != 0;
        }
        if (ways_in[to] == 0) {
            ready[ready_count++] = to;
        }
    }
    while (ready_count > 0) {
        uint32_t from = ready[--ready_count];
        done++;
        for (uint32_t to = 0; to < graph->count; to++) {
            if (edges[from * graph->count + to] && --ways_in[to] == 0) {
                ready[ready_count++] = to;
            }
        }
    }
    free(ways_in);
    free(ready);
    return done == graph->count;
}

/* Breadth first from `start` back to itself; returns the length, or 0.  `back` leads from each node to the one before.
 */
static uint32_t search_cycle(const struct graph *graph, const uint8_t *edges, uint32_t start, uint32_t *back,
                             uint32_t *queue) {
    uint32_t first = 0;
    uint32_t count = 1;
    memset(back, 0xff, graph->count * sizeof *back);
    queue[0] = start;
    while (first < count) {
        uint32_t from = queue[first++];
        for (uint32_t to = 0; to < graph->count; to++) {
            if (!edges[from * graph->count + to] || back[to] != NO_EVENT) {
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

static void extract_cycle(const struct graph *graph, const uint8_t *edges, uint32_t start, const uint32_t *back,
                          uint32_t length, struct vector *cycle) {
    vector_grow(cycle, length);
    uint32_t to = start;
    for (uint32_t i = length; i-- > 0;) {
        uint32_t from = back[to];
        *(struct cycle_event *)vector_at(cycle, i) = (struct cycle_event){
            .event = graph->nodes[from], .edge = (enum cycle_edge)(edges[from * graph->count + to] - 1)};
        to = from;
    }
}

bool robust_find_cycle(const struct chronological *execution, struct vector *cycle) {
    struct graph graph;
    uint32_t *drain_of = find_drains(execution);
    graph_init(&graph, execution, drain_of);
    uint8_t *edges = memory_allocate((size_t)graph.count * graph.count + 1);
    for (uint32_t from = 0; from < graph.count; from++) {
        for (uint32_t to = 0; to < graph.count; to++) {
            enum cycle_edge edge;
            if (from != to && find_edge(&graph, drain_of, from, to, &edge)) {
                edges[from * graph.count + to] = (uint8_t)(edge + 1);
            }
        }
    }
    cycle->count = 0;
    bool found = !is_acyclic(&graph, edges);
    if (found) {
        uint32_t *back = memory_allocate(((size_t)graph.count + 1) * sizeof *back);
        uint32_t *queue = memory_allocate(((size_t)graph.count + 1) * sizeof *queue);
        uint32_t best = NO_EVENT;
        uint32_t best_length = UINT32_MAX;
        for (uint32_t start = 0; start < graph.count; start++) {
            uint32_t length = search_cycle(&graph, edges, start, back, queue);
            if (length > 0 && length < best_length) {
                best = start;
                best_length = length;
            }
        }
        search_cycle(&graph, edges, best, back, queue);
        extract_cycle(&graph, edges, best, back, best_length, cycle);
        free(back);
        free(queue);
    }
    free(edges);
    free(drain_of);
    graph_delete(&graph);
    return found;
}
