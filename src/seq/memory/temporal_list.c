/* Writes by the time at which they reach memory (Sections III and IV of the paper).
 *
 * There is a clock, and each write gets a time not before now; it is pending until that time.  So pending writes reach
 * memory when the clock advances, and nothing is moved.  The writes of a location are nodes of a circular list with a
 * sentinel, whose time, MEMORY_CLOCK, is never reached:
 *
 *     sentinel -> free nodes -> head -> pending writes -> sentinel        (times do not descend from left to right)
 *
 *   L1. The head is the last node whose time has come: what it holds is in memory.
 *   L2. Nodes before the head are free; a list has one more node than it can hold pending writes.
 *   L3. Writes of equal time are in the order in which they were made.
 *
 * Which times a thread may choose is the memory model's (etso.c, epso.c). */
#include "seq/memory/memory.h"

#define MEMORY_SENTINEL MEMORY_QUEUE

typedef uint8_t memory_time;
typedef uint8_t memory_node;

static memory_time memory_clock;
static memory_value memory_node_value[MEMORY_LOCATIONS][MEMORY_QUEUE];
static memory_time memory_node_time[MEMORY_LOCATIONS][MEMORY_QUEUE + 1];
static memory_node memory_next[MEMORY_LOCATIONS][MEMORY_QUEUE + 1];
static memory_node memory_previous[MEMORY_LOCATIONS][MEMORY_QUEUE + 1];
static memory_value memory_own_value[MEMORY_LOCATIONS][MEMORY_THREADS]; /* last write of a thread */
static memory_time memory_own_time[MEMORY_LOCATIONS][MEMORY_THREADS];
static memory_time memory_latest[MEMORY_THREADS]; /* the greatest time of a write of the thread */
static memory_time memory_floor[MEMORY_THREADS];  /* that at its last store barrier */

/* The least time that the thread's next write of the location may have. */
static memory_time memory_earliest(memory_location location, unsigned thread);

MEMORY_PART void memory_init(void) {
    memory_clock = 0;
    for (unsigned location = 0; location < MEMORY_LOCATIONS; location++) {
        for (unsigned node = 0; node <= MEMORY_QUEUE; node++) {
            memory_next[location][node] = (memory_node)(node == MEMORY_SENTINEL ? 0 : node + 1);
            memory_previous[location][node] = (memory_node)(node == 0 ? MEMORY_SENTINEL : node - 1);
            memory_node_time[location][node] = node == MEMORY_SENTINEL ? MEMORY_CLOCK : 0;
        }
        for (unsigned node = 0; node < MEMORY_QUEUE; node++) {
            memory_node_value[location][node] = memory_initial[location];
        }
        for (unsigned thread = 0; thread < MEMORY_THREADS; thread++) {
            memory_own_time[location][thread] = 0;
        }
    }
    for (unsigned thread = 0; thread < MEMORY_THREADS; thread++) {
        memory_latest[thread] = 0;
        memory_floor[thread] = 0;
    }
}

/* The clock stays below the sentinel's time: otherwise no list would have a head. */
static void memory_advance(void) {
    memory_time now = (memory_time)memory_guess(MEMORY_CLOCK);
    memory_assume(now >= memory_clock);
    memory_clock = now;
}

static memory_node memory_head(memory_location location) {
    memory_node node = (memory_node)memory_guess(MEMORY_QUEUE);
    memory_assume(memory_node_time[location][node] <= memory_clock &&
                  memory_node_time[location][memory_next[location][node]] > memory_clock);
    return node;
}

MEMORY_PART memory_value memory_load(memory_location location) {
    return memory_node_value[location][memory_head(location)];
}

/* Replaces the value in memory, which takes no node. */
MEMORY_PART void memory_store(memory_location location, memory_value value) {
    memory_node_value[location][memory_head(location)] = value;
}

MEMORY_PART memory_value memory_read(memory_location location, unsigned thread) {
    memory_advance();
    if (memory_own_time[location][thread] > memory_clock) {
        return memory_own_value[location][thread];
    }
    return memory_load(location);
}

/* Takes the first node out of the list; it must be free. */
static memory_node memory_take_node(memory_location location) {
    memory_node node = memory_next[location][MEMORY_SENTINEL];
    memory_node following = memory_next[location][node];
    memory_assume(memory_node_time[location][following] <= memory_clock);
    memory_next[location][MEMORY_SENTINEL] = following;
    memory_previous[location][following] = MEMORY_SENTINEL;
    return node;
}

/* The node after the new one is guessed: that it is later, and the one before it not, leaves one. */
static void memory_put_node(memory_location location, memory_node node, memory_time time) {
    memory_node after = (memory_node)memory_guess(MEMORY_QUEUE + 1);
    memory_node before = memory_previous[location][after];
    memory_assume(memory_node_time[location][after] > time && memory_node_time[location][before] <= time);
    memory_node_time[location][node] = time;
    memory_next[location][node] = after;
    memory_previous[location][node] = before;
    memory_next[location][before] = node;
    memory_previous[location][after] = node;
}

MEMORY_PART void memory_write(memory_location location, memory_value value, unsigned thread) {
    memory_advance();
    memory_node node = memory_take_node(location);
    memory_time time = (memory_time)memory_guess(MEMORY_CLOCK);
    memory_assume(time >= memory_clock && time >= memory_earliest(location, thread));
    memory_put_node(location, node, time);
    memory_node_value[location][node] = value;
    memory_own_value[location][thread] = value;
    memory_own_time[location][thread] = time;
    if (memory_latest[thread] < time) {
        memory_latest[thread] = time;
    }
}

MEMORY_PART void memory_fence(unsigned thread) {
    memory_advance();
    if (memory_clock < memory_latest[thread]) {
        memory_clock = memory_latest[thread];
    }
}

MEMORY_PART void memory_barrier(unsigned thread) {
    memory_floor[thread] = memory_latest[thread];
}

MEMORY_PART void memory_lock(unsigned thread) {
    memory_fence(thread);
}

MEMORY_PART void memory_unlock(unsigned thread) {
    (void)thread; /* what was stored is in memory already */
}
