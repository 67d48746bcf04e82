/* The shared memory abstractions are the machine's memory models: random calls by 2 or 3 threads, in a fixed order, can
 * read the same values and leave the same memory.
 *
 *     unit_abstraction_N                    the Nth part of the fixed list of seeds
 *     unit_abstraction_N --from A --to B    only the sequences of this range
 *
 * An outcome is what all calls read, and memory once everything has drained.  All choices of an abstraction are
 * enumerated, depth first, by running it again and again with a recorded list of choices; on the machine, the steps are
 * taken in the order of the calls, with all drains in between.
 *
 * With a clock of writes + 1, lists of writes to one location + 1 nodes and queues of writes of one thread the outcomes
 * are the same; with smaller ones they are among them; with a clock of 1 they are SC's. */
#include "small_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abstraction.h"
#include "engine/random_source.h"
#include "part.h"
#include "seq/memory/memory.h"

#define SEQUENCES 300
#define MOST_CALLS 8
#define VALUE_BITS 4

/* --- Sequences of calls ------------------------------------------------------------------------------------------- */

enum call_kind { CALL_READ, CALL_WRITE, CALL_FENCE, CALL_BARRIER, CALL_EXCHANGE };

struct call {
    enum call_kind kind;
    unsigned thread;
    uint16_t location;
    uint64_t value;
};

struct sequence {
    struct call calls[MOST_CALLS];
    unsigned count;
    unsigned threads;
    unsigned writes;
    unsigned writes_to_one; /* the most to one location */
    unsigned writes_by_one; /* the most by one thread */
};

/* Every write has a value of its own. */
static void sequence_draw(struct sequence *sequence, uint64_t seed) {
    static const enum call_kind kinds[] = {CALL_WRITE, CALL_WRITE, CALL_WRITE,   CALL_WRITE,    CALL_READ,
                                           CALL_READ,  CALL_READ,  CALL_BARRIER, CALL_EXCHANGE, CALL_FENCE};
    struct random_source random = random_source_from(seed);
    unsigned to[MEMORY_LOCATIONS] = {0};
    unsigned by[MEMORY_THREADS] = {0};
    *sequence = (struct sequence){.threads = 2 + (unsigned)random_below(&random, 2)};
    unsigned wanted = 4 + (unsigned)random_below(&random, MOST_CALLS - 3);
    unsigned locations = 2 + (unsigned)random_below(&random, MEMORY_LOCATIONS - 1);
    unsigned most = 2 + (unsigned)random_below(&random, MOST_WRITES - 1);
    while (sequence->count < wanted) {
        struct call call = {.kind = kinds[random_below(&random, sizeof kinds / sizeof *kinds)],
                            .thread = (unsigned)random_below(&random, sequence->threads),
                            .location = (uint16_t)random_below(&random, locations),
                            .value = sequence->count + 1};
        if (call.kind == CALL_WRITE && sequence->writes == most) {
            call.kind = CALL_READ;
        }
        if (call.kind == CALL_WRITE) {
            unsigned places = ++to[call.location];
            unsigned own = ++by[call.thread];
            sequence->writes++;
            sequence->writes_to_one = places > sequence->writes_to_one ? places : sequence->writes_to_one;
            sequence->writes_by_one = own > sequence->writes_by_one ? own : sequence->writes_by_one;
        }
        sequence->calls[sequence->count++] = call;
    }
}

static void sequence_print(const struct sequence *sequence) {
    static const char *const names[] = {"read", "write", "fence", "barrier", "exchange"};
    for (unsigned i = 0; i < sequence->count; i++) {
        const struct call *call = &sequence->calls[i];
        fprintf(stderr, "  thread %u: %s location %u value %u\n", call->thread, names[call->kind], call->location,
                (unsigned)call->value);
    }
}

/* --- Sets of outcomes --------------------------------------------------------------------------------------------- */

static int outcome_compare(const void *a, const void *b) {
    uint64_t first = *(const uint64_t *)a;
    uint64_t second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

/* Sorts, and leaves one of each. */
static void outcomes_settle(struct vector *outcomes) {
    uint64_t *all = outcomes->data;
    size_t kept = 0;
    if (outcomes->count == 0) {
        return;
    }
    qsort(all, outcomes->count, sizeof *all, outcome_compare);
    for (size_t i = 0; i < outcomes->count; i++) {
        if (kept == 0 || all[kept - 1] != all[i]) {
            all[kept++] = all[i];
        }
    }
    outcomes->count = kept;
}

static void outcomes_add(struct vector *outcomes, uint64_t outcome) {
    vector_push(outcomes, &outcome);
    if (outcomes->count > 100000) {
        outcomes_settle(outcomes);
    }
}

static bool outcomes_equal(const struct vector *one, const struct vector *other) {
    return one->count == other->count &&
           (one->count == 0 || memcmp(one->data, other->data, one->count * sizeof(uint64_t)) == 0);
}

static bool outcomes_include(const struct vector *all, const struct vector *some) {
    size_t next = 0;
    for (size_t i = 0; i < some->count; i++) {
        uint64_t wanted = *(uint64_t *)vector_at(some, i);
        while (next < all->count && *(uint64_t *)vector_at(all, next) < wanted) {
            next++;
        }
        if (next == all->count || *(uint64_t *)vector_at(all, next) != wanted) {
            return false;
        }
    }
    return true;
}

static uint64_t outcome_with(uint64_t outcome, uint64_t value) {
    return outcome << VALUE_BITS | value;
}

/* --- An abstraction: all choices ---------------------------------------------------------------------------------- */

const memory_value memory_initial[MEMORY_LOCATIONS] = {0};

#define MOST_CHOICES 2000
static struct {
    unsigned chosen[MOST_CHOICES];
    unsigned limits[MOST_CHOICES];
    unsigned known; /* choices that are fixed for this run */
    unsigned made;
    jmp_buf pruned;
} choices;

unsigned memory_guess(unsigned limit) {
    unsigned index = choices.made++;
    assert_true(index < MOST_CHOICES);
    if (index >= choices.known) {
        choices.known = index + 1;
        choices.chosen[index] = 0;
    }
    choices.limits[index] = limit;
    return choices.chosen[index];
}

void memory_assume(int condition) {
    if (!condition) {
        longjmp(choices.pruned, 1);
    }
}

/* The next list of choices; false if there is none. */
static bool choices_next(void) {
    choices.known = choices.made;
    while (choices.known > 0 && choices.chosen[choices.known - 1] + 1 >= choices.limits[choices.known - 1]) {
        choices.known--;
    }
    if (choices.known == 0) {
        return false;
    }
    choices.chosen[choices.known - 1]++;
    return true;
}

static uint64_t call_take(const struct abstraction *memory, const struct call *call, uint64_t outcome) {
    switch (call->kind) {
    case CALL_READ:
        return outcome_with(outcome, memory->read(call->location, call->thread));
    case CALL_WRITE:
        memory->write(call->location, call->value, call->thread);
        break;
    case CALL_FENCE:
        memory->fence(call->thread);
        break;
    case CALL_BARRIER:
        memory->barrier(call->thread);
        break;
    case CALL_EXCHANGE:
        memory->lock(call->thread);
        outcome = outcome_with(outcome, memory->load(call->location));
        memory->store(call->location, call->value);
        memory->unlock(call->thread);
        break;
    }
    return outcome;
}

static uint64_t sequence_run(const struct sequence *sequence, const struct abstraction *memory) {
    uint64_t outcome = 1;
    memory->init();
    for (unsigned i = 0; i < sequence->count; i++) {
        outcome = call_take(memory, &sequence->calls[i], outcome);
    }
    for (unsigned thread = 0; thread < sequence->threads; thread++) {
        memory->fence(thread);
    }
    for (uint16_t location = 0; location < MEMORY_LOCATIONS; location++) {
        outcome = outcome_with(outcome, memory->load(location));
    }
    return outcome;
}

static void abstraction_outcomes(const struct sequence *sequence, const struct abstraction *memory,
                                 struct vector *outcomes) {
    vector_init(outcomes, sizeof(uint64_t));
    choices.known = 0;
    do {
        choices.made = 0;
        if (setjmp(choices.pruned) == 0) {
            outcomes_add(outcomes, sequence_run(sequence, memory));
        }
    } while (choices_next());
    outcomes_settle(outcomes);
}

/* --- The machine -------------------------------------------------------------------------------------------------- */

struct run {
    struct machine *machine;
    const struct sequence *sequence;
    const uint64_t *addresses;
    struct vector *outcomes;
};

static void sequence_build(const struct sequence *sequence, uint64_t *addresses, struct program *program) {
    static const char *const names[] = {"x", "y", "z"};
    struct small_program small;
    small_init(&small, sequence->threads);
    for (unsigned i = 0; i < MEMORY_LOCATIONS; i++) {
        addresses[i] = small_variable(&small, names[i], 4);
    }
    for (unsigned thread = 0; thread < sequence->threads; thread++) {
        small_thread(&small, thread + 1);
        for (unsigned i = 0; i < sequence->count; i++) {
            const struct call *call = &sequence->calls[i];
            uint32_t address = small_number(&small, addresses[call->location]);
            uint32_t value = small_number(&small, call->value);
            static const uint8_t ops[] = {OP_LOAD, OP_STORE, OP_FENCE, OP_STORE_BARRIER, OP_RMW};
            struct instruction code = {.op = ops[call->kind], .dst = NO_REGISTER, .pos = 0};
            if (call->thread != thread) {
                continue;
            }
            if (call->kind == CALL_FENCE) {
                code.sub = ORDER_SEQ_CST;
            } else if (call->kind != CALL_BARRIER) {
                code.width = 4;
                code.a = address;
            }
            if (call->kind == CALL_READ || call->kind == CALL_EXCHANGE) {
                code.dst = 2;
            }
            if (call->kind == CALL_WRITE || call->kind == CALL_EXCHANGE) {
                code.b = value;
            }
            if (call->kind == CALL_EXCHANGE) {
                code.sub = ORDER_SEQ_CST;
                code.c = RMW_XCHG;
            }
            small_emit(&small, code);
        }
    }
    small_finish(&small, program);
}

static bool buffers_are_empty(const struct run *run) {
    const struct buffer_entry *entries;
    for (uint32_t thread = 1; thread <= run->sequence->threads; thread++) {
        if (machine_buffer(run->machine, thread, &entries) > 0) {
            return false;
        }
    }
    return true;
}

/* A store barrier is no step, nor is a fence under SC. */
static bool is_no_step(const struct run *run, const struct call *call) {
    return call->kind == CALL_BARRIER || (call->kind == CALL_FENCE && machine_model(run->machine) == MODEL_SC);
}

static void run_search(struct run *run, unsigned next, uint64_t outcome);

static void run_drains(struct run *run, unsigned next, uint64_t outcome) {
    const struct transition *enabled;
    struct transition drains[MEMORY_THREADS * MOST_WRITES];
    size_t count = machine_enabled(run->machine, &enabled);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (enabled[i].kind == TRANSITION_DRAIN) {
            drains[found++] = enabled[i];
        }
    }
    for (size_t i = 0; i < found; i++) {
        machine_mark mark = machine_set_mark(run->machine);
        machine_take(run->machine, drains[i]);
        run_search(run, next, outcome);
        machine_undo(run->machine, mark);
    }
}

static void run_search(struct run *run, unsigned next, uint64_t outcome) {
    const struct sequence *sequence = run->sequence;
    while (next < sequence->count && is_no_step(run, &sequence->calls[next])) {
        next++;
    }
    if (next == sequence->count && buffers_are_empty(run)) {
        for (unsigned i = 0; i < MEMORY_LOCATIONS; i++) {
            uint64_t value[2];
            assert_true(machine_peek(run->machine, run->addresses[i], 4, value));
            outcome = outcome_with(outcome, value[0]);
        }
        outcomes_add(run->outcomes, outcome);
        return;
    }
    run_drains(run, next, outcome);
    if (next == sequence->count) {
        return;
    }
    const struct call *call = &sequence->calls[next];
    struct transition step = {.thread = call->thread + 1, .kind = TRANSITION_STEP};
    if (machine_is_enabled(run->machine, step)) {
        machine_mark mark = machine_set_mark(run->machine);
        machine_take(run->machine, step);
        bool reads = call->kind == CALL_READ || call->kind == CALL_EXCHANGE;
        run_search(run, next + 1, reads ? outcome_with(outcome, machine_last(run->machine)->read[0]) : outcome);
        machine_undo(run->machine, mark);
    }
}

static void machine_outcomes(const struct sequence *sequence, enum memory_model model, struct vector *outcomes) {
    uint64_t addresses[MEMORY_LOCATIONS];
    struct program program;
    sequence_build(sequence, addresses, &program);
    struct machine_options options = {.model = model};
    struct run run = {machine_new(&program, &options), sequence, addresses, outcomes};
    vector_init(outcomes, sizeof(uint64_t));
    for (unsigned i = 0; i < sequence->threads; i++) {
        struct transition create = {.thread = 0, .kind = TRANSITION_STEP};
        assert_true(machine_is_enabled(run.machine, create));
        machine_take(run.machine, create);
    }
    run_search(&run, 0, 1);
    outcomes_settle(outcomes);
    machine_free(run.machine);
    program_delete(&program);
}

/* --- Comparison --------------------------------------------------------------------------------------------------- */

#define INSTANCE_OF(name, clock, queue) abstraction_##name##_##clock##_##queue
#define CLOCKS_OF(name, queue)                                                                                         \
    {&INSTANCE_OF(name, 1, queue), &INSTANCE_OF(name, 2, queue), &INSTANCE_OF(name, 3, queue),                         \
     &INSTANCE_OF(name, 4, queue), &INSTANCE_OF(name, 5, queue)}
#define LISTS_OF(name) {CLOCKS_OF(name, 2), CLOCKS_OF(name, 3), CLOCKS_OF(name, 4), CLOCKS_OF(name, 5)}
#define QUEUES_OF(name)                                                                                                \
    {&INSTANCE_OF(name, 1, 1), &INSTANCE_OF(name, 1, 2), &INSTANCE_OF(name, 1, 3), &INSTANCE_OF(name, 1, 4)}

#define DECLARE(name, clock, queue) extern const struct abstraction INSTANCE_OF(name, clock, queue);
#define DECLARE_CLOCKS(name, queue)                                                                                    \
    DECLARE(name, 1, queue)                                                                                            \
    DECLARE(name, 2, queue)                                                                                            \
    DECLARE(name, 3, queue)                                                                                            \
    DECLARE(name, 4, queue)                                                                                            \
    DECLARE(name, 5, queue)
#define DECLARE_ALL(timed, queued)                                                                                     \
    DECLARE_CLOCKS(timed, 2)                                                                                           \
    DECLARE_CLOCKS(timed, 3)                                                                                           \
    DECLARE_CLOCKS(timed, 4)                                                                                           \
    DECLARE_CLOCKS(timed, 5)                                                                                           \
    DECLARE(queued, 1, 1)                                                                                              \
    DECLARE(queued, 1, 2)                                                                                              \
    DECLARE(queued, 1, 3)                                                                                              \
    DECLARE(queued, 1, 4)
DECLARE_ALL(etso, tso)
DECLARE_ALL(epso, pso)
DECLARE(sc, 1, 1)

static const struct models {
    enum memory_model model;
    const struct abstraction *lists[MOST_WRITES][MOST_WRITES + 1]; /* by nodes - 2 and clock - 1 */
    const struct abstraction *queues[MOST_WRITES];                 /* by entries - 1 */
} models[] = {{MODEL_TSO, LISTS_OF(etso), QUEUES_OF(tso)}, {MODEL_PSO, LISTS_OF(epso), QUEUES_OF(pso)}};

static bool check(const struct sequence *sequence, const struct vector *expected, const struct abstraction *memory,
                  bool all, const char *what) {
    struct vector outcomes;
    abstraction_outcomes(sequence, memory, &outcomes);
    bool good = all ? outcomes_equal(expected, &outcomes) : outcomes_include(expected, &outcomes);
    if (!good) {
        fprintf(stderr, "%s: %zu outcomes, not %s the machine's %zu\n", what, outcomes.count, all ? "all of" : "among",
                expected->count);
    }
    vector_delete(&outcomes);
    return good;
}

/* Of smaller clocks, lists and queues, one each, chosen by the seed. */
static bool check_model(const struct sequence *sequence, const struct models *model, const struct vector *sc,
                        uint64_t seed) {
    struct vector expected;
    unsigned nodes = sequence->writes_to_one > 0 ? sequence->writes_to_one - 1 : 0;
    unsigned clock = sequence->writes;
    unsigned queue = sequence->writes_by_one > 0 ? sequence->writes_by_one - 1 : 0;
    machine_outcomes(sequence, model->model, &expected);
    bool good = outcomes_include(&expected, sc);
    good &= check(sequence, &expected, model->queues[queue], true, "queues");
    good &= check(sequence, &expected, model->lists[nodes][clock], true, "lists");
    good &= check(sequence, sc, model->lists[nodes][0], true, "lists with a clock of 1 (SC)");
    if (nodes > 0) {
        good &= check(sequence, &expected, model->lists[seed % nodes][clock], false, "shorter lists");
    }
    if (clock > 0) {
        good &= check(sequence, &expected, model->lists[nodes][seed % clock], false, "a smaller clock");
    }
    if (queue > 0) {
        good &= check(sequence, &expected, model->queues[seed % queue], false, "shorter queues");
    }
    vector_delete(&expected);
    return good;
}

static unsigned check_range(uint64_t first, uint64_t last) {
    unsigned bad = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        struct sequence sequence;
        struct vector sc;
        sequence_draw(&sequence, seed);
        machine_outcomes(&sequence, MODEL_SC, &sc);
        bool good = check(&sequence, &sc, &abstraction_sc_1_1, true, "SC");
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            good &= check_model(&sequence, &models[i], &sc, seed);
        }
        vector_delete(&sc);
        if (!good) {
            fprintf(stderr, "seed %llu:\n", (unsigned long long)seed);
            sequence_print(&sequence);
            bad++;
        }
    }
    fprintf(stderr, "seeds %llu to %llu: %u bad\n", (unsigned long long)first, (unsigned long long)last, bad);
    return bad;
}

static void abstractions_are_the_machine(void **state) {
    (void)state;
    assert_int_equal(check_range(part_first(SEQUENCES), part_last(SEQUENCES)), 0);
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "--from") == 0 && strcmp(argv[3], "--to") == 0) {
        return check_range(strtoull(argv[2], NULL, 10), strtoull(argv[4], NULL, 10)) > 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(abstractions_are_the_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
