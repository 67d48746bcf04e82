/* The option table and the parser that walks it. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "cli/bounded.h"
#include "explore/explore.h"
#include "reach/lazy.h"
#include "reach/reach.h"
#include "seq/seq.h"

#define MAX_DEPTH 16000
#define MAX_COPIES 512 /* the tables of a thread stay below its private memory */
#define SEARCHES (COMMAND_CHECK | COMMAND_ROBUST | COMMAND_FENCE)
#define ALL_INPUT (SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_TRANSLATE | COMMAND_PROVE)

/* `auto` is the first, the strongest there is. */
static const struct engine *const engines[] = {&engine_explore, &engine_lazy, &engine_reach, &engine_rounds,
                                               &engine_age,     &engine_seq,  &engine_brute, &engine_random};

static bool set_model(struct options *options, const char *value) {
    for (int i = 0; i < MODEL_COUNT; i++) {
        if (strcmp(value, model_names[i]) == 0) {
            options->model = (enum memory_model)i;
            options->model_given = true;
            return true;
        }
    }
    return false;
}

static bool set_engine(struct options *options, const char *value) {
    options->engine_name = value;
    options->automatic = strcmp(value, "auto") == 0;
    if (options->automatic) {
        options->engine = engines[0];
        return true;
    }
    if (strcmp(value, "oracle") == 0) {
        options->engine = NULL; /* it answers `robust` only */
        return true;
    }
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(value, engines[i]->name) == 0) {
            options->engine = engines[i];
            return true;
        }
    }
    return false;
}

/* Goes with the arguments for clang, so that a witness knows it too. */
static bool set_language(struct options *options, const char *value) {
    static const char *const languages[][2] = {{"c", "-xc"}, {"aut", "-xaut"}, {"litmus", "-xlitmus"}};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        if (strcmp(value, languages[i][0]) == 0) {
            vector_push(&options->clang_args, &languages[i][1]);
            return true;
        }
    }
    return false;
}

static bool set_number(uint64_t *to, const char *value, uint64_t least);

/* Goes with the arguments for clang, so that a witness knows it too. */
static bool set_threads(struct options *options, const char *value) {
    static const char *const arguments[] = {"-DPICKET_THREADS=1", "-DPICKET_THREADS=2", "-DPICKET_THREADS=3",
                                            "-DPICKET_THREADS=4", "-DPICKET_THREADS=5", "-DPICKET_THREADS=6",
                                            "-DPICKET_THREADS=7", "-DPICKET_THREADS=8", "-DPICKET_THREADS=9"};
    uint64_t number;
    if (!set_number(&number, value, 1) || number > sizeof arguments / sizeof *arguments) {
        return false;
    }
    vector_push(&options->clang_args, &arguments[number - 1]);
    return true;
}

static bool set_number(uint64_t *to, const char *value, uint64_t least) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    *to = number;
    return isdigit((unsigned char)*value) && *end == '\0' && errno == 0 && number >= least;
}

static bool set_unroll(struct options *options, const char *value) {
    return set_number(&options->unroll, value, 1) && options->unroll <= UINT32_MAX / 2;
}

static bool set_runs(struct options *options, const char *value) {
    return set_number(&options->runs, value, 1);
}

static bool set_seed(struct options *options, const char *value) {
    return set_number(&options->seed, value, 0);
}

static bool set_steps(struct options *options, const char *value) {
    return set_number(&options->steps, value, 1);
}

static bool set_memory(struct options *options, const char *value) {
    return set_number(&options->memory_mb, value, 1);
}

static bool set_jobs(struct options *options, const char *value) {
    return set_number(&options->jobs, value, 1) && options->jobs <= 256;
}

static bool set_timeout(struct options *options, const char *value) {
    char *end;
    options->timeout = strtod(value, &end);
    return end != value && *end == '\0' && options->timeout > 0 && options->timeout < 1e9;
}

static bool set_scheduler(struct options *options, const char *value) {
    static const char *const names[] = {"both", "uniform", "pct"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            options->scheduler = (enum scheduler)i;
            return true;
        }
    }
    return false;
}

static bool set_collect(struct options *options, const char *value) {
    static const char *const names[] = {"nothing", "states", "traces"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            options->collect = (enum collect)i;
            return true;
        }
    }
    return false;
}

static bool set_dpor(struct options *options, const char *value) {
    options->dpor = strcmp(value, "source") == 0 ? DPOR_SOURCE : DPOR_OPTIMAL;
    return options->dpor == DPOR_SOURCE || strcmp(value, "optimal") == 0;
}

static bool set_rounds(struct options *options, const char *value) {
    uint64_t bound;
    bool good = set_number(&bound, value, 1) && bound <= UINT32_MAX / 2;
    options->restriction = (struct restriction){RESTRICTION_ROUNDS, (uint32_t)bound};
    return good;
}

static bool set_age(struct options *options, const char *value) {
    uint64_t bound;
    bool good = set_number(&bound, value, 0) && bound <= BOUND_MOST;
    options->restriction = (struct restriction){RESTRICTION_AGE, (uint32_t)bound};
    return good;
}

static bool set_copies(struct options *options, const char *value) {
    return set_number(&options->copies, value, 1) && options->copies <= MAX_COPIES;
}

static bool set_format(struct options *options, const char *value) {
    bool json = strcmp(value, "json") == 0;
    options->format = json ? FORMAT_JSON : FORMAT_TEXT;
    return json || strcmp(value, "text") == 0;
}

static bool set_check(struct options *options, const char *value) {
    while (*value) {
        size_t length = strcspn(value, ",");
        if (length == 5 && strncmp(value, "leaks", length) == 0) {
            options->check_leaks = true;
        } else if (length == 6 && strncmp(value, "uninit", length) == 0) {
            options->check_uninit = true;
        } else if (length == 5 && strncmp(value, "stale", length) == 0) {
            options->check_stale = true;
        } else if (length == 8 && strncmp(value, "liveness", length) == 0) {
            options->check_liveness = true;
        } else if (length == 5 && strncmp(value, "races", length) == 0) {
            options->check_races = true;
        } else {
            return false;
        }
        value += length + (value[length] == ',');
    }
    return true;
}

static bool set_witness(struct options *options, const char *value) {
    options->witness = value;
    return *value != '\0';
}

static bool set_save(struct options *options, const char *value) {
    options->save = value;
    return *value != '\0';
}

static bool set_output(struct options *options, const char *value) {
    options->output = value;
    return *value != '\0';
}

static bool set_dialect(struct options *options, const char *value) {
    for (int i = 0; i < DIALECT_COUNT; i++) {
        if (strcmp(value, dialect_names[i]) == 0) {
            options->dialect = (enum dialect)i;
            return true;
        }
    }
    return false;
}

static bool set_sequential(struct options *options, const char *value) {
    (void)value;
    return options->sequential = true;
}

static bool set_abstraction(struct options *options, const char *value) {
    for (int i = 0; i < ABSTRACTION_COUNT; i++) {
        if (strcmp(value, abstraction_names[i]) == 0) {
            options->abstraction = (enum abstraction)i;
            return true;
        }
    }
    return false;
}

static bool set_clock(struct options *options, const char *value) {
    return set_number(&options->clock, value, 1) && options->clock <= SEQUENTIAL_MOST;
}

static bool set_queue(struct options *options, const char *value) {
    return set_number(&options->queue, value, 1) && options->queue <= SEQUENTIAL_MOST;
}

static bool set_goal(struct options *options, const char *value) {
    for (int i = 0; i < GOAL_COUNT; i++) {
        if (strcmp(value, goal_names[i]) == 0) {
            options->goal = (enum fence_goal)i;
            return true;
        }
    }
    return false;
}

static bool set_cost(struct options *options, const char *value) {
    (void)value;
    return options->weigh_loops = true;
}

static bool set_thread_depth(struct options *options, const char *value) {
    return set_number(&options->thread_depth, value, 1) && options->thread_depth <= MAX_DEPTH;
}

static bool set_spurious(struct options *options, const char *value) {
    (void)value;
    return options->spurious = true;
}

static bool set_malloc_fail(struct options *options, const char *value) {
    (void)value;
    return options->malloc_fail = true;
}

static bool set_quiet(struct options *options, const char *value) {
    (void)value;
    return options->quiet = true;
}

static bool set_shortest(struct options *options, const char *value) {
    (void)value;
    return options->shortest = true;
}

static bool set_progress(struct options *options, const char *value) {
    (void)value;
    return options->progress = true;
}

static bool set_explain(struct options *options, const char *value) {
    (void)value;
    return options->explain = true;
}

static bool set_smt(struct options *options, const char *value) {
    options->smt = value;
    return *value != '\0';
}

static bool set_help(struct options *options, const char *value) {
    (void)value;
    return options->help = true;
}

static const struct option {
    const char *name;
    const char *argument; /* NULL: it takes none */
    const char *help;
    unsigned commands;
    bool (*set)(struct options *options, const char *value);
} table[] = {
    {"--model", "sc|tso|pso", "the memory model (default tso)",
     SEARCHES | COMMAND_RUN | COMMAND_LITMUS | COMMAND_TRANSLATE | COMMAND_PROVE, set_model},
    {"--engine", "auto|explore|lazy|reach|rounds|age|seq|brute|random",
     "how to search (default auto); robust: auto, explore or oracle; litmus: explore, seq or brute",
     COMMAND_CHECK | COMMAND_ROBUST | COMMAND_LITMUS, set_engine},
    {"--for", "robustness|safety|trf",
     "what the fences are for: no behaviour but SC's (the default), no error, no race", COMMAND_FENCE, set_goal},
    {"--cost", NULL, "a fence costs ten times as much for every loop around it", COMMAND_FENCE, set_cost},
    {"--lang", "c|aut|litmus", "what the files are (default: as their names end)", ALL_INPUT, set_language},
    {"--threads", "1..9", "threads of each picket_any_number (default 2)",
     SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_TRANSLATE, set_threads},
    {"--unroll", "N", "cut executions that go round a loop more than N times",
     SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_LITMUS | COMMAND_TRANSLATE, set_unroll},
    {"--check", "races,leaks,uninit,stale,liveness", "look for these errors too",
     COMMAND_CHECK | COMMAND_RUN | COMMAND_FENCE, set_check},
    {"--thread-depth", "N", "threads create threads at most N deep (default 1000)", SEARCHES | COMMAND_RUN,
     set_thread_depth},
    {"--spurious", NULL, "condition variables may wake without a signal", SEARCHES | COMMAND_RUN, set_spurious},
    {"--malloc-fail", NULL, "malloc may return NULL", SEARCHES | COMMAND_RUN, set_malloc_fail},
    {"--runs", "N", "random: number of runs (default 1000)", COMMAND_CHECK, set_runs},
    {"--seed", "S", "random: where its choices start (default 1)", COMMAND_CHECK | COMMAND_RUN, set_seed},
    {"--steps", "N", "random: steps of one run (default 100000)", COMMAND_CHECK, set_steps},
    {"--scheduler", "both|uniform|pct", "random: how to choose (default both)", COMMAND_CHECK, set_scheduler},
    {"--collect", "states|traces", "brute, lazy, reach: print final shared states; brute: count Shasha-Snir traces",
     COMMAND_CHECK, set_collect},
    {"-j", "N", "explore, reach, robust, fence: search with N threads; litmus: N files at a time (default 1)",
     SEARCHES | COMMAND_LITMUS, set_jobs},
    {"--shortest", NULL, "reach: find a shortest execution", COMMAND_CHECK, set_shortest},
    {"--sequential", NULL, "translate: to a program without threads", COMMAND_TRANSLATE, set_sequential},
    {"--abstraction", "sc|tso|etso|pso|epso", "sequential: what memory is (default sc, etso, epso, by model)",
     COMMAND_TRANSLATE, set_abstraction},
    {"--clock", "K", "sequential: writes reach memory at times below K (default 3)", COMMAND_TRANSLATE, set_clock},
    {"--queue", "N", "sequential: lists of N nodes, queues of N entries (default 3)", COMMAND_TRANSLATE, set_queue},
    {"--rounds", "K", "rounds, seq, brute, translate: at most K rounds per thread", COMMAND_CHECK | COMMAND_TRANSLATE,
     set_rounds},
    {"--age", "K", "age, brute, translate: stores drain at most K rounds of their thread later",
     COMMAND_CHECK | COMMAND_TRANSLATE, set_age},
    {"--copies", "N", "rounds, age, translate: words with pending stores per thread (default 64)",
     COMMAND_CHECK | COMMAND_TRANSLATE, set_copies},
    {"--dpor", "optimal|source", "explore: how to reduce (default optimal)", COMMAND_CHECK, set_dpor},
    {"--timeout", "SECONDS", "stop after this time", SEARCHES | COMMAND_RUN | COMMAND_LITMUS | COMMAND_PROVE,
     set_timeout},
    {"--memory", "MB", "stop when this much memory is in use", SEARCHES | COMMAND_LITMUS | COMMAND_PROVE, set_memory},
    {"--format", "text|json", "the form of the report (default text)", SEARCHES | COMMAND_PROVE, set_format},
    {"--witness", "FILE", "where to save a witness (default picket-witness.json)", COMMAND_CHECK | COMMAND_PROVE,
     set_witness},
    {"--explain", NULL, "say why each store is atomic", COMMAND_PROVE, set_explain},
    {"--smt", "DIR", "write every question that was answered with no as an SMT-LIB file", COMMAND_PROVE, set_smt},
    {"--save", "FILE", "save the program in Picket's own form", COMMAND_SHOW, set_save},
    {"--dialect", "svcomp|cbmc|picket", "whose words the C is written in (default svcomp)", COMMAND_TRANSLATE,
     set_dialect},
    {"-o", "FILE", "where to write (default standard output)", COMMAND_TRANSLATE, set_output},
    {"--quiet", NULL, "print the verdict, not the execution; fence: not the patch", SEARCHES | COMMAND_PROVE,
     set_quiet},
    {"--progress", NULL, "show progress even if stderr is not a terminal", SEARCHES | COMMAND_PROVE, set_progress},
    {"--help", NULL, "print this", ALL_INPUT | COMMAND_REPLAY | COMMAND_LITMUS, set_help},
};

void options_init(struct options *options) {
    *options = (struct options){
        .model = MODEL_TSO,
        .engine = engines[0],
        .engine_name = "auto",
        .automatic = true,
        .runs = 1000,
        .seed = 1,
        .steps = 100000,
        .jobs = 1,
        .witness = "picket-witness.json",
        .abstraction = ABSTRACTION_COUNT,
    };
    vector_init(&options->files, sizeof(char *));
    vector_init(&options->clang_args, sizeof(char *));
}

const struct engine *options_engine(const struct options *options, const struct task *task) {
    for (size_t i = 0; options->automatic && i < sizeof engines / sizeof *engines; i++) {
        if (!engines[i]->refuses || !engines[i]->refuses(task)) {
            return engines[i];
        }
    }
    return options->engine;
}

void options_delete(struct options *options) {
    vector_delete(&options->files);
    vector_delete(&options->clang_args);
}

void options_print_help(unsigned command_bit) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].commands & command_bit) {
            char left[96];
            snprintf(left, sizeof left, "%s%s%s", table[i].name, table[i].argument ? " " : "",
                     table[i].argument ? table[i].argument : "");
            printf("  %-32s %s\n", left, table[i].help);
        }
    }
    if (command_bit & ALL_INPUT) {
        printf("  %-32s %s\n", "-I, -D, -U, -std=, -include", "go to clang, as does everything behind --");
    }
}

/* Arguments for clang that are understood without `--`. */
static bool is_clang_argument(const char *argument, bool *takes_next) {
    static const struct {
        const char *prefix;
        bool takes_value; /* which may stand apart */
    } known[] = {{"-I", true},     {"-D", true},  {"-U", true},  {"-isystem", true}, {"-include", true},
                 {"-std=", false}, {"-f", false}, {"-m", false}, {"-W", false},      {"-w", false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].prefix);
        if (strncmp(argument, known[i].prefix, length) == 0) {
            *takes_next = known[i].takes_value && argument[length] == '\0';
            return true;
        }
    }
    return false;
}

static const struct option *find_option(const char *argument, size_t length) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) == length && strncmp(table[i].name, argument, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* Handles one `--option`; *index moves on if its value is the next argument. */
static bool parse_option(struct options *options, const char *command, unsigned command_bit, int count,
                         char **arguments, int *index) {
    const char *argument = arguments[*index];
    size_t length = strcspn(argument, "=");
    const struct option *option = find_option(argument, length);
    if (!option || !(option->commands & command_bit)) {
        fprintf(stderr, "picket %s: unknown option %s (picket %s --help lists them)\n", command, argument, command);
        return false;
    }
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    if (option->argument && !value) {
        if (*index + 1 >= count) {
            fprintf(stderr, "picket %s: %s needs a value: %s\n", command, option->name, option->argument);
            return false;
        }
        value = arguments[++*index];
    }
    if ((!option->argument && value) || !option->set(options, value)) {
        fprintf(stderr, "picket %s: bad value for %s: '%s' (expected %s)\n", command, option->name, value ? value : "",
                option->argument ? option->argument : "none");
        return false;
    }
    return true;
}

bool options_parse(struct options *options, const char *command, unsigned command_bit, int count, char **arguments) {
    bool for_clang = false;
    for (int i = 0; i < count; i++) {
        bool takes_next = false;
        if (for_clang || is_clang_argument(arguments[i], &takes_next)) {
            vector_push(&options->clang_args, &arguments[i]);
            if (takes_next && i + 1 < count) {
                vector_push(&options->clang_args, &arguments[++i]);
            }
        } else if (strcmp(arguments[i], "--") == 0) {
            for_clang = true;
        } else if (arguments[i][0] == '-' && arguments[i][1] != '\0') {
            if (!parse_option(options, command, command_bit, count, arguments, &i)) {
                return false;
            }
        } else {
            vector_push(&options->files, &arguments[i]);
        }
    }
    if (options->files.count == 0 && !options->help) {
        fprintf(stderr, "picket %s: no file given (picket %s --help)\n", command, command);
        return false;
    }
    return true;
}
