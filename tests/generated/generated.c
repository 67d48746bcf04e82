/* Generated programs: thousands of small ones, on which everything that must agree is compared.
 *
 *     unit_generated_N              the Nth part of the fixed lists of seeds
 *     unit_generated_N SEED...      only these programs
 *     unit_generated_N --sync A B   the programs of this range with operations on locks and threads; continues after
 * one that differs
 *
 * For every program and every model the final states that `brute` finds must be those of the independent model in
 * model.c; they grow from SC to TSO to PSO; passes do not change them; with a full fence after every store they are
 * the same under all models; random walks stay inside them, and `explore` finds all of them; an assertion about a
 * thread's result fails exactly if the model has such a result, for every engine; `explore` finds the traces that
 * `brute` finds, each once; and their number does not depend on the order of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/brute.h"
#include "engine/random.h"
#include "engine/random_source.h"
#include "explore/explore.h"
#include "generated_program.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "machine/describe.h"
#include "part.h"
#include "quiet_task.h"

#define PROGRAMS 400
#define TINY_PROGRAMS 60
#define SYNC_PROGRAMS 2000
#define RANDOM_WALKS 6

static uint64_t draw(struct random_source *source, uint64_t end) {
    return random_below(source, end);
}

/* --- Sets of final states ----------------------------------------------------------------------------------------- */

static int compare_texts(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static void sort_texts(struct vector *texts) {
    if (texts->count > 0) {
        qsort(texts->data, texts->count, sizeof(char *), compare_texts);
    }
}

static void delete_texts(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

static bool has_text(const struct vector *texts, const char *text) {
    return texts->count > 0 && bsearch(&text, texts->data, texts->count, sizeof(char *), compare_texts);
}

static bool texts_within(const struct vector *small, const struct vector *large) {
    for (size_t i = 0; i < small->count; i++) {
        if (!has_text(large, *(char **)vector_at(small, i))) {
            return false;
        }
    }
    return true;
}

static bool texts_equal(const struct vector *one, const struct vector *other) {
    return one->count == other->count && texts_within(one, other);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

/* Options of a run besides engine, program and model. */
struct request {
    enum collect collect;
    enum dpor dpor;
    struct vector *finals; /* if not NULL: gets the text of the state at the end of every complete execution */
};

static void note_final(void *data, struct machine *machine) {
    char *text = machine_shared_text(machine);
    vector_push(data, &text);
}

static void run_engine(const struct engine *engine, const struct program *program, enum memory_model model,
                       struct request request, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    struct random_options random = {.runs = 20, .seed = 1, .steps = 1000};
    struct explore_options explore = {.dpor = request.dpor};
    task_give(task, &engine_random, &random.common);
    task_give(task, &engine_explore, &explore.common);
    task->collect = request.collect;
    task->final = request.finals ? note_final : NULL;
    task->final_data = request.finals;
    verdict_init(verdict);
    engine_run(engine, task, verdict);
}

/* Takes the texts out of brute's verdict. */
static struct vector brute_states(const struct program *program, enum memory_model model) {
    struct verdict verdict;
    run_engine(&engine_brute, program, model, (struct request){.collect = COLLECT_STATES}, &verdict);
    struct vector texts = verdict.collected.texts;
    vector_init(&verdict.collected.texts, sizeof(char *));
    verdict_delete(&verdict);
    sort_texts(&texts);
    return texts;
}

static void print_differences(const struct vector *found, const struct vector *expected) {
    for (size_t i = 0; i < found->count; i++) {
        const char *text = *(char **)vector_at(found, i);
        if (!has_text(expected, text)) {
            fprintf(stderr, "not expected: %s\n", text);
        }
    }
    for (size_t i = 0; i < expected->count; i++) {
        const char *text = *(char **)vector_at(expected, i);
        if (!has_text(found, text)) {
            fprintf(stderr, "missing: %s\n", text);
        }
    }
}

static void explain(const struct generated *generated, const struct program *program, enum memory_model model,
                    const char *what, const struct vector *found, const struct vector *expected) {
    fprintf(stderr, "seed %llu, model %s: %s\n", (unsigned long long)generated->seed, model_names[model], what);
    program_print(program, stderr);
    if (found && expected) {
        print_differences(found, expected);
    }
    fail();
}

static void check_random_walks(const struct generated *generated, const struct program *program,
                               enum memory_model model, const struct vector *states) {
    struct random_source source = random_source_from(generated->seed);
    for (int run = 0; run < RANDOM_WALKS; run++) {
        struct machine *machine = machine_new(program, &(struct machine_options){.model = model, .no_undo = true});
        const struct transition *enabled;
        size_t count;
        while ((count = machine_enabled(machine, &enabled)) > 0) {
            machine_take(machine, enabled[draw(&source, count)]);
        }
        assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
        char *text = machine_shared_text(machine);
        struct vector one = {.data = &text, .count = 1, .element_size = sizeof text};
        if (!has_text(states, text)) {
            explain(generated, program, model, "a random walk ends outside", &one, states);
        }
        free(text);
        machine_free(machine);
    }
}

static void unroll_once(struct program *program) {
    pass_unroll(program, 1);
}

/* One after the other, in the order in which the verifier runs them. */
static const struct {
    const char *name;
    void (*run)(struct program *program);
} passes[] = {
    {"pass_simplify", pass_simplify}, {"pass_narrow", pass_narrow},   {"pass_awaits", pass_awaits},
    {"pass_unroll", unroll_once},     {"pass_compact", pass_compact},
};

static void check_passes(const struct generated *generated, struct vector states[MODEL_COUNT]) {
    struct program program;
    generated_build(generated, false, &program);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        passes[i].run(&program);
        for (int model = 0; model < MODEL_COUNT; model++) {
            struct vector after = brute_states(&program, (enum memory_model)model);
            if (!texts_equal(&after, &states[model])) {
                explain(generated, &program, (enum memory_model)model, passes[i].name, &after, &states[model]);
            }
            delete_texts(&after);
        }
    }
    program_delete(&program);
}

static void check_fenced(const struct generated *generated) {
    struct program program;
    generated_build(generated, true, &program);
    struct vector sc = brute_states(&program, MODEL_SC);
    for (int model = MODEL_TSO; model < MODEL_COUNT; model++) {
        struct vector states = brute_states(&program, (enum memory_model)model);
        if (!texts_equal(&sc, &states)) {
            explain(generated, &program, (enum memory_model)model, "fences after all stores do not make it SC", &states,
                    &sc);
        }
        delete_texts(&states);
    }
    delete_texts(&sc);
    program_delete(&program);
}

static bool has_result(const struct vector *results, uint64_t result) {
    for (size_t i = 0; i < results->count; i++) {
        if (*(uint64_t *)vector_at(results, i) == result) {
            return true;
        }
    }
    return false;
}

/* Forbids one of the results that the weakest model has, and looks who finds it. */
static void check_assertion(struct generated *generated, struct vector results[MODEL_COUNT], bool tiny) {
    const struct vector *most = &results[MODEL_PSO];
    struct program program;
    generated->asserts = true;
    generated->forbidden = *(uint64_t *)vector_at(most, generated->seed % most->count);
    generated_build(generated, false, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        bool expected = has_result(&results[model], generated->forbidden);
        enum verdict_word word = expected ? VERDICT_VIOLATION : VERDICT_SAFE;
        struct verdict verdict;
        run_engine(&engine_brute, &program, (enum memory_model)model, (struct request){.collect = COLLECT_NOTHING},
                   &verdict);
        if (verdict.word != word) {
            explain(generated, &program, (enum memory_model)model, "brute decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
        run_engine(&engine_explore, &program, (enum memory_model)model, (struct request){0}, &verdict);
        if (verdict.word != word) {
            fprintf(stderr, "verdict %d, not %d; %s\n", (int)verdict.word, (int)word, verdict.reason);
            explain(generated, &program, (enum memory_model)model, "explore decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
        if (tiny) {
            run_engine(&engine_brute, &program, (enum memory_model)model, (struct request){.collect = COLLECT_TRACES},
                       &verdict);
            if (verdict.word != word) {
                explain(generated, &program, (enum memory_model)model, "brute, unpruned, decides wrongly", NULL, NULL);
            }
            verdict_delete(&verdict);
        }
        run_engine(&engine_random, &program, (enum memory_model)model, (struct request){.collect = COLLECT_NOTHING},
                   &verdict);
        if (verdict.word == VERDICT_SAFE || verdict.word == VERDICT_DEFECT ||
            (verdict.word == VERDICT_VIOLATION && !expected)) {
            explain(generated, &program, (enum memory_model)model, "random decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
    }
    generated->asserts = false;
    program_delete(&program);
}

/* The traces that the engine finds; of a set of them the digest says which. */
static uint64_t count_traces(const struct generated *generated, const struct engine *engine, enum memory_model model,
                             enum dpor dpor, uint64_t *digest) {
    struct program program;
    struct verdict verdict;
    generated_build(generated, false, &program);
    run_engine(engine, &program, model, (struct request){.collect = COLLECT_TRACES, .dpor = dpor}, &verdict);
    uint64_t traces = verdict.collected.traces;
    *digest = verdict.collected.digest;
    assert_int_equal(verdict.word, VERDICT_SAFE);
    assert_int_equal(verdict.collected.blocked, 0);
    if (engine == &engine_explore && dpor == DPOR_OPTIMAL) {
        /* Optimal: no trace twice, nothing begun in vain. */
        assert_int_equal(verdict.traces, traces);
        assert_int_equal(verdict.redundant, 0);
    }
    verdict_delete(&verdict);
    program_delete(&program);
    return traces;
}

/* The program with its threads in another order: the first becomes the last. */
static struct generated rotated(const struct generated *generated) {
    struct generated other = *generated;
    unsigned threads = generated->threads;
    for (unsigned t = 0; t < threads; t++) {
        unsigned to = (t + threads - 1) % threads;
        other.counts[to] = generated->counts[t];
        memcpy(other.operations[to], generated->operations[t], sizeof other.operations[to]);
    }
    return other;
}

static void check_traces(const struct generated *generated) {
    struct generated other = rotated(generated);
    uint64_t before = 0;
    for (int i = 0; i < MODEL_COUNT; i++) {
        enum memory_model model = (enum memory_model)i;
        uint64_t digest[4];
        uint64_t traces = count_traces(generated, &engine_brute, model, DPOR_OPTIMAL, &digest[0]);
        uint64_t turned = count_traces(&other, &engine_brute, model, DPOR_OPTIMAL, &digest[1]);
        uint64_t optimal = count_traces(generated, &engine_explore, model, DPOR_OPTIMAL, &digest[2]);
        uint64_t source = count_traces(generated, &engine_explore, model, DPOR_SOURCE, &digest[3]);
        if (traces != turned || traces < before || traces != optimal || traces != source || digest[0] != digest[2] ||
            digest[0] != digest[3]) {
            struct program program;
            generated_build(generated, false, &program);
            fprintf(stderr,
                    "traces: %" PRIu64 ", with the threads turned %" PRIu64 ", explore %" PRIu64 " and %" PRIu64
                    ", under the stronger model %" PRIu64 "\n",
                    traces, turned, optimal, source, before);
            explain(generated, &program, model, "sets of traces", NULL, NULL);
        }
        before = traces;
    }
}

static void drop_repetitions(struct vector *texts) {
    size_t kept = 0;
    char **list = texts->data;
    for (size_t i = 0; i < texts->count; i++) {
        if (kept > 0 && strcmp(list[kept - 1], list[i]) == 0) {
            free(list[i]);
        } else {
            list[kept++] = list[i];
        }
    }
    texts->count = kept;
}

static void check_explore(const struct generated *generated, const struct program *program, enum memory_model model,
                          const struct vector *states) {
    for (int dpor = DPOR_OPTIMAL; dpor <= DPOR_SOURCE; dpor++) {
        struct verdict verdict;
        struct vector found;
        vector_init(&found, sizeof(char *));
        run_engine(&engine_explore, program, model, (struct request){.dpor = (enum dpor)dpor, .finals = &found},
                   &verdict);
        sort_texts(&found);
        drop_repetitions(&found);
        if (verdict.word != VERDICT_SAFE || !texts_equal(&found, states)) {
            explain(generated, program, model, "explore and the model differ", &found, states);
        }
        verdict_delete(&verdict);
        delete_texts(&found);
    }
}

static void check_program(uint64_t seed, bool tiny) {
    struct generated generated;
    struct program program;
    struct vector states[MODEL_COUNT];
    struct vector results[MODEL_COUNT];
    generated_draw(&generated, seed, tiny ? 2 : 4);
    generated_build(&generated, false, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        vector_init(&states[model], sizeof(char *));
        vector_init(&results[model], sizeof(uint64_t));
        model_final_states(&generated, (enum memory_model)model, &states[model], &results[model]);
        sort_texts(&states[model]);
        struct vector found = brute_states(&program, (enum memory_model)model);
        if (!texts_equal(&found, &states[model])) {
            explain(&generated, &program, (enum memory_model)model, "brute and the model differ", &found,
                    &states[model]);
        }
        delete_texts(&found);
        if (model > 0 && !texts_within(&states[model - 1], &states[model])) {
            explain(&generated, &program, (enum memory_model)model, "states of the stronger model are missing",
                    &states[model - 1], &states[model]);
        }
        check_random_walks(&generated, &program, (enum memory_model)model, &states[model]);
        check_explore(&generated, &program, (enum memory_model)model, &states[model]);
    }
    program_delete(&program);
    check_passes(&generated, states);
    check_fenced(&generated);
    check_assertion(&generated, results, tiny);
    if (tiny) {
        check_traces(&generated);
    }
    for (int model = 0; model < MODEL_COUNT; model++) {
        delete_texts(&states[model]);
        vector_delete(&results[model]);
    }
}

/* Programs with operations on locks and threads, which may end in errors: the model and `brute` have the same verdict,
 * and if that is safe the same final states.  The text of the first difference, or NULL. */
static const char *sync_difference(const struct generated *generated, const struct program *program,
                                   enum memory_model model, bool loud) {
    struct vector states;
    struct vector results;
    struct verdict verdict;
    const char *difference = NULL;
    vector_init(&states, sizeof(char *));
    vector_init(&results, sizeof(uint64_t));
    bool safe = model_final_states(generated, model, &states, &results);
    sort_texts(&states);
    run_engine(&engine_brute, program, model, (struct request){.collect = COLLECT_STATES}, &verdict);
    sort_texts(&verdict.collected.texts);
    if (verdict.word != (safe ? VERDICT_SAFE : VERDICT_VIOLATION)) {
        difference = safe ? "the model has no error" : "the model has an error";
    } else if (safe && !texts_equal(&verdict.collected.texts, &states)) {
        difference = "brute and the model differ";
    }
    if (difference && loud) {
        fprintf(stderr, "seed %llu, model %s: %s%s%s\n", (unsigned long long)generated->seed, model_names[model],
                difference, verdict.word == VERDICT_VIOLATION ? ": " : "",
                verdict.word == VERDICT_VIOLATION ? verdict.error.message : "");
        print_differences(&verdict.collected.texts, &states);
    }
    verdict_delete(&verdict);
    delete_texts(&states);
    vector_delete(&results);
    return difference;
}

static unsigned check_sync_range(uint64_t from, uint64_t to) {
    unsigned failures = 0;
    for (uint64_t seed = from; seed <= to; seed++) {
        struct generated generated;
        struct program program;
        generated_draw_sync(&generated, seed);
        generated_build(&generated, false, &program);
        for (int model = 0; model < MODEL_COUNT; model++) {
            if (sync_difference(&generated, &program, (enum memory_model)model, true)) {
                program_print(&program, stderr);
                failures++;
                break;
            }
        }
        program_delete(&program);
    }
    return failures;
}

static void programs_with_locks_and_threads(void **state) {
    (void)state;
    assert_int_equal(check_sync_range(part_first(SYNC_PROGRAMS), part_last(SYNC_PROGRAMS)), 0);
}

static void generated_programs(void **state) {
    (void)state;
    for (uint64_t seed = part_first(PROGRAMS); seed <= part_last(PROGRAMS); seed++) {
        check_program(seed, false);
    }
}

static void tiny_programs_with_all_their_traces(void **state) {
    (void)state;
    for (uint64_t seed = part_first(TINY_PROGRAMS); seed <= part_last(TINY_PROGRAMS); seed++) {
        check_program(seed, true);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_programs),
        cmocka_unit_test(tiny_programs_with_all_their_traces),
        cmocka_unit_test(programs_with_locks_and_threads),
    };
    if (argc == 4 && !strcmp(argv[1], "--sync")) {
        unsigned failures = check_sync_range(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
        printf("%u differ\n", failures);
        return failures > 0;
    }
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            check_program(strtoull(argv[i], NULL, 10), false);
            check_program(strtoull(argv[i], NULL, 10), true);
        }
        return 0;
    }
    printf("part %d of %d of seeds 1 to %d, 1 to %d of tiny programs, 1 to %d of those with locks and threads\n", PART,
           PARTS, PROGRAMS, TINY_PROGRAMS, SYNC_PROGRAMS);
    return cmocka_run_group_tests_name("generated programs", tests, NULL, NULL);
}
