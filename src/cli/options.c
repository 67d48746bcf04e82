/* The option table and the parser that interprets it. */
#include "cli/options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound/bound.h"
#include "cli/commands.h"
#include "cli/compiler_arguments.h"
#include "cli/suggestion.h"
#include "engine/brute.h"
#include "engine/checks.h"
#include "engine/switches.h"
#include "reach/lazy.h"

#define DEFAULT_TIMEOUT 60 /* seconds of a question that is put to all engines */
#define HELP_COLUMN 32
#define HELP_WIDTH 100
#define MAX_DEPTH 16000
#define MAX_COPIES 512 /* the tables of a thread stay below its private memory */
#define SEARCHES (COMMAND_CHECK | COMMAND_ROBUST | COMMAND_FENCE)
#define ALL_INPUT (SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_TRANSLATE | COMMAND_PROVE)

/* `auto` is the first, the strongest there is. */
static const struct engine *const engines[] = {&engine_explore, &engine_lazy,     &engine_reach,
                                               &engine_rounds,  &engine_age,      &engine_seq,
                                               &engine_brute,   &engine_switches, &engine_random};

/* How an option's value is read, and which member of struct options it sets. */
enum option_kind {
    OPTION_FLAG,   /* no value */
    OPTION_NUMBER, /* from `least` to `most` */
    OPTION_TEXT,   /* not empty */
    OPTION_NAME,   /* one of `names`: its index */
    OPTION_OTHER,  /* `set` reads it */
};

struct option_value {
    enum option_kind kind;
    size_t at;
    size_t size;
    uint64_t least;
    uint64_t most;
    const char *const *names;
    size_t names_count;
    bool (*set)(struct options *options, const char *value);
};

#define MEMBER(member) .at = offsetof(struct options, member), .size = sizeof(((struct options *)NULL)->member)
#define FLAG(member) {.kind = OPTION_FLAG, MEMBER(member)}
#define NUMBER(member, first, last) {.kind = OPTION_NUMBER, MEMBER(member), .least = (first), .most = (last)}
#define TEXT(member) {.kind = OPTION_TEXT, MEMBER(member)}
#define NAME(member, list)                                                                                             \
    {.kind = OPTION_NAME, MEMBER(member), .names = (list), .names_count = sizeof(list) / sizeof *(list)}
#define OTHER(function) {.kind = OPTION_OTHER, .set = (function)}

static bool read_number(uint64_t *number, const char *value, uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    *number = strtoull(value, &end, 10);
    return isdigit((unsigned char)*value) && *end == '\0' && errno == 0 && *number >= least && *number <= most;
}

static bool read_name(unsigned *index, const char *value, const char *const *names, size_t count) {
    for (*index = 0; *index < count; ++*index) {
        if (strcmp(value, names[*index]) == 0) {
            return true;
        }
    }
    return false;
}

static bool set_value(struct options *options, const struct option_value *to, const char *value) {
    char *member = (char *)options + to->at;
    uint64_t number;
    unsigned index;
    assert((value || to->kind == OPTION_FLAG || to->kind == OPTION_OTHER) && "an option that needs a value has one");
    switch (to->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return true;
    case OPTION_NUMBER:
        if (!read_number(&number, value, to->least, to->most)) {
            return false;
        }
        memcpy(member, to->size == sizeof number ? (void *)&number : &(uint32_t){(uint32_t)number}, to->size);
        return true;
    case OPTION_TEXT:
        *(const char **)member = value;
        return *value != '\0';
    case OPTION_NAME:
        if (!read_name(&index, value, to->names, to->names_count)) {
            return false;
        }
        memcpy(member, &index, sizeof index);
        return true;
    default:
        return to->set(options, value);
    }
}

static const char *const scheduler_names[] = {"both", "uniform", "pct"};
static const char *const collect_names[] = {"nothing", "states", "traces"};
static const char *const dpor_names[] = {[DPOR_OPTIMAL] = "optimal", [DPOR_SOURCE] = "source"};
static const char *const format_names[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_GITHUB] = "github"};
static const char *const color_names[] = {[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};

static bool set_model(struct options *options, const char *value) {
    static const struct option_value model = NAME(model, model_names);
    return options->model_given = set_value(options, &model, value);
}

static bool set_engine(struct options *options, const char *value) {
    options->engine_name = value;
    options->automatic = strcmp(value, "auto") == 0;
    if (options->automatic) {
        options->engine = engines[0];
        return true;
    }
    if (strcmp(value, "oracle") == 0 || strcmp(value, "prove") == 0) {
        options->engine = NULL; /* they answer `robust` only */
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

/* Passed with the arguments for clang, so that a witness has it too. */
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

/* Passed with the arguments for clang, so that a witness has it too. */
static bool set_threads(struct options *options, const char *value) {
    static const char *const arguments[] = {"-DPICKET_THREADS=1", "-DPICKET_THREADS=2", "-DPICKET_THREADS=3",
                                            "-DPICKET_THREADS=4", "-DPICKET_THREADS=5", "-DPICKET_THREADS=6",
                                            "-DPICKET_THREADS=7", "-DPICKET_THREADS=8", "-DPICKET_THREADS=9"};
    uint64_t number;
    if (!read_number(&number, value, 1, sizeof arguments / sizeof *arguments)) {
        return false;
    }
    vector_push(&options->clang_args, &arguments[number - 1]);
    return true;
}

static bool set_timeout(struct options *options, const char *value) {
    char *end;
    options->no_timeout = strcmp(value, "none") == 0;
    if (options->no_timeout) {
        options->timeout = 0;
        return true;
    }
    options->timeout = strtod(value, &end);
    return end != value && *end == '\0' && options->timeout > 0 && options->timeout < 1e9;
}

static bool set_restriction(struct options *options, enum restriction_kind kind, const char *value, uint64_t least,
                            uint64_t most) {
    uint64_t bound;
    bool good = read_number(&bound, value, least, most);
    options->restriction = (struct restriction){kind, (uint32_t)bound};
    return good;
}

static bool set_rounds(struct options *options, const char *value) {
    return set_restriction(options, RESTRICTION_ROUNDS, value, 1, UINT32_MAX / 2);
}

static bool set_age(struct options *options, const char *value) {
    return set_restriction(options, RESTRICTION_AGE, value, 0, BOUND_MOST);
}

static bool set_switches(struct options *options, const char *value) {
    return set_restriction(options, RESTRICTION_SWITCHES, value, 0, UINT32_MAX / 2);
}

static bool set_format(struct options *options, const char *value) {
    static const struct option_value format = NAME(format, format_names);
    return set_value(options, &format, value) &&
           (options->format != FORMAT_GITHUB || strcmp(options->command, "check") == 0);
}

static bool set_check(struct options *options, const char *value) {
    static const char *const no_misuse = "-DPICKET_NO_MISUSE"; /* Picket's C library looks for misuse */
    while (*value) {
        size_t length = strcspn(value, ",");
        bool off = strncmp(value, "no-", 3) == 0;
        const struct check *check = check_named(off ? value + 3 : value, off ? length - 3 : length);
        if (!check || check->by_default == CHECK_ALWAYS || (off && check->by_default == CHECK_ON_REQUEST)) {
            return false;
        }
        options->checks |= check->bit;
        if (off) {
            vector_push(&options->clang_args, &no_misuse);
        }
        value += length + (value[length] == ',');
    }
    return true;
}

/* The names for --check, separated by commas; "no-" before those that are checked by default. */
static const char *check_names(char *text, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < CHECK_KINDS && used < size; i++) {
        const struct check *check = &check_table[i];
        if (check->by_default != CHECK_ALWAYS) {
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", i > 0 ? "," : "",
                                     check->by_default == CHECK_BY_DEFAULT ? "no-" : "", check->name);
        }
    }
    return text;
}

/* The front end puts it into the program, so that witnesses have it too. */
static bool set_weak_fail(struct options *options, const char *value) {
    static const char *const argument = "-DPICKET_WEAK_FAIL";
    (void)value;
    vector_push(&options->clang_args, &argument);
    return true;
}

static bool set_no_explain(struct options *options, const char *value) {
    (void)value;
    return options->no_explain = options->no_shrink = true;
}

static bool set_progress(struct options *options, const char *value) {
    options->progress = value ? PROGRESS_JSON : PROGRESS_TEXT;
    return !value || strcmp(value, "json") == 0;
}

#define HEADING(text) {.help = (text)} /* of the rows up to the next one */
#define CHECK_NAMES "?"                /* as the table of checks has them */

static const struct option {
    const char *name;     /* NULL: a heading */
    const char *argument; /* NULL: it takes none; in brackets: it may have one, after "=" */
    const char *help;
    unsigned commands;
    struct option_value value;
} table[] = {
    HEADING("The question"),
    {"--model", "sc|tso|pso", "the memory model (default tso)",
     SEARCHES | COMMAND_RUN | COMMAND_LITMUS | COMMAND_TRANSLATE | COMMAND_PROVE, OTHER(set_model)},
    {"--check", CHECK_NAMES,
     "check for these errors too (claims: of picket.h, under SC); not for the misuse of locks, threads and memcpy",
     COMMAND_CHECK | COMMAND_RUN | COMMAND_FENCE, OTHER(set_check)},
    {"--for", "robustness|safety|trf",
     "what the fences are for: no behaviour but SC's (the default), no error, no race", COMMAND_FENCE,
     NAME(goal, goal_names)},
    {"--cost", NULL, "each loop around a fence multiplies its cost by ten", COMMAND_FENCE, FLAG(weigh_loops)},
    {"--lang", "c|aut|litmus", "what the files are (default: as their names end)", ALL_INPUT, OTHER(set_language)},
    {"--threads", "1..9", "threads of each picket_any_number (default 2)",
     SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_TRANSLATE, OTHER(set_threads)},
    HEADING("What bounds the answer, and what it assumes"),
    {"--unroll", "N", "cut executions in which a loop iterates more than N times",
     SEARCHES | COMMAND_RUN | COMMAND_SHOW | COMMAND_LITMUS | COMMAND_TRANSLATE, NUMBER(unroll, 1, UINT32_MAX / 2)},
    {"--recursion", "N", "lazy, seq: functions call themselves at most N deep (default 128 and 512)", COMMAND_CHECK,
     NUMBER(recursion, 1, MAX_DEPTH)},
    {"--thread-depth", "N", "threads create threads at most N deep (default 1000)", SEARCHES | COMMAND_RUN,
     NUMBER(thread_depth, 1, MAX_DEPTH)},
    {"--spurious", NULL, "condition variables may wake without a signal", SEARCHES | COMMAND_RUN, FLAG(spurious)},
    {"--weak-fail", NULL, "weak compare-and-swaps may fail for no reason", SEARCHES | COMMAND_RUN | COMMAND_SHOW,
     OTHER(set_weak_fail)},
    {"--malloc-fail", NULL, "malloc may return NULL", SEARCHES | COMMAND_RUN, FLAG(malloc_fail)},
    {"--timeout", "SECONDS|none", "stop after this time (check --engine auto: default 60)",
     SEARCHES | COMMAND_RUN | COMMAND_LITMUS | COMMAND_PROVE, OTHER(set_timeout)},
    {"--memory", "MB", "stop when this much memory is in use (default three quarters of what there is)",
     SEARCHES | COMMAND_LITMUS | COMMAND_PROVE, NUMBER(memory_mb, 1, UINT64_MAX)},
    {"--strict", NULL, "a proof within bounds, or under an assumption, is exit code 3", COMMAND_CHECK, FLAG(strict)},
    HEADING("The report"),
    {"--quiet", NULL, "print the verdict, not the execution; fence: not the patch", SEARCHES | COMMAND_PROVE,
     FLAG(quiet)},
    {"--full", NULL, "show every step of an execution, and every store buffer", COMMAND_CHECK | COMMAND_REPLAY,
     FLAG(full)},
    {"--explain", NULL, "say why each store is atomic", COMMAND_PROVE, FLAG(explain)},
    {"--shortest", NULL, "search for a shortest execution of a violation however long that takes", COMMAND_CHECK,
     FLAG(reach.shortest)},
    {"--no-shrink", NULL, "show a violation as it was found", COMMAND_CHECK, FLAG(no_shrink)},
    {"--no-explain", NULL, "likewise, and search for no cause, and for no fences that help", COMMAND_CHECK,
     OTHER(set_no_explain)},
    {"--format", "text|json|github", "the form of the report (default text; github: check only)",
     SEARCHES | COMMAND_PROVE, OTHER(set_format)},
    {"--json", "FILE", "write the report as JSON to a file, too", COMMAND_CHECK, TEXT(json_file)},
    {"--sarif", "FILE", "write the report as SARIF 2.1.0 to a file, too", COMMAND_CHECK, TEXT(sarif_file)},
    {"--witness", "FILE", "where to save a witness (default picket-witness.json)", COMMAND_CHECK | COMMAND_PROVE,
     TEXT(witness)},
    {"--smt", "DIR", "write every question that was answered with no as an SMT-LIB file", COMMAND_PROVE, TEXT(smt)},
    {"--emit", "FILE", "write the program with its read abstractions as C", COMMAND_PROVE, TEXT(emit)},
    {"--color", "auto|always|never", "colours; auto (default): on a terminal, unless NO_COLOR is set",
     COMMAND_CHECK | COMMAND_REPLAY, NAME(color, color_names)},
    {"--progress", "[=json]", "show progress every 10 s also if stderr is no terminal; as JSON objects",
     SEARCHES | COMMAND_PROVE, OTHER(set_progress)},
    {"--verbose", NULL, "auto: show when engines begin and end, and how much each has used", COMMAND_CHECK,
     FLAG(verbose)},
    {"--help", NULL, "print this", ALL_INPUT | COMMAND_REPLAY | COMMAND_LITMUS, FLAG(help)},
    HEADING("The program that is written"),
    {"-o", "FILE", "where to write (default standard output)", COMMAND_TRANSLATE, TEXT(output)},
    {"--dialect", "svcomp|cbmc|picket", "whose words the C is written in (default svcomp)", COMMAND_TRANSLATE,
     NAME(dialect, dialect_names)},
    {"--save", "FILE", "save the program in Picket's own form", COMMAND_SHOW, TEXT(save)},
    {"--sequential", NULL, "translate: to a program without threads", COMMAND_TRANSLATE, FLAG(sequential)},
    {"--abstraction", "sc|tso|etso|pso|epso", "sequential: what memory is (default sc, etso, epso, by model)",
     COMMAND_TRANSLATE, NAME(abstraction, abstraction_names)},
    {"--clock", "K", "sequential: writes reach memory at times below K (default 3)", COMMAND_TRANSLATE,
     NUMBER(clock, 1, SEQUENTIAL_MOST)},
    {"--queue", "N", "sequential: lists of N nodes, queues of N entries (default 3)", COMMAND_TRANSLATE,
     NUMBER(queue, 1, SEQUENTIAL_MOST)},
    HEADING("The search"),
    {"--engine", "auto|explore|lazy|reach|rounds|age|seq|brute|switches|random",
     "how to search (default auto); robust: auto, explore, oracle or prove; litmus: explore, seq or brute",
     COMMAND_CHECK | COMMAND_ROBUST | COMMAND_LITMUS, OTHER(set_engine)},
    {"-j", "N", "search with N threads (default: auto the cores, at most 4; others 1); litmus: N files at a time",
     SEARCHES | COMMAND_LITMUS, NUMBER(jobs, 1, 256)},
    {"--cross-check", NULL, "auto: let all engines finish; they must agree", COMMAND_CHECK, FLAG(cross_check)},
    {"--collect", "states|traces", "brute, lazy, reach: print final shared states; brute: count Shasha-Snir traces",
     COMMAND_CHECK, NAME(collect, collect_names)},
    {"--dpor", "optimal|source", "explore: how to reduce (default optimal)", COMMAND_CHECK,
     NAME(explore.dpor, dpor_names)},
    {"--rounds", "K", "rounds, seq, brute, translate: at most K rounds per thread", COMMAND_CHECK | COMMAND_TRANSLATE,
     OTHER(set_rounds)},
    {"--age", "K", "age, brute, translate: stores drain at most K rounds of their thread later",
     COMMAND_CHECK | COMMAND_TRANSLATE, OTHER(set_age)},
    {"--copies", "N", "rounds, age, translate: words with pending stores per thread (default 64)",
     COMMAND_CHECK | COMMAND_TRANSLATE, NUMBER(bounded.copies, 1, MAX_COPIES)},
    {"--switches", "N", "switches, brute: at most N context switches", COMMAND_CHECK, OTHER(set_switches)},
    {"--runs", "N", "random: number of runs (default 1000)", COMMAND_CHECK, NUMBER(random.runs, 1, UINT64_MAX)},
    {"--seed", "S", "random: where its choices start (default 1)", COMMAND_CHECK | COMMAND_RUN,
     NUMBER(random.seed, 0, UINT64_MAX)},
    {"--steps", "N", "random: steps of one run (default 100000)", COMMAND_CHECK, NUMBER(random.steps, 1, UINT64_MAX)},
    {"--scheduler", "both|uniform|pct", "random: how to choose (default both)", COMMAND_CHECK,
     NAME(random.scheduler, scheduler_names)},
    HEADING("The witness"),
    {"--trust", NULL, "hand to the compiler whatever the witness says", COMMAND_REPLAY, FLAG(trust)},
};

void options_init(struct options *options) {
    *options = (struct options){
        .model = MODEL_TSO,
        .engine = engines[0],
        .engine_name = "auto",
        .automatic = true,
        .memory_mb = limits_default_memory(),
        .witness = "picket-witness.json",
        .abstraction = ABSTRACTION_COUNT,
    };
    vector_init(&options->files, sizeof(char *));
    vector_init(&options->clang_args, sizeof(char *));
    struct task task = {.options = NULL};
    options->random = *random_options(&task);
    task_give(&task, &engine_explore, &options->explore.common);
    task_give(&task, &engine_random, &options->random.common);
    task_give(&task, &engine_reach, &options->reach.common);
    task_give(&task, &engine_seq, &options->seq.common);
    task_give(&task, &engine_rounds, &options->bounded.common);
    options->engines = task.options;
}

void options_delete(struct options *options) {
    vector_delete(&options->files);
    vector_delete(&options->clang_args);
}

/* The option's argument as users read it; NULL: it takes none. */
static const char *argument_text(const struct option *option, char *text, size_t size) {
    return option->value.set == set_check ? check_names(text, size) : option->argument;
}

/* What the option does, in lines to the right of its name. */
static void print_beside(const char *left, const char *help) {
    int used = printf("  %-*s", HELP_COLUMN - 2, left);
    if (used > HELP_COLUMN) {
        printf("\n%*s", HELP_COLUMN, "");
    }
    size_t column = HELP_COLUMN;
    while (*help) {
        size_t word = strcspn(help, " ");
        if (column + 1 + word > HELP_WIDTH) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        printf(" %.*s", (int)word, help);
        column += 1 + word;
        help += word + strspn(help + word, " ");
    }
    putchar('\n');
}

void options_print_help(unsigned command_bit) {
    const char *heading = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!table[i].name) {
            heading = table[i].help;
        } else if (table[i].commands & command_bit) {
            char left[96];
            char names[80];
            const char *argument = argument_text(&table[i], names, sizeof names);
            bool apart = argument && argument[0] != '[';
            snprintf(left, sizeof left, "%s%s%s", table[i].name, apart ? " " : "", argument ? argument : "");
            if (heading) {
                printf("%s:\n", heading);
                heading = NULL;
            }
            print_beside(left, table[i].help);
        }
    }
    if (command_bit & ALL_INPUT) {
        puts("The compiler:");
        print_beside("-I, -D, -U, -std=, -include", "go to clang, as does everything after --");
    }
}

static const struct option *find_option(const char *argument, size_t length) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].name && strlen(table[i].name) == length && strncmp(table[i].name, argument, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static void refuse_option(struct options *options, unsigned command_bit, const char *argument, size_t length) {
    struct suggestion meant;
    suggestion_init(&meant, argument, length);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].commands & command_bit) {
            suggestion_try(&meant, table[i].name);
        }
    }
    if (find_option(argument, length)) {
        command_refuse(options, "picket %s has no option %.*s (picket %s --help lists its options)", options->command,
                       (int)length, argument, options->command);
    } else if (meant.nearest) {
        command_refuse(options, "unknown option %s: is %s meant? (picket %s --help lists all)", argument, meant.nearest,
                       options->command);
    } else {
        command_refuse(options, "unknown option %s (picket %s --help lists them)", argument, options->command);
    }
}

/* Handles one `--option`; *index moves on if its value is the next argument. */
static bool parse_option(struct options *options, unsigned command_bit, int count, char **arguments, int *index) {
    const char *argument = strcmp(arguments[*index], "-h") == 0 ? "--help" : arguments[*index];
    size_t length = strcspn(argument, "=");
    const struct option *option = find_option(argument, length);
    if (!option || !(option->commands & command_bit)) {
        refuse_option(options, command_bit, argument, length);
        return false;
    }
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    char names[80];
    const char *expected = argument_text(option, names, sizeof names);
    bool may_lack = option->argument && option->argument[0] == '[';
    if (option->argument && !value && !may_lack) {
        if (*index + 1 >= count) {
            command_refuse(options, "%s needs a value: %s", option->name, expected);
            return false;
        }
        value = arguments[++*index];
    }
    if ((!option->argument && value) || !set_value(options, &option->value, value)) {
        command_refuse(options, "bad value for %s: '%s' (expected %s)", option->name, value ? value : "",
                       expected ? expected : "none");
        return false;
    }
    return true;
}

/* Does the command line request JSON?  An error before that option is reported in JSON too. */
static bool wants_json(unsigned command_bit, int count, char **arguments) {
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--format=json") == 0 ||
            (strcmp(arguments[i], "--format") == 0 && i + 1 < count && strcmp(arguments[i + 1], "json") == 0)) {
            return find_option("--format", strlen("--format"))->commands & command_bit;
        }
    }
    return false;
}

bool options_parse(struct options *options, unsigned command_bit, int count, char **arguments) {
    bool for_clang = false;
    options->format = wants_json(command_bit, count, arguments) ? FORMAT_JSON : FORMAT_TEXT;
    for (int i = 0; i < count; i++) {
        bool takes_next = false;
        if (for_clang || is_compiler_argument(arguments[i], &takes_next)) {
            vector_push(&options->clang_args, &arguments[i]);
            if (takes_next && i + 1 < count) {
                vector_push(&options->clang_args, &arguments[++i]);
            }
        } else if (strcmp(arguments[i], "--") == 0) {
            for_clang = true;
        } else if (arguments[i][0] == '-' && arguments[i][1] != '\0') {
            if (!parse_option(options, command_bit, count, arguments, &i)) {
                return false;
            }
        } else {
            vector_push(&options->files, &arguments[i]);
        }
    }
    if (options->files.count == 0 && !options->help) {
        command_refuse(options, "no file given (picket %s --help)", options->command);
        return false;
    }
    if (command_bit == COMMAND_CHECK && options->automatic && options->timeout == 0 && !options->no_timeout) {
        options->timeout = DEFAULT_TIMEOUT;
    }
    options->seq.iterations = options->unroll;
    if (options->checks & CHECK_FOR_CLAIMS && (command_bit != COMMAND_CHECK || options->model != MODEL_SC)) {
        command_refuse(options, "claims are about SC: picket check --model sc --check claims");
        return false;
    }
    return true;
}

int options_color_terminal(const struct options *options) {
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool wanted = isatty(STDOUT_FILENO) && !(refused && *refused) && !(terminal && strcmp(terminal, "dumb") == 0);
    return options->color == COLOR_ALWAYS || (options->color == COLOR_AUTO && wanted) ? STDOUT_FILENO : 0;
}
