/* Generated programs and automata on which the searches of `reach` must agree with `brute`, and `explore` too.
 *
 *     unit_reach_N                    the Nth part of the fixed lists of seeds
 *     unit_reach_N programs A B       the generated programs of this range
 *     unit_reach_N automata A B       the generated automata of this range
 *     unit_reach_N stores A B         the generated programs with many stores of this range
 *     unit_reach_N draw SEED          prints one
 *
 * For every one, under SC: the verdict, and if there is no error the set of final states, found by components (on one
 * and on three threads, reduced and not) and on the machine.  A shortest execution has the same length both ways.
 * Under TSO and PSO the verdict, and on some the final states, of the search with store buffers in the states; and with
 * abstract buffers, of which next to nothing is known: they are never proved safe where there is an error, every final
 * state is found, and errors are real.  Automata are also run by `explore`, for the bus lock and goals are theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/brute.h"
#include "engine/random_source.h"
#include "explore/explore.h"
#include "front/automaton.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "ir/rewrite.h"
#include "machine/describe.h"
#include "part.h"
#include "quiet_task.h"
#include "reach/buffered.h"
#include "reach/reach.h"
#include "reach/search.h"
#include "stores_program.h"
#include "wide_program.h"

#define PROGRAMS 800
#define AUTOMATA 800
#define STORES 60

/* --- Results ------------------------------------------------------------------------------------------------------ */

static int compare_texts(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Sorts them and keeps each once: different states may read the same. */
static void texts_settle(struct vector *list) {
    char **texts = list->data;
    size_t kept = 0;
    if (list->count > 0) {
        qsort(texts, list->count, sizeof *texts, compare_texts);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && strcmp(texts[kept - 1], texts[i]) == 0) {
            free(texts[i]);
        } else {
            texts[kept++] = texts[i];
        }
    }
    list->count = kept;
}

static bool spurious; /* is the machine's option of this name set for the program? */

static void run_engine(const struct engine *engine, const struct program *program, enum memory_model model,
                       uint32_t jobs, enum collect collect, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    task->machine.spurious = spurious;
    task->collect = collect;
    task->jobs = jobs;
    verdict_init(verdict);
    engine_run(engine, task, verdict);
    texts_settle(&verdict->collected.texts);
}

/* The final states that a search of its own finds. */
struct finals {
    struct vector texts;
};

static void note_final(void *data, struct machine *machine, enum outcome outcome) {
    struct finals *finals = data;
    if (outcome == OUTCOME_COMPLETE) {
        char *text = machine_shared_text(machine);
        vector_push(&finals->texts, &text);
    }
}

static void texts_free(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

static bool texts_equal(const struct vector *one, const struct vector *other) {
    bool equal = one->count == other->count;
    for (size_t i = 0; equal && i < one->count; i++) {
        equal = strcmp(*(char **)vector_at(one, i), *(char **)vector_at(other, i)) == 0;
    }
    return equal;
}

/* --- One program -------------------------------------------------------------------------------------------------- */

struct variant {
    const char *name;
    bool on_machine;
    bool shortest;
    bool everything;
    uint32_t jobs;
};

static const struct variant variants[] = {
    {"machine", true, false, true, 1},
    {"machine, shortest", true, true, true, 1},
    {"components", false, false, true, 1},
    {"components, errors only", false, false, false, 1},
    {"components, shortest", false, true, true, 1},
    {"components, three threads", false, false, true, 3},
};

static bool by_components;

static void run_search(const struct program *program, const struct variant *variant, struct search_result *result,
                       struct finals *finals) {
    struct limits limits = {0};
    struct search_task task = {
        .program = program,
        .machine = {.model = MODEL_SC, .awaits = AWAIT_SPIN, .spurious = spurious},
        .limits = &limits,
        .jobs = variant->jobs,
        .shortest = variant->shortest,
        .everything = variant->everything,
        .on_machine = variant->on_machine,
        .final = note_final,
        .final_data = finals,
    };
    vector_init(&finals->texts, sizeof(char *));
    search_result_init(result);
    search_run(&task, result);
    texts_settle(&finals->texts);
}

/* Does the path lead a new machine to its error? */
static bool path_is_good(const struct program *program, const struct search_result *result) {
    struct machine_options options = {.model = MODEL_SC, .awaits = result->awaits, .spurious = spurious};
    struct machine *machine = machine_new(program, &options);
    bool good = true;
    for (size_t i = 0; good && i < result->path.count; i++) {
        struct transition transition = *(struct transition *)vector_at(&result->path, i);
        good = machine_is_enabled(machine, transition);
        if (good) {
            machine_take(machine, transition);
        }
    }
    good = good && machine_outcome(machine) == OUTCOME_ERROR && machine_error(machine)->kind == result->error.kind;
    machine_free(machine);
    return good;
}

/* What is wrong, or NULL. */
static const char *check_program(const struct program *program) {
    struct verdict brute;
    const char *wrong = NULL;
    size_t shortest = 0;
    run_engine(&engine_brute, program, MODEL_SC, 1, COLLECT_STATES, &brute);
    for (size_t v = 0; v < sizeof variants / sizeof *variants && !wrong; v++) {
        struct search_result result;
        struct finals finals;
        run_search(program, &variants[v], &result, &finals);
        by_components = by_components || result.vector_bytes > 0;
        if ((result.end == SEARCH_FOUND) != (brute.word == VERDICT_VIOLATION)) {
            wrong = "verdict";
        } else if (result.end == SEARCH_FOUND && !path_is_good(program, &result)) {
            wrong = "path";
        } else if (result.end == SEARCH_FOUND && variants[v].shortest && result.error.kind != ERROR_DEADLOCK) {
            /* A deadlock may take iterations of waiting loops on one machine that the other need not take. */
            wrong = shortest != 0 && shortest != result.path.count ? "length of the shortest path" : NULL;
            shortest = result.path.count;
        } else if (result.end == SEARCH_EXHAUSTED && variants[v].everything &&
                   !texts_equal(&finals.texts, &brute.collected.texts)) {
            wrong = "final states";
        }
        if (wrong) {
            fprintf(stderr, "  %s: %s differs: found %d, brute %d; %zu final states, brute %zu\n", variants[v].name,
                    wrong, result.end == SEARCH_FOUND, brute.word == VERDICT_VIOLATION, finals.texts.count,
                    brute.collected.texts.count);
        }
        texts_free(&finals.texts);
        search_result_delete(&result);
    }
    verdict_delete(&brute);
    return wrong;
}

/* The same for the search with store buffers: verdicts, and with `finals` the final states. */
static const char *check_buffers(const struct program *program, bool finals) {
    const char *wrong = NULL;
    enum collect collect = finals ? COLLECT_STATES : COLLECT_NOTHING;
    for (int model = MODEL_TSO; model <= MODEL_PSO && !wrong; model++) {
        struct verdict brute;
        struct verdict reach;
        run_engine(&engine_brute, program, (enum memory_model)model, 1, collect, &brute);
        run_engine(&engine_reach, program, (enum memory_model)model, 1, collect, &reach);
        if (brute.word != reach.word) {
            wrong = "verdict";
        } else if (brute.word == VERDICT_SAFE && !texts_equal(&brute.collected.texts, &reach.collected.texts)) {
            wrong = "final states";
        }
        if (wrong) {
            fprintf(stderr, "  %s with buffers: %s differs: reach %d %s, brute %d; %zu final states, brute %zu\n",
                    model_names[model], wrong, reach.word, reach.reason, brute.word, reach.collected.texts.count,
                    brute.collected.texts.count);
        }
        verdict_delete(&brute);
        verdict_delete(&reach);
    }
    return wrong;
}

/* --- Abstract buffers --------------------------------------------------------------------------------------------- */

#define MOST_STATES 5000u /* of a program that need not end */

struct abstract_counts {
    unsigned safe;     /* proved */
    unsigned found;    /* errors */
    unsigned spurious; /* or not decided */
    unsigned endless;  /* proved though the search with buffers as they are gives up */
};

/* Of what is known of buffers, from least to most. */
static const struct knowledge {
    enum buffer_abstraction abstract;
    uint32_t exact;
} knowledge[] = {{BUFFERS_AS_SETS, 0},   {BUFFERS_AS_SETS, 1},   {BUFFERS_AS_SETS, 2},
                 {BUFFERS_AS_CHAINS, 0}, {BUFFERS_AS_CHAINS, 1}, {BUFFERS_AS_CHAINS, 2}};
#define KNOWLEDGE (sizeof knowledge / sizeof *knowledge)

static enum abstract_answer run_abstract(const struct program *program, enum memory_model model,
                                         const struct knowledge *known, struct finals *finals,
                                         struct search_result *result) {
    struct limits limits = {0};
    struct search_task task = {
        .program = program,
        .machine = {.model = model, .awaits = AWAIT_SPIN, .spurious = spurious},
        .limits = &limits,
        .everything = finals != NULL,
        .most_states = finals ? 0 : MOST_STATES,
        .final = finals ? note_final : NULL,
        .final_data = finals,
    };
    search_result_init(result);
    return buffered_run_abstract(&task, known->abstract, known->exact, result);
}

/* Are all of `few`, which is sorted like `many`, among `many`? */
static bool texts_contain(const struct vector *many, const struct vector *few) {
    size_t at = 0;
    for (size_t i = 0; i < few->count; i++) {
        const char *wanted = *(char **)vector_at(few, i);
        while (at < many->count && strcmp(*(char **)vector_at(many, at), wanted) < 0) {
            at++;
        }
        if (at == many->count || strcmp(*(char **)vector_at(many, at), wanted) != 0) {
            return false;
        }
    }
    return true;
}

static void count_abstract(enum abstract_answer answer, struct abstract_counts *counts) {
    counts->safe += answer == ABSTRACT_SAFE;
    counts->found += answer == ABSTRACT_FOUND;
    counts->spurious += answer != ABSTRACT_SAFE && answer != ABSTRACT_FOUND;
}

/* A program that ends. */
static const char *check_abstract(const struct program *program, struct abstract_counts *counts) {
    const char *wrong = NULL;
    for (int model = MODEL_TSO; model <= MODEL_PSO && !wrong; model++) {
        struct verdict brute;
        run_engine(&engine_brute, program, (enum memory_model)model, 1, COLLECT_STATES, &brute);
        for (size_t k = 0; k < KNOWLEDGE && !wrong; k++) {
            struct search_result result;
            struct search_result all;
            struct finals finals;
            vector_init(&finals.texts, sizeof(char *));
            enum abstract_answer answer = run_abstract(program, (enum memory_model)model, &knowledge[k], NULL, &result);
            enum abstract_answer full = run_abstract(program, (enum memory_model)model, &knowledge[k], &finals, &all);
            texts_settle(&finals.texts);
            count_abstract(answer, counts);
            bool error = brute.word == VERDICT_VIOLATION;
            if (((answer == ABSTRACT_SAFE || full == ABSTRACT_SAFE) && error) ||
                ((answer == ABSTRACT_FOUND || full == ABSTRACT_FOUND) && !error)) {
                wrong = "verdict";
            } else if (full == ABSTRACT_SAFE && !texts_contain(&finals.texts, &brute.collected.texts)) {
                wrong = "final states";
            }
            if (wrong) {
                fprintf(stderr, "  %s with abstract buffers %d, %u exact: %s differs: abstract %d %d, brute %d\n",
                        model_names[model], knowledge[k].abstract, knowledge[k].exact, wrong, answer, full, brute.word);
            }
            texts_free(&finals.texts);
            search_result_delete(&result);
            search_result_delete(&all);
        }
        verdict_delete(&brute);
    }
    return wrong;
}

/* A program that need not end. */
static const char *check_endless(const struct program *program, struct abstract_counts *counts) {
    const char *wrong = NULL;
    for (int model = MODEL_TSO; model <= MODEL_PSO && !wrong; model++) {
        struct quiet_task quiet;
        struct task *task = quiet_task_init(&quiet, program, (enum memory_model)model);
        struct verdict exactly;
        verdict_init(&exactly);
        reach_decide(task, MOST_STATES, false, &exactly);
        for (size_t k = 0; k < KNOWLEDGE && !wrong; k++) {
            struct search_result result;
            enum abstract_answer answer = run_abstract(program, (enum memory_model)model, &knowledge[k], NULL, &result);
            count_abstract(answer, counts);
            counts->endless += answer == ABSTRACT_SAFE && exactly.word == VERDICT_UNDECIDED;
            if ((answer == ABSTRACT_SAFE && exactly.word == VERDICT_VIOLATION) ||
                (answer == ABSTRACT_FOUND && exactly.word == VERDICT_SAFE)) {
                wrong = "verdict";
                fprintf(stderr, "  %s with abstract buffers %d, %u exact: verdict differs: abstract %d, reach %d\n",
                        model_names[model], knowledge[k].abstract, knowledge[k].exact, answer, exactly.word);
            }
            search_result_delete(&result);
        }
        verdict_delete(&exactly);
    }
    return wrong;
}

/* --- Generated programs ------------------------------------------------------------------------------------------- */

/* A program that does not use its heap object can do without it, and is then searched by components. */
static void drop_heap(struct rewrite *rewrite, void *data) {
    (void)data;
    for (uint32_t i = 0; i < rewrite->program->functions[rewrite->function].count; i++) {
        struct instruction *instruction = &rewrite->code[i];
        if (instruction->op == OP_MALLOC) {
            *instruction = (struct instruction){.op = OP_MOV, .dst = instruction->dst, .a = instruction->a};
        }
    }
}

static bool uses_heap(const struct wide_program *wide) {
    for (unsigned t = 0; t < wide->threads; t++) {
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            if (wide->operations[t][i].kind >= WIDE_HEAP_LOAD) {
                return true;
            }
        }
    }
    return false;
}

static unsigned check_programs(uint64_t from, uint64_t to, unsigned *components, struct abstract_counts *abstract) {
    unsigned failures = 0;
    for (uint64_t seed = from; seed <= to; seed++) {
        struct wide_program wide;
        struct program program;
        wide_draw(&wide, seed, WIDE_ALL);
        spurious = wide.spurious;
        wide_build(&wide, &program);
        if (!uses_heap(&wide)) {
            program_rewrite(&program, drop_heap, NULL);
        }
        by_components = false;
        if (check_program(&program) || check_buffers(&program, seed % 4 == 0) ||
            (seed % 2 == 0 && check_abstract(&program, abstract))) {
            fprintf(stderr, "program %llu\n", (unsigned long long)seed);
            wide_print(&wide, stderr);
            failures++;
        }
        *components += by_components;
        program_delete(&program);
    }
    spurious = false;
    return failures;
}

static unsigned check_stores(uint64_t from, uint64_t to, struct abstract_counts *abstract) {
    unsigned failures = 0;
    for (uint64_t seed = from; seed <= to; seed++) {
        struct program program;
        stores_program_draw(seed, &program);
        if (check_abstract(&program, abstract)) {
            fprintf(stderr, "stores %llu\n", (unsigned long long)seed);
            program_print(&program, stderr);
            failures++;
        }
        program_delete(&program);
    }
    return failures;
}

/* --- Generated automata ------------------------------------------------------------------------------------------- */

static void draw_expression(struct random_source *source, FILE *out, int depth) {
    static const char *const binary[] = {"==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", "&"};
    uint64_t kind = random_below(source, depth > 1 ? 2 : 6);
    if (kind == 0 || kind == 2) {
        fprintf(out, " %d", (int)random_below(source, 3));
    } else if (kind < 4) {
        fprintf(out, " r%d", (int)random_below(source, 2));
    } else if (kind == 4) {
        /* Division by what may be 0 is rare: it is an error, and ends the test. */
        const char *name = binary[random_below(source, random_below(source, 20) == 0 ? 14 : 11)];
        fprintf(out, " %s", name);
        draw_expression(source, out, depth + 1);
        draw_expression(source, out, depth + 1);
    } else {
        fprintf(out, " !");
        draw_expression(source, out, depth + 1);
    }
}

static void draw_address(struct random_source *source, FILE *out, bool computed) {
    if (computed && random_below(source, 3) == 0) {
        fprintf(out, " & 3 r%d", (int)random_below(source, 2));
    } else {
        fprintf(out, " %d", (int)random_below(source, 3));
    }
}

static void draw_thread(struct random_source *source, FILE *out, int number, bool locks, bool computed) {
    int states = 3 + (int)random_below(source, 4);
    int transitions = states + (int)random_below(source, 3);
    bool loops = random_below(source, 3) == 0 && !locks; /* a lock in a loop could be taken without end */
    fprintf(out, "thread t%d\ninitial q0\n", number);
    if (random_below(source, 4) != 0) {
        fprintf(out, "final q%d\n", states - 1);
    }
    bool locked = false;
    for (int i = 0; i < transitions; i++) {
        int from = i < states - 1 ? i : (int)random_below(source, (uint64_t)states);
        int to = i < states - 1 ? i + 1 : (int)random_below(source, (uint64_t)states);
        if (i >= states - 1 && !loops && to <= from) {
            continue;
        }
        fprintf(out, "transition q%d q%d ", from, to);
        switch (random_below(source, locks ? 9 : 7)) {
        case 0:
        case 1:
            fprintf(out, "write & 3");
            draw_expression(source, out, 1);
            draw_address(source, out, computed);
            break;
        case 2:
        case 3:
            fprintf(out, "read r%d", (int)random_below(source, 2));
            draw_address(source, out, computed);
            break;
        case 4:
            fprintf(out, "check");
            draw_expression(source, out, 0);
            break;
        case 5:
            fprintf(out, random_below(source, 2) ? "mfence" : "noop");
            break;
        case 6:
            fprintf(out, "local r%d", (int)random_below(source, 2));
            fprintf(out, " & 3");
            draw_expression(source, out, 0);
            break;
        default:
            fprintf(out, locked ? "unlock" : "lock");
            locked = !locked;
            break;
        }
        fprintf(out, "\n");
    }
    fprintf(out, "end\n");
}

static void draw_automata(uint64_t seed, FILE *out) {
    struct random_source source = random_source_from(seed);
    bool locks = random_below(&source, 3) == 0;
    bool computed = random_below(&source, 3) == 0;
    int threads = 2 + (random_below(&source, 3) == 0);
    for (int t = 0; t < threads; t++) {
        draw_thread(&source, out, t, locks, computed);
    }
}

/* `final q%d` may name a state that no transition has to do with; such files are not counted. */
static bool read_automata(const char *file, struct program *program) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    bool good = automaton_read(file, program, &diagnostics);
    if (good) {
        pass_simplify(program);
        pass_narrow(program);
        pass_awaits(program);
        pass_compact(program);
    }
    diagnostics_delete(&diagnostics);
    return good;
}

static const char *check_models(const struct program *program) {
    const char *wrong = NULL;
    for (int model = MODEL_SC; model <= MODEL_PSO && !wrong; model++) {
        struct verdict brute;
        struct verdict explore;
        struct quiet_task quiet;
        struct task *task = quiet_task_init(&quiet, program, (enum memory_model)model);
        verdict_init(&brute);
        verdict_init(&explore);
        engine_run(&engine_brute, task, &brute);
        engine_run(&engine_explore, task, &explore);
        if (brute.word != explore.word) {
            fprintf(stderr, "  model %s: brute %d, explore %d %s\n", model_names[model], brute.word, explore.word,
                    explore.reason);
            wrong = "explore";
        }
        verdict_delete(&brute);
        verdict_delete(&explore);
    }
    return wrong;
}

static bool has_loop(const char *file) {
    FILE *in = fopen(file, "r");
    char line[512];
    bool found = false;
    while (in && fgets(line, sizeof line, in)) {
        int from;
        int to;
        found = found || (sscanf(line, "transition q%d q%d", &from, &to) == 2 && to <= from);
    }
    if (in) {
        fclose(in);
    }
    return found;
}

static unsigned check_automata(uint64_t from, uint64_t to, unsigned *components, unsigned *found,
                               struct abstract_counts *abstract) {
    unsigned failures = 0;
    char file[] = "automata-XXXXXX";
    int descriptor = mkstemp(file);
    if (descriptor < 0) {
        return 1;
    }
    close(descriptor);
    for (uint64_t seed = from; seed <= to; seed++) {
        FILE *out = fopen(file, "w");
        draw_automata(seed, out);
        fclose(out);
        struct program program;
        if (!read_automata(file, &program)) {
            continue;
        }
        by_components = false;
        bool wrong = check_program(&program) ||
                     (has_loop(file) ? check_endless(&program, abstract) != NULL
                                     : check_buffers(&program, seed % 4 == 0) || check_models(&program) ||
                                           (seed % 2 == 0 && check_abstract(&program, abstract)));
        if (wrong) {
            fprintf(stderr, "automata %llu:\n", (unsigned long long)seed);
            draw_automata(seed, stderr);
            failures++;
        }
        *components += by_components;
        struct search_result result;
        struct finals finals;
        run_search(&program, &variants[2], &result, &finals);
        *found += result.end == SEARCH_FOUND;
        texts_free(&finals.texts);
        search_result_delete(&result);
        program_delete(&program);
    }
    unlink(file);
    return failures;
}

/* --- Tests -------------------------------------------------------------------------------------------------------- */

static void print_abstract(const struct abstract_counts *counts) {
    printf("abstract buffers: %u proved safe, %u of them beyond what exact buffers decide; %u errors, %u undecided\n",
           counts->safe, counts->endless, counts->found, counts->spurious);
}

static void programs_agree(void **state) {
    (void)state;
    unsigned components = 0;
    struct abstract_counts abstract = {0};
    assert_int_equal(check_programs(part_first(PROGRAMS), part_last(PROGRAMS), &components, &abstract), 0);
    const unsigned programs = PROGRAMS / PARTS;
    printf("%u of %u programs searched by components\n", components, programs);
    print_abstract(&abstract);
    assert_true(components > programs / 4);
    assert_true(abstract.safe > 2 * programs && abstract.found > programs / 20);
}

static void automata_agree(void **state) {
    (void)state;
    unsigned components = 0;
    unsigned found = 0;
    struct abstract_counts abstract = {0};
    assert_int_equal(check_automata(part_first(AUTOMATA), part_last(AUTOMATA), &components, &found, &abstract), 0);
    const unsigned automata = AUTOMATA / PARTS;
    printf("%u of %u automata searched by components, %u with an error\n", components, automata, found);
    print_abstract(&abstract);
    assert_true(components > automata / 2);
    assert_true(found > automata / 20 && found < automata - automata / 20);
    assert_true(abstract.safe > automata / 4 && abstract.found > automata / 2);
    assert_true(abstract.endless > 0);
}

static void stores_agree(void **state) {
    (void)state;
    struct abstract_counts abstract = {0};
    assert_int_equal(check_stores(part_first(STORES), part_last(STORES), &abstract), 0);
    print_abstract(&abstract);
    assert_true(abstract.safe > 2 * STORES / PARTS);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_agree), cmocka_unit_test(automata_agree),
                                       cmocka_unit_test(stores_agree)};
    if (argc == 3) {
        draw_automata(strtoull(argv[2], NULL, 10), stdout);
        return 0;
    }
    if (argc == 4) {
        unsigned components = 0;
        unsigned found = 0;
        struct abstract_counts abstract = {0};
        uint64_t from = strtoull(argv[2], NULL, 10);
        uint64_t to = strtoull(argv[3], NULL, 10);
        unsigned failures = strcmp(argv[1], "programs") == 0 ? check_programs(from, to, &components, &abstract)
                            : strcmp(argv[1], "stores") == 0 ? check_stores(from, to, &abstract)
                                                             : check_automata(from, to, &components, &found, &abstract);
        printf("%u do not agree; %u by components, %u with an error\n", failures, components, found);
        print_abstract(&abstract);
        return failures > 0;
    }
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
