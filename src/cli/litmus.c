/* `picket litmus`: all final states of litmus tests, in herd's output form.
 *
 * Each file is read, explored and reported separately; a bad one is reported on stderr and the others still run.  With
 * several jobs, worker processes take the files in turn (worker w the files w, w + jobs, ...) and send their reports
 * through a pipe, so that the output is in the order of the files. */
#include "front/litmus.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/session.h"
#include "engine/brute.h"
#include "explore/explore.h"
#include "seq/seq.h"
#include "util/exit_code.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/write_file.h"

#define DEFAULT_UNROLL 2 /* as in herd */

/* ---- Final states of one test ---- */

struct final_states {
    const struct litmus_test *test;
    uint64_t *values;         /* of all locations, in the execution at hand */
    uint64_t *key;            /* of the shown ones, likewise */
    struct hash_table *index; /* key -> 1 */
    struct vector states;     /* of uint64_t *: values of all locations, for each different key */
    uint64_t positive;        /* executions in which the condition holds */
    uint64_t negative;
};

static void final_states_init(struct final_states *finals, const struct litmus_test *test) {
    *finals = (struct final_states){.test = test, .index = hash_table_new()};
    finals->values = memory_allocate((test->locations.count + 1) * sizeof *finals->values);
    finals->key = memory_allocate((test->locations.count + 1) * sizeof *finals->key);
    vector_init(&finals->states, sizeof(uint64_t *));
}

static void final_states_delete(struct final_states *finals) {
    for (size_t i = 0; i < finals->states.count; i++) {
        free(*(uint64_t **)vector_at(&finals->states, i));
    }
    vector_delete(&finals->states);
    hash_table_free(finals->index);
    free(finals->values);
    free(finals->key);
}

/* Threads are the first thread's children, so the slot of column c is c + 1. */
static uint64_t location_value(const struct litmus_location *location, const struct machine *machine) {
    uint64_t address = machine_program(machine)->globals[location->global].address;
    uint64_t value[2] = {0, 0};
    if (location->in_register) {
        machine_thread_local(machine, location->thread + 1, location->global, &address);
    }
    machine_peek(machine, address + location->offset, location->width / 8, value);
    return value[0];
}

/* Called for every execution. */
static void final_states_add(void *data, struct machine *machine) {
    struct final_states *finals = data;
    const struct litmus_test *test = finals->test;
    for (size_t i = 0; i < test->locations.count; i++) {
        finals->values[i] = location_value(vector_at(&test->locations, i), machine);
    }
    if (!litmus_holds(test, test->filter, finals->values)) {
        return;
    }
    *(litmus_holds(test, test->condition, finals->values) ? &finals->positive : &finals->negative) += 1;
    for (size_t i = 0; i < test->shown.count; i++) {
        finals->key[i] = finals->values[*(uint32_t *)vector_at(&test->shown, i)];
    }
    bool found;
    hash_table_slot(finals->index, finals->key, test->shown.count * sizeof *finals->key, &found);
    if (!found) {
        size_t size = test->locations.count * sizeof *finals->values;
        uint64_t *copy = memory_allocate(size + 1);
        memcpy(copy, finals->values, size);
        vector_push(&finals->states, &copy);
    }
}

static int compare_states(const void *left, const void *right, void *data) {
    const struct litmus_test *test = data;
    const uint64_t *a = *(uint64_t *const *)left;
    const uint64_t *b = *(uint64_t *const *)right;
    for (size_t i = 0; i < test->shown.count; i++) {
        uint32_t index = *(uint32_t *)vector_at(&test->shown, i);
        const struct litmus_location *location = vector_at(&test->locations, index);
        int64_t x = litmus_signed(location, a[index]);
        int64_t y = litmus_signed(location, b[index]);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* The condition's quantifier, and whether it holds of all executions. */
static const char *const kinds[] = {
    [LITMUS_EXISTS] = "Allowed", [LITMUS_NOT_EXISTS] = "Forbidden", [LITMUS_FORALL] = "Required"};

static bool is_validated(const struct final_states *finals) {
    switch (finals->test->quantifier) {
    case LITMUS_EXISTS:
        return finals->positive > 0;
    case LITMUS_NOT_EXISTS:
        return finals->positive == 0;
    default:
        return finals->negative == 0;
    }
}

static void final_states_print(struct final_states *finals, bool cut, FILE *out) {
    const struct litmus_test *test = finals->test;
    bool inverted = test->quantifier == LITMUS_NOT_EXISTS;
    if (finals->states.count > 1) {
        qsort_r(finals->states.data, finals->states.count, sizeof(uint64_t *), compare_states, (void *)test);
    }
    fprintf(out, "Test %s %s\nStates %zu\n", test->name, kinds[test->quantifier], finals->states.count);
    for (size_t i = 0; i < finals->states.count; i++) {
        litmus_print_state(test, *(uint64_t **)vector_at(&finals->states, i), out);
        fputc('\n', out);
    }
    fprintf(out, "%s%s\nWitnesses\n", cut ? "Loop " : "", is_validated(finals) ? "Ok" : "No");
    fprintf(out, "Positive: %" PRIu64 " Negative: %" PRIu64 "\nCondition ",
            inverted ? finals->negative : finals->positive, inverted ? finals->positive : finals->negative);
    litmus_print_condition(test, out);
    const char *how_often = finals->positive == 0 ? "Never" : finals->negative == 0 ? "Always" : "Sometimes";
    fprintf(out, "\nObservation %s %s %" PRIu64 " %" PRIu64 "\n\n", test->name, how_often, finals->positive,
            finals->negative);
}

/* ---- One file ---- */

static void error_print(const struct litmus_test *test, const struct machine_error *error, const char *file,
                        FILE *err) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    const struct position *position = &test->program.positions[error->pos];
    diagnostics_add(&diagnostics, file, position->line, position->column, "%s: %s", error_names[error->kind],
                    error->message);
    diagnostics_print(&diagnostics, err);
    diagnostics_delete(&diagnostics);
}

static int test_run(struct session *session, struct litmus_test *test, const char *file, FILE *out, FILE *err) {
    struct final_states finals;
    struct verdict verdict;
    const struct options *options = session->options;
    const struct engine *engine = options->automatic ? &engine_explore : options->engine;
    struct seq_options seq = {.iterations = options->unroll ? options->unroll : DEFAULT_UNROLL};
    struct task task = session_task(session);
    task.program = &test->program;
    task.unroll = engine->bounds_loops ? 0 : seq.iterations;
    task.jobs = 1;
    task.final = final_states_add;
    task.final_data = &finals;
    task.collect = engine == &engine_seq || engine == &engine_brute ? COLLECT_STATES : COLLECT_NOTHING;
    task_give(&task, &engine_seq, &seq.common);
    final_states_init(&finals, test);
    verdict_init(&verdict);
    input_prepare(&test->program, task.unroll);
    engine_run(engine, &task, &verdict);
    int code = verdict_exit_code(&verdict);
    if (verdict.word == VERDICT_VIOLATION) {
        error_print(test, &verdict.error, file, err);
        code = EXIT_BAD_INPUT;
    } else if (verdict.word == VERDICT_SAFE) {
        final_states_print(&finals, verdict.cut > 0, out);
    } else {
        fprintf(err, "%s: undecided: %s\n", file, verdict.reason);
    }
    verdict_delete(&verdict);
    final_states_delete(&finals);
    return code;
}

static int file_run(struct session *session, const char *file, FILE *out, FILE *err) {
    struct litmus_test test;
    struct diagnostics diagnostics;
    int code = EXIT_BAD_INPUT;
    if (limits_reached(&session->limits)) { /* while an earlier file was run */
        fprintf(err, "%s: undecided: %s\n", file, limits_reason(&session->limits));
        return EXIT_UNDECIDED;
    }
    diagnostics_init(&diagnostics);
    if (litmus_read(file, &test, &diagnostics)) {
        code = test_run(session, &test, file, out, err);
        litmus_delete(&test);
    }
    diagnostics_print(&diagnostics, err);
    diagnostics_delete(&diagnostics);
    return code;
}

/* ---- All files ---- */

static int compare_entries(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static bool is_litmus_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".litmus") == 0;
}

/* A directory stands for all litmus tests below it, by name; any other file is taken as it is. */
static void files_add(struct vector *files, char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        char *copy = memory_copy_text(path);
        vector_push(files, &copy);
        return;
    }
    char *const roots[] = {path, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
    FTSENT *entry;
    if (tree == NULL) {
        memory_exhausted();
    }
    while ((entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_F && is_litmus_name(entry->fts_name)) {
            char *copy = memory_copy_text(entry->fts_path);
            vector_push(files, &copy);
        }
    }
    if (errno == ENOMEM) {
        memory_exhausted();
    }
    fts_close(tree);
}

/* A defect outweighs a bad file, and that an undecided one. */
static int worse(int a, int b) {
    static const int weights[] = {
        [EXIT_HOLDS] = 0, [EXIT_VIOLATION] = 1, [EXIT_UNDECIDED] = 2, [EXIT_BAD_INPUT] = 3, [EXIT_DEFECT] = 4};
    return weights[a] > weights[b] ? a : b;
}

/* A worker's message for one file: this, then the texts for stdout and stderr. */
struct message {
    int code;
    size_t out_size;
    size_t err_size;
};

/* Processes that run files.  If this one has to stop, it stops them. */
struct worker {
    pid_t process; /* -1: none */
    int from;
};

struct workers {
    struct worker *all;
    size_t count;
    bool told;
};

static void workers_tell(struct workers *workers) {
    if (!*limits_flag() || workers->told) {
        return;
    }
    workers->told = true;
    for (size_t i = 0; i < workers->count; i++) {
        if (workers->all[i].process > 0) {
            kill(workers->all[i].process, SIGTERM);
        }
    }
}

static bool read_all(struct workers *workers, int from, void *bytes, size_t size) {
    for (char *at = bytes; size > 0;) {
        workers_tell(workers);
        ssize_t count = read(from, at, size);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return false;
        }
        at += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Runs every jobs-th file, beginning with this one. */
static void worker_run(const struct options *options, const struct vector *files, size_t first, int to) {
    struct session session;
    limits_watch(WATCH_READING, options->timeout, options->memory_mb, NULL); /* timers are not inherited */
    session_begin_with(&session, options, NULL, 0);
    bool good = true;
    for (size_t i = first; i < files->count && good; i += options->jobs) {
        struct message message = {0};
        char *texts[2] = {NULL, NULL};
        FILE *out = memory_stream(&texts[0], &message.out_size);
        FILE *err = memory_stream(&texts[1], &message.err_size);
        message.code = file_run(&session, *(char **)vector_at(files, i), out, err);
        fclose(out);
        fclose(err);
        good = write_all(to, &message, sizeof message) && write_all(to, texts[0], message.out_size) &&
               write_all(to, texts[1], message.err_size);
        free(texts[0]);
        free(texts[1]);
    }
    _exit(EXIT_HOLDS);
}

/* Copies a worker's report for one file; returns its exit code. */
static int message_copy(struct workers *workers, size_t worker, const char *file) {
    struct message message;
    int from = workers->all[worker].from;
    if (from < 0 || !read_all(workers, from, &message, sizeof message)) {
        fprintf(stderr, "%s: the process that ran it has ended early (a defect in Picket)\n", file);
        return EXIT_DEFECT;
    }
    char *texts = memory_allocate(message.out_size + message.err_size + 1);
    if (!read_all(workers, from, texts, message.out_size + message.err_size)) {
        message.code = EXIT_DEFECT;
    } else {
        fwrite(texts, 1, message.out_size, stdout);
        fflush(stdout);
        fwrite(texts + message.out_size, 1, message.err_size, stderr);
    }
    free(texts);
    return message.code;
}

static struct worker worker_start(const struct options *options, const struct vector *files, size_t first) {
    int ends[2];
    if (pipe(ends) != 0) {
        return (struct worker){.process = -1, .from = -1};
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        if (getppid() == parent) {
            worker_run(options, files, first, ends[1]);
        }
        _exit(EXIT_UNDECIDED);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return (struct worker){.process = -1, .from = -1};
    }
    return (struct worker){.process = child, .from = ends[0]};
}

static int run_in_workers(const struct options *options, const struct vector *files) {
    int code = EXIT_HOLDS;
    struct workers workers = {.count = options->jobs > 1 ? options->jobs : 1};
    struct limits limits = {0}; /* the other workers do the rest */
    workers.all = memory_allocate(workers.count * sizeof *workers.all);
    fflush(stdout);
    limits_start(&limits); /* first, so that no worker misses a signal */
    for (size_t w = 0; w < workers.count; w++) {
        workers.all[w] = worker_start(options, files, w);
    }
    for (size_t i = 0; i < files->count; i++) {
        code = worse(code, message_copy(&workers, i % workers.count, *(char **)vector_at(files, i)));
    }
    for (size_t w = 0; w < workers.count; w++) {
        if (workers.all[w].process > 0) {
            close(workers.all[w].from);
            wait(NULL);
        }
    }
    free(workers.all);
    return code;
}

static int run_here(const struct options *options, const struct vector *files) {
    int code = EXIT_HOLDS;
    struct session session;
    session_begin_with(&session, options, NULL, 0);
    for (size_t i = 0; i < files->count; i++) {
        code = worse(code, file_run(&session, *(char **)vector_at(files, i), stdout, stderr));
        fflush(stdout);
    }
    return code;
}

int command_litmus(const struct options *options) {
    if (!options->automatic && options->engine != &engine_explore && options->engine != &engine_seq &&
        options->engine != &engine_brute) {
        return command_refuse(options, "final states are collected by the engines explore, seq and brute");
    }
    struct vector files;
    vector_init(&files, sizeof(char *));
    for (size_t i = 0; i < options->files.count; i++) {
        files_add(&files, *(char **)vector_at(&options->files, i));
    }
    int code = (options->jobs > 1 ? run_in_workers : run_here)(options, &files);
    for (size_t i = 0; i < files.count; i++) {
        free(*(char **)vector_at(&files, i));
    }
    vector_delete(&files);
    return code;
}
