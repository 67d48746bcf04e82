/* Runs the tests: whole programs, shell scripts and unit test programs, several at a time.
 *
 *     run --picket PATH [--jobs N] [--limit SECONDS] [--without PATTERN]... FILE-OR-DIRECTORY...
 *
 * Files whose name matches a pattern are left out.
 *
 * A C file says in its first comment lines how it is run and what must come out; tests/README.md describes the form.
 * Each such line is one test; a file without one, or with a line that it does not understand, is a test that fails.  A
 * C file that opens with a block comment belongs to the tests' own sources.  A shell script is one test: it passes with
 * exit code 0 and is skipped with 77.  An executable whose name begins with `unit_` is a cmocka program; each of its
 * cases is one test.
 *
 * Every test runs in a process of its own, with a scratch directory of its own, in a session of its own.  The limit is
 * on the CPU time of all processes of that session together, so that a test passes on a busy machine too; a test that
 * only waits is ended after WALL_FACTOR times the limit.  A test that uses more than a third of the limit passes but is
 * listed as slow.  Only the parent counts. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "expected.h"
#include "session.h"

#define MAX_ARGUMENTS 64
#define MAX_JOBS 16
#define MOST_SLOWEST 10
#define DEFAULT_LIMIT 60
#define WALL_FACTOR 10
#define SLOW_PART 3                         /* a test is slow if it uses more than the limit divided by this */
#define LOOK_INTERVAL_NANOSECONDS 200000000 /* between two checks of the tests' times */

enum test_kind { TEST_PROGRAM, TEST_SCRIPT, TEST_UNIT, TEST_MALFORMED };

struct test {
    enum test_kind kind;
    char *path;
    char *command;  /* TEST_PROGRAM: what stands before "=>" */
    char *expected; /* and what follows it */
    char *native;   /* what the `args:` line gives to the native compiler, "" if there is none */
    char *problem;  /* TEST_MALFORMED: why the file is no test */
    double seconds; /* of CPU time, once it has run */
};

struct runner {
    char *picket;
    unsigned jobs;
    unsigned limit;       /* seconds of CPU time */
    const char **without; /* patterns of names to be left out */
    unsigned without_count;
    char scratch[64]; /* each test gets a directory in it */
    char *home;       /* where the runner was started: names below it are shown without it */
    struct test *tests;
    size_t count;
    size_t capacity;
    unsigned passed;
    unsigned failed;
    unsigned skipped;
};

/* What a child process left after. */
struct outcome {
    int exit_code; /* 128 + signal if it was killed, as a shell says */
    char *out;
    size_t out_size;
    char *error;
    size_t error_size;
};

static void *allocate(void *old, size_t size) {
    void *block = realloc(old, size);
    if (!block) {
        fputs("run: out of memory\n", stderr);
        exit(2);
    }
    return block;
}

static char *copy_text(const char *text, size_t length) {
    char *copy = allocate(NULL, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static char *trimmed(const char *text, size_t length) {
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    return copy_text(text, length);
}

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = allocate(NULL, 1);
    size_t count = 0;
    if (file) {
        char block[4096];
        size_t got = 0;
        while ((got = fread(block, 1, sizeof block, file)) > 0) {
            text = allocate(text, count + got + 1);
            memcpy(text + count, block, got);
            count += got;
        }
        (void)fclose(file);
    }
    text[count] = '\0';
    if (size) {
        *size = count;
    }
    return text;
}

/* --- collecting the tests ----------------------------------------------------------------------------------------- */

static struct test *runner_add(struct runner *runner, enum test_kind kind, const char *path) {
    if (runner->count == runner->capacity) {
        runner->capacity = runner->capacity ? 2 * runner->capacity : 256;
        runner->tests = allocate(runner->tests, runner->capacity * sizeof *runner->tests);
    }
    struct test *test = &runner->tests[runner->count++];
    *test = (struct test){.kind = kind, .path = copy_text(path, strlen(path))};
    return test;
}

static void runner_add_malformed(struct runner *runner, const char *path, const char *problem, const char *line) {
    struct test *test = runner_add(runner, TEST_MALFORMED, path);
    size_t size = strlen(problem) + strcspn(line, "\n") + 8;
    test->problem = allocate(NULL, size);
    snprintf(test->problem, size, "%s: `%.*s`", problem, (int)strcspn(line, "\n"), line);
}

/* One line of the first comment.  `//` alone, or text without an arrow, is prose. */
static void runner_add_line(struct runner *runner, const char *path, const char *line, size_t length) {
    const char *arrow = strstr(line, "=>");
    const char *thin = strstr(line, "->");
    if (!arrow || arrow >= line + length) {
        if (thin && thin < line + length) {
            runner_add_malformed(runner, path, "`->` in place of `=>`", line);
        }
        return;
    }
    char *expected = trimmed(arrow + 2, length - (size_t)(arrow + 2 - line));
    if (!expected_is_known(expected)) {
        runner_add_malformed(runner, path, "unknown expectation", line);
        free(expected);
        return;
    }
    struct test *test = runner_add(runner, TEST_PROGRAM, path);
    test->command = trimmed(line + 2, (size_t)(arrow - line) - 2);
    test->expected = expected;
}

/* The comment lines at the top of a C file: "// COMMAND => EXPECTED" and "// args: ARGUMENTS". */
static void runner_add_program(struct runner *runner, const char *path) {
    char *text = read_whole(path, NULL);
    char *native = copy_text("", 0);
    size_t first = runner->count;
    for (const char *line = text; strncmp(line, "//", 2) == 0;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "// args:", 8) == 0) {
            free(native);
            native = trimmed(line + 8, length - 8);
        } else {
            runner_add_line(runner, path, line, length);
        }
        line += length + (line[length] == '\n');
    }
    if (runner->count == first && strncmp(text, "/*", 2) != 0) {
        runner_add_malformed(runner, path, "no test in the first comment", text);
    }
    for (size_t i = first; i < runner->count; i++) {
        runner->tests[i].native = copy_text(native, strlen(native));
    }
    free(native);
    free(text);
}

static int compare_entries(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

static bool is_left_out(const struct runner *runner, const char *name) {
    for (unsigned i = 0; i < runner->without_count; i++) {
        if (fnmatch(runner->without[i], name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static void runner_collect(struct runner *runner, char *const *paths) {
    FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
    if (!tree) {
        perror("run");
        exit(2);
    }
    for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree)) {
        if (entry->fts_info == FTS_NS || entry->fts_info == FTS_ERR) {
            fprintf(stderr, "run: %s: %s\n", entry->fts_path, strerror(entry->fts_errno));
            exit(2);
        }
        if (entry->fts_info != FTS_F || is_left_out(runner, entry->fts_name)) {
            continue;
        }
        if (ends_with(entry->fts_name, ".c")) {
            runner_add_program(runner, entry->fts_path);
        } else if (ends_with(entry->fts_name, ".sh")) {
            runner_add(runner, TEST_SCRIPT, entry->fts_path);
        } else if (strncmp(entry->fts_name, "unit_", 5) == 0 && (entry->fts_statp->st_mode & S_IXUSR)) {
            runner_add(runner, TEST_UNIT, entry->fts_path);
        }
    }
    (void)fts_close(tree);
}

/* --- one test, in a process of its own whose directory is its scratch directory ----------------------------------- */

static void outcome_delete(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->error);
}

/* Says on stdout, which the parent shows, why the test failed. */
bool complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("    ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    return false;
}

static struct outcome run_command(const char *const *arguments) {
    pid_t child = fork();
    if (child == 0) {
        int in = open("/dev/null", O_RDONLY);
        int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int error = open("error", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || out < 0 || error < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(error, 2) < 0) {
            _exit(126);
        }
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    struct outcome outcome = {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    outcome.out = read_whole("out", &outcome.out_size);
    outcome.error = read_whole("error", &outcome.error_size);
    return outcome;
}

/* Splits `text` at spaces in place; returns the new number of arguments.  Keeps room for the final NULL. */
static size_t add_words(const char **arguments, size_t count, char *text) {
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count + 1 < MAX_ARGUMENTS) {
            arguments[count++] = word;
        }
    }
    arguments[count] = NULL;
    return count;
}

/* The command line of Picket: what stands before a `--` in the test's line, then the file, then the rest. */
static struct outcome run_picket(const struct runner *runner, const struct test *test, bool json) {
    const char *arguments[MAX_ARGUMENTS] = {runner->picket};
    char *command = copy_text(test->command, strlen(test->command));
    char *rest = strstr(command, " -- ");
    if (rest) {
        *rest = '\0';
        rest += 4;
    }
    size_t count = add_words(arguments, 1, command);
    if (json && count + 5 < MAX_ARGUMENTS) {
        bool is_check = strncmp(test->command, "check", strlen("check")) == 0;
        arguments[count++] = "--format";
        arguments[count++] = "json";
        if (is_check && !strstr(test->expected, " because ")) {
            arguments[count++] = "--no-explain"; /* which takes longer than most tests, and has tests of its own */
        }
        if (is_check && !strstr(test->command, "--engine")) {
            arguments[count++] = "--engine";
            arguments[count++] = "explore"; /* its answer, and what it counts, are the same each time */
        }
    }
    if (count + 2 < MAX_ARGUMENTS) {
        arguments[count++] = test->path;
        if (rest) {
            arguments[count++] = "--";
        }
    }
    arguments[count] = NULL;
    if (rest) {
        add_words(arguments, count, rest);
    }
    struct outcome outcome = run_command(arguments);
    free(command);
    return outcome;
}

static void show_error(const struct outcome *outcome) {
    if (outcome->error_size > 0) {
        complain("stderr: %.600s", outcome->error);
    }
}

static bool native_passes(const struct runner *runner, const struct test *test) {
    const char *compile[MAX_ARGUMENTS] = {"clang-19",          "-w",      "-o", "native", "-pthread",
                                          "-ffp-contract=off", test->path};
    char *native = copy_text(test->native, strlen(test->native));
    size_t count = add_words(compile, 7, native);
    if (count + 1 < MAX_ARGUMENTS) {
        compile[count++] = "-lm";
    }
    compile[count] = NULL;
    struct outcome compiled = run_command(compile);
    free(native);
    bool passes = true;
    if (compiled.exit_code != 0) {
        passes = complain("does not compile natively: %.600s", compiled.error);
        outcome_delete(&compiled);
        return passes;
    }
    outcome_delete(&compiled);
    struct outcome wanted = run_command((const char *const[]){"./native", NULL});
    struct outcome got = run_picket(runner, test, false);
    if (got.exit_code != wanted.exit_code) {
        passes = complain("exit code %d, natively %d", got.exit_code, wanted.exit_code);
    }
    if (got.out_size != wanted.out_size || memcmp(got.out, wanted.out, got.out_size) != 0) {
        size_t same = 0;
        while (same < got.out_size && same < wanted.out_size && got.out[same] == wanted.out[same]) {
            same++;
        }
        while (same > 0 && got.out[same - 1] != '\n') {
            same--;
        }
        passes = complain("prints `%.*s`, natively `%.*s`", (int)strcspn(got.out + same, "\n"), got.out + same,
                          (int)strcspn(wanted.out + same, "\n"), wanted.out + same);
    }
    if (!passes) {
        show_error(&got);
    }
    outcome_delete(&wanted);
    outcome_delete(&got);
    return passes;
}

/* "exit CODE" or "exit CODE, KIND:LINE", where the kind and the line are in what Picket says on stderr. */
static bool exit_passes(const struct runner *runner, const struct test *test) {
    int code = 0;
    char kind[64] = "";
    unsigned line = 0;
    int fields = sscanf(test->expected, "exit %d, %63[^:]:%u", &code, kind, &line);
    struct outcome got = run_picket(runner, test, false);
    bool passes = true;
    if (got.exit_code != code) {
        passes = complain("exit code %d instead of %d", got.exit_code, code);
    }
    if (fields == 3) {
        char place[32];
        snprintf(place, sizeof place, ":%u", line);
        const char *found = strstr(got.error, place);
        if (!found || isdigit((unsigned char)found[strlen(place)]) || !strstr(got.error, kind)) {
            passes = complain("expected %s at line %u", kind, line);
        }
    }
    if (!passes) {
        show_error(&got);
    }
    outcome_delete(&got);
    return passes;
}

static bool output_passes(const struct runner *runner, const struct test *test, const char *text, int code) {
    char *quoted = trimmed(text, strlen(text));
    size_t length = strlen(quoted);
    if (length < 2 || quoted[0] != '"' || quoted[length - 1] != '"') {
        free(quoted);
        return complain("the expected text is not in quotes");
    }
    quoted[length - 1] = '\0';
    struct outcome got = run_picket(runner, test, false);
    bool passes = true;
    if (got.exit_code != code) {
        passes = complain("exit code %d instead of %d", got.exit_code, code);
    }
    if (!strstr(got.out, quoted + 1) && !strstr(got.error, quoted + 1)) {
        passes = complain("does not say `%s`", quoted + 1);
    }
    if (!passes) {
        complain("stdout: %.300s", got.out);
        show_error(&got);
    }
    free(quoted);
    outcome_delete(&got);
    return passes;
}

/* "safe ...", "undecided", "violation KIND" or "violation KIND:LINE", read from the JSON output. */
static bool verdict_passes(const struct runner *runner, const struct test *test) {
    static const struct {
        const char *word;
        int exit_code;
    } verdicts[] = {{"safe", 0}, {"violation", 1}, {"undecided", 3}};
    char word[32] = "";
    char kind[64] = "";
    int line = 0;
    int fields = sscanf(test->expected, "%31s %63[^:]:%d", word, kind, &line);
    int code = -1;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (strcmp(word, verdicts[i].word) == 0) {
            code = verdicts[i].exit_code;
        }
    }
    if (code < 0) {
        return complain("unknown expectation `%s`", test->expected);
    }
    struct outcome got = run_picket(runner, test, true);
    json_t *report = json_loads(got.out, 0, NULL);
    bool passes = true;
    if (!report) {
        passes = complain("no JSON on stdout; exit code %d", got.exit_code);
    } else {
        int got_line = (int)json_integer_value(json_object_get(report, "line"));
        if (strcmp(json_text(report, "verdict"), word) != 0) {
            passes = complain("verdict %s %s:%d, exit code %d", json_text(report, "verdict"), json_text(report, "kind"),
                              got_line, got.exit_code);
        } else if (code == 1 && ((fields >= 2 && strcmp(json_text(report, "kind"), kind) != 0) ||
                                 (fields == 3 && got_line != line))) {
            passes = complain("violation %s:%d", json_text(report, "kind"), got_line);
        } else if (code == 1) {
            passes = causes_pass(test->expected, report);
        } else if (code == 0) {
            passes = bounds_pass(test->expected, report);
        }
        if (passes && got.exit_code != code) {
            passes = complain("exit code %d instead of %d", got.exit_code, code);
        }
        passes = passes && counts_pass(test->expected, report);
        json_decref(report);
    }
    if (!passes) {
        show_error(&got);
    }
    outcome_delete(&got);
    return passes;
}

static bool program_passes(const struct runner *runner, const struct test *test) {
    if (strcmp(test->expected, "native") == 0) {
        return native_passes(runner, test);
    }
    if (strncmp(test->expected, "exit ", 5) == 0) {
        return exit_passes(runner, test);
    }
    if (strncmp(test->expected, "error ", 6) == 0) {
        return output_passes(runner, test, test->expected + 6, 2);
    }
    if (strncmp(test->expected, "output ", 7) == 0) {
        return output_passes(runner, test, test->expected + 7, 0);
    }
    return verdict_passes(runner, test);
}

#define EXIT_SKIPPED 77

static int run_script(const struct runner *runner, const struct test *test) {
    setenv("PICKET", runner->picket, 1);
    struct outcome got = run_command((const char *const[]){"sh", "-eu", test->path, NULL});
    if (got.exit_code != 0 && got.exit_code != EXIT_SKIPPED) {
        complain("exit code %d", got.exit_code);
        complain("stdout: %.600s", got.out);
        show_error(&got);
    }
    int code = got.exit_code;
    outcome_delete(&got);
    return code == 0 || code == EXIT_SKIPPED ? code : 1;
}

/* Shows cmocka's lines of the cases ("ok 1 - name", "not ok 2 - name"), from which the parent counts. */
static int run_unit(const struct test *test) {
    setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
    struct outcome got = run_command((const char *const[]){test->path, NULL});
    fputs(got.out, stdout);
    if (got.exit_code != 0) {
        complain("exit code %d", got.exit_code);
        show_error(&got);
    }
    int code = got.exit_code;
    outcome_delete(&got);
    return code == 0 ? 0 : 1;
}

static int test_run(const struct runner *runner, const struct test *test) {
    switch (test->kind) {
    case TEST_PROGRAM:
        return program_passes(runner, test) ? 0 : 1;
    case TEST_SCRIPT:
        return run_script(runner, test);
    case TEST_UNIT:
        return run_unit(test);
    case TEST_MALFORMED:
        complain("%s", test->problem);
        return 1;
    }
    return 1;
}

/* --- running all of them ------------------------------------------------------------------------------------------ */

struct job {
    pid_t process; /* leader of the test's session; 0 if the job is free */
    size_t test;
    double started;
    char ended_after[64]; /* the time that was too long, if the runner has ended it; else empty */
};

static void scratch_path(const struct runner *runner, size_t test, char *path, size_t size) {
    snprintf(path, size, "%s/%zu", runner->scratch, test);
}

static void remove_tree(char *path) {
    FTS *tree = fts_open((char *const[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!tree) {
        return;
    }
    for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree)) {
        if (entry->fts_info == FTS_DP) {
            rmdir(entry->fts_path);
        } else if (entry->fts_info != FTS_D) {
            unlink(entry->fts_path);
        }
    }
    (void)fts_close(tree);
}

static pid_t job_start(const struct runner *runner, size_t index) {
    char directory[128];
    scratch_path(runner, index, directory, sizeof directory);
    if (mkdir(directory, 0700) != 0) {
        perror(directory);
        exit(2);
    }
    (void)fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setsid();
        if (chdir(directory) != 0 || !freopen("report", "w", stdout)) {
            _exit(1);
        }
        int code = test_run(runner, &runner->tests[index]);
        (void)fflush(stdout);
        _exit(code);
    }
    return process;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Ends a job that has used up its CPU time, or that waits for too long. */
static void job_limit(const struct runner *runner, struct job *job) {
    double wall = now() - job->started;
    if (wall > (double)WALL_FACTOR * runner->limit) {
        snprintf(job->ended_after, sizeof job->ended_after, "%u seconds of wall time", WALL_FACTOR * runner->limit);
    } else if (wall * 2 > runner->limit && session_seconds(job->process) > runner->limit) {
        snprintf(job->ended_after, sizeof job->ended_after, "%u seconds of CPU time", runner->limit);
    } else {
        return;
    }
    session_end(job->process);
}

static void print_name(const struct runner *runner, const struct test *test) {
    size_t length = strlen(runner->home);
    bool below = strncmp(test->path, runner->home, length) == 0 && test->path[length] == '/';
    printf("%s", below ? test->path + length + 1 : test->path);
    if (test->kind == TEST_PROGRAM) {
        printf(": %s => %s", test->command, test->expected);
    }
    putchar('\n');
}

/* Counts the cases of a cmocka program; one that broke off counts as a failure of its own. */
static void runner_count_unit(struct runner *runner, const char *report, bool ok) {
    unsigned failed = 0;
    for (const char *line = report; *line;) {
        if (strncmp(line, "ok ", 3) == 0) {
            runner->passed++;
        } else if (strncmp(line, "not ok ", 7) == 0) {
            failed++;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    runner->failed += failed + (!ok && failed == 0);
}

static double cpu_seconds(const struct rusage *usage) {
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static void job_finish(struct runner *runner, const struct job *job, int status, double seconds) {
    char directory[128];
    char report_path[160];
    scratch_path(runner, job->test, directory, sizeof directory);
    snprintf(report_path, sizeof report_path, "%s/report", directory);
    struct test *test = &runner->tests[job->test];
    char *report = read_whole(report_path, NULL);
    test->seconds = seconds;
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED;
    if (!ok && !skipped) {
        fputs("FAILED ", stdout);
        print_name(runner, test);
        if (job->ended_after[0]) {
            complain("not done within %s", job->ended_after);
        }
        fputs(report, stdout);
    } else if (seconds > (double)runner->limit / SLOW_PART) {
        printf("slow, %.0f s of CPU time: ", seconds);
        print_name(runner, test);
    }
    if (test->kind == TEST_UNIT) {
        runner_count_unit(runner, report, ok);
    } else if (skipped) {
        runner->skipped++;
    } else if (ok) {
        runner->passed++;
    } else {
        runner->failed++;
    }
    free(report);
    remove_tree(directory);
}

/* Takes the results of the jobs that are done; returns how many. */
static unsigned runner_reap(struct runner *runner, struct job *jobs) {
    unsigned done = 0;
    int status = 0;
    struct rusage usage;
    for (pid_t process; (process = wait4(-1, &status, WNOHANG, &usage)) > 0;) {
        for (unsigned i = 0; i < runner->jobs; i++) {
            if (jobs[i].process == process) {
                job_finish(runner, &jobs[i], status, cpu_seconds(&usage));
                jobs[i].process = 0;
                done++;
            }
        }
    }
    return done;
}

static void runner_run(struct runner *runner) {
    static const struct timespec interval = {.tv_nsec = LOOK_INTERVAL_NANOSECONDS};
    struct job jobs[MAX_JOBS] = {{0}};
    size_t next = 0;
    unsigned running = 0;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    while (next < runner->count || running > 0) {
        for (unsigned i = 0; i < runner->jobs && next < runner->count; i++) {
            if (jobs[i].process == 0) {
                jobs[i] = (struct job){.process = job_start(runner, next), .test = next, .started = now()};
                next++;
                running++;
            }
        }
        sigtimedwait(&child, NULL, &interval);
        running -= runner_reap(runner, jobs);
        for (unsigned i = 0; i < runner->jobs; i++) {
            if (jobs[i].process != 0 && !jobs[i].ended_after[0]) {
                job_limit(runner, &jobs[i]);
            }
        }
    }
}

static int compare_seconds(const void *left, const void *right) {
    double one = ((const struct test *)left)->seconds;
    double other = ((const struct test *)right)->seconds;
    return (one < other) - (one > other);
}

/* Where the time went: sorts the tests, so nothing may refer to one by its index afterwards. */
static void runner_show_slowest(struct runner *runner) {
    if (runner->count > 0) {
        qsort(runner->tests, runner->count, sizeof *runner->tests, compare_seconds);
    }
    for (size_t i = 0; i < runner->count && i < MOST_SLOWEST; i++) {
        printf("%6.1f s of CPU time: ", runner->tests[i].seconds);
        print_name(runner, &runner->tests[i]);
    }
}

static unsigned cores(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_JOBS ? MAX_JOBS : (unsigned)count;
}

static void usage(void) {
    fputs("usage: run --picket PATH [--jobs N] [--limit SECONDS] [--without PATTERN]... FILE-OR-DIRECTORY...\n",
          stderr);
    exit(2);
}

/* Tests change their directory, so every path is made absolute first. */
static char *absolute(const char *path) {
    char *full = realpath(path, NULL);
    if (!full) {
        fprintf(stderr, "run: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    return full;
}

int main(int argc, char **argv) {
    struct runner runner = {.jobs = cores(), .limit = DEFAULT_LIMIT, .scratch = "/tmp/picket-tests.XXXXXX"};
    char **paths = allocate(NULL, ((size_t)argc + 1) * sizeof *paths);
    size_t paths_count = 0;
    runner.without = allocate(NULL, (size_t)argc * sizeof *runner.without);
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--picket") == 0 && has_value) {
            runner.picket = absolute(argv[++i]);
        } else if (strcmp(argv[i], "--jobs") == 0 && has_value) {
            runner.jobs = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--limit") == 0 && has_value) {
            runner.limit = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--without") == 0 && has_value) {
            runner.without[runner.without_count++] = argv[++i];
        } else if (argv[i][0] == '-') {
            usage();
        } else {
            paths[paths_count++] = absolute(argv[i]);
        }
    }
    paths[paths_count] = NULL;
    if (!runner.picket || paths_count == 0 || runner.jobs == 0 || runner.jobs > MAX_JOBS) {
        usage();
    }
    if (!mkdtemp(runner.scratch)) {
        perror("run");
        exit(2);
    }
    runner.home = absolute(".");
    /* What a sanitizer finds must not look like one of Picket's own exit codes. */
    /* The search for leaks crashes on thread-local data of libraries that are loaded later, such as Z3's: it must not
     * follow them. */
    setenv("ASAN_OPTIONS", "exitcode=86:intercept_tls_get_addr=0", 1);
    setenv("UBSAN_OPTIONS", "exitcode=86:print_stacktrace=1", 1);
    runner_collect(&runner, paths);
    runner_run(&runner);
    remove_tree(runner.scratch);
    runner_show_slowest(&runner);
    printf("%u passed, %u failed", runner.passed, runner.failed);
    if (runner.skipped > 0) {
        printf(", %u skipped", runner.skipped);
    }
    putchar('\n');
    for (size_t i = 0; i < runner.count; i++) {
        free(runner.tests[i].path);
        free(runner.tests[i].command);
        free(runner.tests[i].expected);
        free(runner.tests[i].native);
        free(runner.tests[i].problem);
    }
    free(runner.tests);
    for (size_t i = 0; i < paths_count; i++) {
        free(paths[i]);
    }
    free(paths);
    free(runner.without);
    free(runner.home);
    free(runner.picket);
    return runner.failed > 0;
}
