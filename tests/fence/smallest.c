/* The sets that fence synthesis finds for automata are smallest ones: every smaller set is tried and does not do.
 *
 * A fence more never adds a behaviour.  So it is enough to try, for each thread, sets that have fences at all places of
 * the other threads: if fewer than n fences in this thread never do, every set that does has n there.  If these numbers
 * add up to the size of the set that was found, it is a smallest one; if not, all sets with one fence less are tried.
 * For store barriers: if a thread with a store barrier at every place does not do, it needs a full fence, and so on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fence/hitting_set.h"
#include "fence/patch.h"
#include "fence/synthesis.h"
#include "front/automaton.h"
#include "ir/passes.h"
#include "quiet_task.h"
#include "util/memory.h"

#define MOST_THREADS 8u

struct subject {
    struct source source;
    struct vector places; /* of struct place */
    struct written written;
    struct marked marked;
    struct synthesis synthesis;
    struct quiet_task quiet;
    uint32_t threads;
    uint32_t *thread_of; /* by place */
};

static void prepare(struct program *program, uint32_t unroll) {
    (void)unroll;
    pass_simplify(program);
    pass_narrow(program);
    pass_awaits(program);
    pass_compact(program);
}

static char *read_text(const char *name) {
    char *path = memory_format("%s/%s.aut", AUTOMATA, name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = memory_allocate(1 << 16);
    size_t size = fread(text, 1, (1 << 16) - 1, in);
    assert_true(size > 0 && size < (1 << 16) - 1);
    fclose(in);
    free(path);
    return text;
}

static uint32_t place_of(void *data, const char *file, uint32_t line) {
    const struct written *written = data;
    (void)file;
    for (size_t i = 0; i < written->fences.count; i++) {
        const struct written_fence *fence = vector_at(&written->fences, i);
        if (fence->line == line) {
            return fence->place;
        }
    }
    return NO_PLACE;
}

/* Which thread each place is in: the number of lines that begin with `thread` before it. */
static void find_threads(struct subject *subject) {
    subject->thread_of = memory_allocate((subject->places.count + 1) * sizeof *subject->thread_of);
    for (size_t p = 0; p < subject->places.count; p++) {
        const struct place *place = vector_at(&subject->places, p);
        for (const char *at = subject->source.text; at && at < subject->source.text + place->offset;) {
            subject->thread_of[p] += strncmp(at, "thread ", strlen("thread ")) == 0;
            at = strchr(at, '\n');
            at = at ? at + 1 : NULL;
        }
        subject->thread_of[p]--;
        subject->threads = subject->thread_of[p] + 1;
    }
    assert_true(subject->threads <= MOST_THREADS);
}

/* Takes over the text. */
static void subject_init(struct subject *subject, char *text, enum fence_goal goal, enum memory_model model) {
    const char *directory = getenv("TMPDIR");
    char *scratch = memory_format("%s/picket-fence-XXXXXX.aut", directory ? directory : "/tmp");
    struct program program;
    struct diagnostics diagnostics;
    *subject = (struct subject){0};
    subject->source = (struct source){.text = text, .size = strlen(text), .language = SOURCE_AUTOMATON};
    vector_init(&subject->places, sizeof(struct place));
    source_find_places(&subject->source, 0, &subject->places);
    find_threads(subject);
    uint8_t *kinds = memory_allocate(subject->places.count + 1);
    memset(kinds, FENCE_FULL, subject->places.count);
    source_write(&subject->source, 0, &subject->places, kinds, false, &subject->written);
    free(kinds);
    int file = mkstemps(scratch, (int)strlen(".aut"));
    assert_true(file >= 0);
    assert_int_equal(write(file, subject->written.text, subject->written.size), (ssize_t)subject->written.size);
    close(file);
    diagnostics_init(&diagnostics);
    assert_true(automaton_read(scratch, &program, &diagnostics));
    diagnostics_delete(&diagnostics);
    unlink(scratch);
    free(scratch);
    marked_init(&subject->marked, &program, (uint32_t)subject->places.count, place_of, &subject->written);
    synthesis_init(&subject->synthesis, &subject->marked);
    subject->synthesis.goal = goal;
    subject->synthesis.prepare = prepare;
    subject->synthesis.task = *quiet_task_init(&subject->quiet, NULL, model);
    subject->synthesis.task.machine.awaits = AWAIT_SPIN;
}

static void subject_delete(struct subject *subject) {
    synthesis_delete(&subject->synthesis);
    marked_delete(&subject->marked);
    written_delete(&subject->written);
    vector_delete(&subject->places);
    free(subject->source.text);
    free(subject->thread_of);
}

static bool does(const struct subject *subject, const uint8_t *kinds) {
    struct answer answer;
    answer_init(&answer);
    synthesis_try(&subject->synthesis, kinds, &answer);
    assert_true(answer.verdict.word == VERDICT_SAFE || answer.verdict.word == VERDICT_VIOLATION);
    assert_false(answer.by_robustness);
    bool good = answer.verdict.word == VERDICT_SAFE;
    answer_delete(&answer);
    return good;
}

/* Does some set do that has `left` fences more, at places from `from` on, of thread `thread` (or of any)? */
static bool some_does(const struct subject *subject, uint8_t *kinds, uint32_t thread, uint32_t from, uint32_t left) {
    if (left == 0) {
        return does(subject, kinds);
    }
    for (uint32_t p = from; p < subject->places.count; p++) {
        if (thread != UINT32_MAX && subject->thread_of[p] != thread) {
            continue;
        }
        kinds[p] = FENCE_FULL;
        bool found = some_does(subject, kinds, thread, p + 1, left - 1);
        kinds[p] = FENCE_NONE;
        if (found) {
            return true;
        }
    }
    return false;
}

/* The least number of fences in a thread, whatever the others have. */
static uint32_t least_in_thread(const struct subject *subject, uint32_t thread, uint32_t most) {
    uint8_t *kinds = memory_allocate(subject->places.count + 1);
    uint32_t least = 0;
    for (size_t p = 0; p < subject->places.count; p++) {
        kinds[p] = subject->thread_of[p] == thread ? FENCE_NONE : FENCE_FULL;
    }
    while (least < most && !some_does(subject, kinds, thread, 0, least)) {
        least++;
    }
    free(kinds);
    return least;
}

/* Does a thread with store barriers only never do? */
static bool needs_full(const struct subject *subject, uint32_t thread) {
    uint8_t *kinds = memory_allocate(subject->places.count + 1);
    for (size_t p = 0; p < subject->places.count; p++) {
        kinds[p] = subject->thread_of[p] == thread ? FENCE_STORE : FENCE_FULL;
    }
    bool needs = !does(subject, kinds);
    free(kinds);
    return needs;
}

struct expectation {
    const char *name;
    enum fence_goal goal;
    enum memory_model model;
    uint32_t full;
    uint32_t store;
};

static void try_smaller(const struct expectation *expected) {
    struct subject subject;
    uint32_t full[MOST_THREADS] = {0};
    uint32_t fences[MOST_THREADS] = {0};
    uint32_t full_total = 0;
    uint32_t total = 0;
    uint32_t least = 0;
    uint32_t least_full = 0;
    subject_init(&subject, read_text(expected->name), expected->goal, expected->model);
    synthesis_run(&subject.synthesis);
    assert_int_equal(subject.synthesis.end, SYNTHESIS_DONE);
    assert_int_equal(subject.synthesis.undecided, 0);
    for (size_t p = 0; p < subject.places.count; p++) {
        uint32_t thread = subject.thread_of[p];
        full[thread] += subject.synthesis.kinds[p] == FENCE_FULL;
        fences[thread] += subject.synthesis.kinds[p] != FENCE_NONE;
        full_total += subject.synthesis.kinds[p] == FENCE_FULL;
        total += subject.synthesis.kinds[p] != FENCE_NONE;
    }
    assert_int_equal(full_total, expected->full);
    assert_int_equal(total, expected->full + expected->store);
    assert_int_equal(subject.synthesis.reasons.count, total);
    assert_true(does(&subject, subject.synthesis.kinds));
    for (uint32_t t = 0; t < subject.threads; t++) {
        least += least_in_thread(&subject, t, fences[t]);
        least_full += expected->store > 0 && full[t] > 0 && needs_full(&subject, t);
    }
    if (least < total) {
        uint8_t *kinds = memory_allocate(subject.places.count + 1);
        assert_false(some_does(&subject, kinds, UINT32_MAX, 0, total - 1));
        free(kinds);
    }
    if (expected->store > 0) {
        assert_int_equal(least_full, full_total);
    }
    subject_delete(&subject);
}

static void automata(void **state) {
    /* clang-format off */
    static const struct expectation expectations[] = {
        {"simple_dekker", GOAL_ROBUST, MODEL_TSO, 2, 0},
        {"simple_dekker", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"peterson", GOAL_ROBUST, MODEL_TSO, 2, 0},
        {"peterson", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"peterson", GOAL_SAFETY, MODEL_PSO, 2, 2},
        {"peterson", GOAL_TRIANGULAR, MODEL_TSO, 2, 0},
        {"dekker", GOAL_ROBUST, MODEL_TSO, 4, 0},
        {"dekker", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"dekker", GOAL_TRIANGULAR, MODEL_TSO, 4, 0},
        {"lamport", GOAL_ROBUST, MODEL_TSO, 6, 0},
#ifndef __SANITIZE_ADDRESS__ /* takes long there */
        {"lamport", GOAL_SAFETY, MODEL_TSO, 6, 0},
#endif
        {"lamport", GOAL_TRIANGULAR, MODEL_TSO, 6, 0},
        {"parker", GOAL_ROBUST, MODEL_TSO, 1, 0},
        {"parker", GOAL_SAFETY, MODEL_TSO, 1, 0},
        {"parker", GOAL_TRIANGULAR, MODEL_TSO, 2, 0},
        {"cilk_the", GOAL_ROBUST, MODEL_TSO, 2, 0},
        {"cilk_the", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"bakery", GOAL_ROBUST, MODEL_TSO, 4, 0},
        {"bakery", GOAL_SAFETY, MODEL_TSO, 4, 0},
        {"burns", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"burns", GOAL_SAFETY, MODEL_PSO, 2, 0},
        {"burns", GOAL_ROBUST, MODEL_TSO, 3, 0},
        {"burns", GOAL_TRIANGULAR, MODEL_TSO, 3, 0},
        {"dijkstra", GOAL_ROBUST, MODEL_TSO, 4, 0},
        {"dijkstra", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"clh_lock", GOAL_ROBUST, MODEL_TSO, 0, 0},
        {"clh_lock", GOAL_SAFETY, MODEL_TSO, 0, 0},
        {"clh_lock", GOAL_TRIANGULAR, MODEL_TSO, 2, 0},
        {"mcs_lock", GOAL_ROBUST, MODEL_TSO, 0, 0},
        {"mcs_lock", GOAL_SAFETY, MODEL_TSO, 0, 0},
        {"nbw_w_wr", GOAL_ROBUST, MODEL_TSO, 2, 0},
        {"nbw_w_wr", GOAL_SAFETY, MODEL_TSO, 2, 0},
        {"nbw_w_ar_ra", GOAL_ROBUST, MODEL_TSO, 2, 0},
        {"nbw_w_lr_rl", GOAL_ROBUST, MODEL_TSO, 0, 0},
        {"nbw_w_r", GOAL_ROBUST, MODEL_TSO, 0, 0},
        {"nbw_w_r", GOAL_ROBUST, MODEL_PSO, 0, 2},
        {"nbw_w_r", GOAL_SAFETY, MODEL_PSO, 0, 2},
        {"nbw_w_lr_rl", GOAL_ROBUST, MODEL_PSO, 0, 4},
        {"nbw_w_ar_ra", GOAL_ROBUST, MODEL_PSO, 2, 2},
        {"nbw_w_wr", GOAL_ROBUST, MODEL_PSO, 2, 4},
        {"parker", GOAL_SAFETY, MODEL_PSO, 1, 1},
        {"simple_dekker", GOAL_ROBUST, MODEL_PSO, 2, 0},
    };
    /* clang-format on */
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *expected = &expectations[i];
        double start = limits_now();
        try_smaller(expected);
        printf("%s, %s under %s: %u full fences and %u store barriers; %.2f s\n", expected->name,
               goal_names[expected->goal], model_names[expected->model], expected->full, expected->store,
               limits_now() - start);
    }
}

/* --- Generated automata, and really every smaller set ------------------------------------------------------------- */

#define GENERATED 100u

static uint32_t draw(uint64_t *random, uint32_t below) {
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 33) % below;
}

/* Two threads that read and write two cells, seldom a third; a read may be one that waits for a 1.  The goal is that
 * the last reads of both have seen a 0. */
static char *generate(uint64_t seed) {
    char *text = NULL;
    size_t size = 0;
    uint64_t random = seed * 7919;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int t = 0; t < 2; t++) {
        uint32_t steps = 3 + draw(&random, 2);
        uint32_t last = UINT32_MAX;
        fprintf(out, "thread t%d\ninitial s0\nfinal goal\n", t);
        for (uint32_t i = 0; i < steps; i++) {
            uint32_t cell = draw(&random, 7) % 3 % 2 + (draw(&random, 9) == 0);
            uint32_t kind = draw(&random, 7);
            if (kind < 3) {
                fprintf(out, "transition s%u s%u write 1 %u\n", i, i + 1, cell);
            } else if (kind < 6) {
                fprintf(out, "transition s%u s%u read r%u %u\n", i, i + 1, i, cell);
                last = i;
            } else {
                fprintf(out, "transition s%u w%u read r%u %u\n", i, i, i, cell);
                fprintf(out, "transition w%u s%u check == r%u 1\n", i, i + 1, i);
                fprintf(out, "transition w%u s%u check == r%u 0\n", i, i, i);
            }
        }
        if (last != UINT32_MAX) {
            fprintf(out, "transition s%u goal check == r%u 0\n", steps, last);
        } else {
            fprintf(out, "transition s%u goal noop\n", steps);
        }
        fputs("end\n", out);
    }
    fclose(out);
    return text;
}

static uint32_t cost_of(const struct subject *subject, const uint8_t *kinds) {
    uint32_t cost = 0;
    for (size_t p = 0; p < subject->places.count; p++) {
        cost += kinds[p] == FENCE_FULL ? 101 : kinds[p] == FENCE_STORE ? 100 : 0;
    }
    return cost;
}

/* Does some set do that costs less, with fences at places from `from` on? */
static bool cheaper_does(const struct subject *subject, uint8_t *kinds, uint32_t from, uint32_t cost) {
    if (cost_of(subject, kinds) >= cost) {
        return false;
    }
    if (from == subject->places.count) {
        return does(subject, kinds);
    }
    enum fence_kind first = subject->synthesis.task.machine.model == MODEL_PSO ? FENCE_STORE : FENCE_FULL;
    bool found = cheaper_does(subject, kinds, from + 1, cost);
    for (enum fence_kind kind = first; kind <= FENCE_FULL && !found; kind++) {
        kinds[from] = (uint8_t)kind;
        found = cheaper_does(subject, kinds, from + 1, cost);
    }
    kinds[from] = FENCE_NONE;
    return found;
}

static void generated(void **state) {
    static const struct {
        enum fence_goal goal;
        enum memory_model model;
    } questions[] = {{GOAL_ROBUST, MODEL_TSO},
                     {GOAL_ROBUST, MODEL_PSO},
                     {GOAL_TRIANGULAR, MODEL_TSO},
                     {GOAL_SAFETY, MODEL_TSO},
                     {GOAL_SAFETY, MODEL_PSO}};
    uint32_t fenced = 0;
    uint32_t failing = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= GENERATED; seed++) {
        for (int q = 0; q < 5; q++) {
            struct subject subject;
            subject_init(&subject, generate(seed), questions[q].goal, questions[q].model);
            uint8_t *kinds = memory_allocate(subject.places.count + 1);
            synthesis_run(&subject.synthesis);
            bool impossible = subject.synthesis.end == SYNTHESIS_IMPOSSIBLE; /* then not even fences everywhere do */
            memset(kinds, impossible ? FENCE_FULL : FENCE_NONE, subject.places.count);
            if (impossible && questions[q].goal == GOAL_SAFETY && !does(&subject, kinds)) {
                failing++;
            } else if (subject.synthesis.end != SYNTHESIS_DONE || !does(&subject, subject.synthesis.kinds) ||
                       cheaper_does(&subject, kinds, 0, cost_of(&subject, subject.synthesis.kinds))) {
                fail_msg("seed %d, %s under %s: end %d %s\n%s", (int)seed, goal_names[questions[q].goal],
                         model_names[questions[q].model], (int)subject.synthesis.end, subject.synthesis.message,
                         subject.source.text);
            }
            fenced += cost_of(&subject, subject.synthesis.kinds) > 0;
            free(kinds);
            subject_delete(&subject);
        }
    }
    printf("%u of %u needed fences, %u could not be repaired\n", fenced, 5 * GENERATED, failing);
    assert_true(fenced > GENERATED / 4);
}

/* --- The hitting set by itself, against all subsets --------------------------------------------------------------- */

#define ELEMENTS 10u

static uint64_t cheapest_by_trial(const struct vector *clauses, const uint64_t *weights) {
    uint64_t best = UINT64_MAX;
    for (uint32_t set = 0; set < 1u << ELEMENTS; set++) {
        uint64_t weight = 0;
        bool hits = true;
        for (uint32_t e = 0; e < ELEMENTS; e++) {
            weight += set >> e & 1 ? weights[e] : 0;
        }
        for (size_t c = 0; c < clauses->count && hits; c++) {
            const struct vector *clause = vector_at(clauses, c);
            hits = false;
            for (size_t i = 0; i < clause->count; i++) {
                hits = hits || (set >> *(uint32_t *)vector_at(clause, i) & 1);
            }
        }
        best = hits && weight < best ? weight : best;
    }
    return best;
}

static void hitting_sets(void **state) {
    uint64_t random = 12345;
    (void)state;
    for (int round = 0; round < 500; round++) {
        struct vector clauses;
        uint64_t weights[ELEMENTS];
        bool chosen[ELEMENTS];
        uint64_t weight = 0;
        vector_init(&clauses, sizeof(struct vector));
        for (uint32_t c = 0; c < 1 + (unsigned)round % 9; c++) {
            struct vector *clause = vector_grow(&clauses, 1);
            vector_init(clause, sizeof(uint32_t));
            for (uint32_t e = 0; e < ELEMENTS; e++) {
                random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                if (random >> 61 < 2) {
                    vector_push(clause, &e);
                }
            }
        }
        for (uint32_t e = 0; e < ELEMENTS; e++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            weights[e] = 1 + (random >> 61);
        }
        uint64_t cheapest = cheapest_by_trial(&clauses, weights);
        bool found = hitting_set_find(&clauses, weights, ELEMENTS, chosen);
        assert_int_equal(found, cheapest != UINT64_MAX);
        for (uint32_t e = 0; found && e < ELEMENTS; e++) {
            weight += chosen[e] ? weights[e] : 0;
        }
        if (found) {
            assert_int_equal(weight, cheapest);
        }
        for (size_t c = 0; c < clauses.count; c++) {
            vector_delete(vector_at(&clauses, c));
        }
        vector_delete(&clauses);
    }
}

static void patches(void **state) {
    (void)state;
    char *patch = patch_make("x.c", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nnew\ne\nf\ng\nh\ni\n");
    assert_string_equal(patch, "--- a/x.c\n+++ b/x.c\n@@ -2,6 +2,7 @@\n b\n c\n d\n+new\n e\n f\n g\n");
    free(patch);
    patch = patch_make("x.c", "same\n", "same\n");
    assert_string_equal(patch, "");
    free(patch);
    patch = patch_make("x.c", "a", "new\na");
    assert_string_equal(patch, "--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,2 @@\n+new\n a\n\\ No newline at end of file\n");
    free(patch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hitting_sets),
        cmocka_unit_test(patches),
        cmocka_unit_test(automata),
        cmocka_unit_test(generated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
