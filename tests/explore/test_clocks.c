/* Clocks of random executions are what a table of all pairs says: threads that run on for long, alone or together, some
 * in step and some not, with events taken back in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/clocks.h"

#define EVENTS 2400
#define THREADS 4
#define NONE UINT32_MAX

struct world {
    struct clocks clocks;
    bool before[EVENTS][EVENTS];    /* [later][earlier] */
    uint32_t last[EVENTS][THREADS]; /* the last event of each thread, before the event */
    uint32_t now[THREADS];
    uint32_t count;
    uint32_t seed;
};

static uint32_t next_random(struct world *world, uint32_t below) {
    world->seed = world->seed * 1664525u + 1013904223u;
    return (world->seed >> 8) % below;
}

/* An event of the thread, after its last one and these others. */
static void add(struct world *world, uint32_t thread, const uint32_t *others, uint32_t count) {
    uint32_t event = world->count++;
    uint32_t own = world->now[thread];
    memset(world->before[event], 0, sizeof world->before[event]);
    memcpy(world->last[event], world->now, sizeof world->now);
    clocks_push(&world->clocks, own == NONE ? 0 : clocks_floor(&world->clocks, own));
    uint32_t all[THREADS + 1];
    size_t known = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t other = i < count ? others[i] : own;
        if (other != NONE) {
            all[known++] = other;
            world->before[event][other] = true;
            for (uint32_t e = 0; e < other; e++) {
                world->before[event][e] |= world->before[other][e];
            }
        }
    }
    clocks_join(&world->clocks, event, all, known);
    clocks_finish(&world->clocks, event, all, known);
    world->now[thread] = event;
}

static void take_back(struct world *world, uint32_t count) {
    while (world->count > 0 && count-- > 0) {
        world->count--;
        memcpy(world->now, world->last[world->count], sizeof world->now);
        clocks_pop(&world->clocks);
    }
}

static void compare_all(const struct world *world) {
    static uint64_t set[EVENTS / 64 + 1];
    for (uint32_t later = 0; later < world->count; later++) {
        for (uint32_t earlier = 0; earlier < later; earlier++) {
            assert_int_equal(clocks_hold(&world->clocks, later, earlier), world->before[later][earlier]);
        }
        memset(set, 0, sizeof set);
        clocks_add_to(&world->clocks, later, set, 0);
        for (uint32_t earlier = 0; earlier < later; earlier++) {
            assert_int_equal(set[earlier / 64] >> earlier % 64 & 1, world->before[later][earlier]);
        }
    }
}

/* A set with one event in it, met or not. */
static void compare_meetings(struct world *world) {
    static uint64_t set[EVENTS / 64 + 1];
    for (int i = 0; i < 500; i++) {
        uint32_t later = next_random(world, world->count);
        uint32_t event = next_random(world, world->count);
        set[event / 64] = UINT64_C(1) << event % 64;
        bool meet = event < later && world->before[later][event];
        assert_int_equal(clocks_meet(&world->clocks, later, set, 0), meet);
        assert_int_equal(clocks_meet(&world->clocks, later, set, event / 64), meet);
        set[event / 64] = 0;
    }
}

/* In a phase some of the threads run, and read from each other more or less often. */
static void run(struct world *world) {
    while (world->count < EVENTS) {
        uint32_t running = 1 + next_random(world, THREADS);
        uint32_t rare = 1 + next_random(world, 40);
        uint32_t length = 1 + next_random(world, 150);
        for (uint32_t i = 0; i < length && world->count < EVENTS; i++) {
            uint32_t others[THREADS];
            uint32_t count = 0;
            for (uint32_t thread = 0; thread < THREADS; thread++) {
                if (next_random(world, rare) == 0) {
                    others[count++] = world->now[thread];
                }
            }
            add(world, next_random(world, running), others, count);
        }
        if (next_random(world, 3) == 0 && world->count < EVENTS) {
            take_back(world, next_random(world, 120));
        }
    }
}

static void test_random(void **state) {
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    for (uint32_t seed = 1; seed <= 12; seed++) {
        world->seed = seed;
        world->count = 0;
        memset(world->now, 0xff, sizeof world->now);
        clocks_init(&world->clocks);
        run(world);
        compare_all(world);
        compare_meetings(world);
        clocks_delete(&world->clocks);
    }
    free(world);
}

/* The row of a thread that runs alone stays short. */
static void test_alone(void **state) {
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    memset(world->now, 0xff, sizeof world->now);
    clocks_init(&world->clocks);
    for (uint32_t i = 0; i < EVENTS; i++) {
        add(world, 0, NULL, 0);
        assert_int_equal(clocks_floor(&world->clocks, i), i / 64);
    }
    assert_true(world->clocks.used <= EVENTS);
    compare_all(world);
    clocks_delete(&world->clocks);
    free(world);
}

/* So do the rows of a thread that stores and drains by turns beside one that has ended: a store does not come after the
 * drains before it. */
static void test_beside(void **state) {
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    memset(world->now, 0xff, sizeof world->now);
    clocks_init(&world->clocks);
    add(world, 0, NULL, 0);
    while (world->count < EVENTS) {
        uint32_t stores[64];
        for (uint32_t i = 0; i < 64 && world->count < EVENTS; i++) {
            add(world, 1, NULL, 0);
            stores[i] = world->now[1];
        }
        for (uint32_t i = 0; i < 64 && world->count < EVENTS; i++) {
            add(world, 2, &stores[i], 1);
        }
    }
    assert_true(world->clocks.used <= (size_t)EVENTS * 16);
    compare_all(world);
    compare_meetings(world);
    take_back(world, EVENTS / 3);
    compare_all(world);
    clocks_delete(&world->clocks);
    free(world);
}

/* Likewise, with phases in which the stores and drains come in other patterns, fences that wait for the drains, looks
 * at other threads, and events that are taken back. */
static void test_patterns(void **state) {
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    for (uint32_t seed = 1; seed <= 12; seed++) {
        world->seed = seed;
        world->count = 0;
        memset(world->now, 0xff, sizeof world->now);
        clocks_init(&world->clocks);
        add(world, 0, NULL, 0);
        while (world->count + 4 < EVENTS) {
            uint32_t stores = 1 + next_random(world, 4);
            uint32_t rounds = 1 + next_random(world, 900);
            for (uint32_t i = 0; i < rounds && world->count + 4 < EVENTS; i++) {
                for (uint32_t k = 0; k < stores && world->count < EVENTS; k++) {
                    add(world, 1, NULL, 0);
                }
                add(world, 2, &world->now[1], 1);
            }
            uint32_t others[] = {world->now[next_random(world, THREADS)], world->now[2]};
            add(world, next_random(world, THREADS), others, next_random(world, 3));
            if (next_random(world, 3) == 0 && world->count + 4 < EVENTS) {
                take_back(world, next_random(world, 200));
            }
        }
        compare_all(world);
        compare_meetings(world);
        clocks_delete(&world->clocks);
    }
    free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_beside), cmocka_unit_test(test_patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
