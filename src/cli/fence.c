/* `picket fence`: the smallest set of fences that makes a program robust, safe, or free of triangular races.
 *
 * The files are copied with a fence at every place (fence/places.h) and read; a place that the compiler does not accept
 * is dropped.  fence/synthesis.h finds the set.  Then the files are written with these fences as a user would write
 * them, read and checked once more: the printed text is the one that was checked. */
#include "cli/fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "auto/portfolio.h"
#include "cli/session.h"
#include "fence/patch.h"
#include "report/report.h"
#include "robust/robust.h"
#include "util/bytes.h"
#include "util/exit_code.h"
#include "util/memory.h"

#define PATIENCE 5 /* where the processor is busy with other things, a search may take this many times its time */

/* --- A program with a fence at every place ------------------------------------------------------------------------ */

static uint32_t place_of(void *data, const char *file, uint32_t line) {
    const struct fence_sources *sources = data;
    const struct written *written = fence_written_in(sources, file);
    for (size_t i = 0; written && i < written->fences.count; i++) {
        const struct written_fence *fence = vector_at(&written->fences, i);
        if (fence->line == line) {
            return fence->place;
        }
    }
    return NO_PLACE;
}

/* Drops the place at which the compiler has failed: the last one before its message.  False if there is none. */
static bool drop_place(struct fence_sources *sources, const struct diagnostic *diagnostic) {
    const struct written *written = fence_written_in(sources, diagnostic->file);
    const struct written_fence *last = NULL;
    for (size_t i = 0; written && i < written->fences.count; i++) {
        const struct written_fence *fence = vector_at(&written->fences, i);
        const struct place *place = vector_at(&sources->places, fence->place);
        last = fence->line <= diagnostic->line && !place->dropped ? fence : last;
    }
    if (last) {
        ((struct place *)vector_at(&sources->places, last->place))->dropped = true;
    }
    return last != NULL;
}

/* Reads the copies, with a fence at every place that has not been dropped. */
static bool read_marked(const struct options *options, struct fence_sources *sources, struct marked *marked,
                        int *code) {
    uint32_t places = (uint32_t)sources->places.count;
    uint8_t *kinds = memory_allocate((size_t)places + 1);
    struct program program;
    bool read = false;
    bool again = true;
    memset(kinds, FENCE_FULL, places);
    while (!read && again) {
        struct diagnostics diagnostics;
        *code = EXIT_BAD_INPUT;
        diagnostics_init(&diagnostics);
        read = fence_sources_write(sources, kinds, false) &&
               input_read_only(&sources->files, &sources->arguments, &program, &diagnostics, code);
        again = false;
        for (size_t i = 0; !read && i < diagnostics.list.count; i++) {
            again = drop_place(sources, vector_at(&diagnostics.list, i)) || again;
        }
        if (!read && *code == EXIT_UNDECIDED) {
            input_unread(options, "fence", 0, &diagnostics, *code);
        } else if (!read && !again) {
            fputs("picket fence: no text with fences was found that the compiler accepts:\n", stderr);
            diagnostics_print(&diagnostics, stderr);
        }
        diagnostics_delete(&diagnostics);
    }
    if (read) {
        marked_init(marked, &program, places, place_of, sources);
    }
    free(kinds);
    return read;
}

/* --- The patched program ------------------------------------------------------------------------------------------ */

/* What the written copies differ in from the files. */
static char *make_patch(const struct fence_sources *sources) {
    char *patch = memory_copy_text("");
    for (size_t i = 0; i < sources->written.count; i++) {
        const struct source *source = vector_at(&sources->sources, i);
        const struct written *written = vector_at(&sources->written, i);
        char *part = patch_make(source->name, source->text, written->text);
        char *whole = memory_format("%s%s", patch, part);
        free(part);
        free(patch);
        patch = whole;
    }
    return patch;
}

/* Writes the files with the fences as a user would, checks them once more, and makes the patch.  If that is not
 * decided, `reason` says why; otherwise it becomes empty. */
static bool check_patched(const struct options *options, struct fence_sources *sources,
                          const struct synthesis *synthesis, char **patch, char *reason, size_t size) {
    struct vector kept = sources->written; /* the report still needs to know the lines of the searched copies */
    vector_init(&sources->written, sizeof(struct written));
    struct session session = {.read = false};
    struct reading reading = {
        .unroll = synthesis->task.unroll, .files = &sources->files, .clang_args = &sources->arguments};
    struct answer answer;
    answer_init(&answer);
    bool good = fence_sources_write(sources, synthesis->kinds, true);
    bool read = good && session_read(&session, options, &reading);
    if (read) {
        struct task task = synthesis->task;
        task.program = &session.program;
        question_ask(synthesis->goal, &task, &answer);
    }
    session_end(&session);
    *patch = good ? make_patch(sources) : memory_copy_text("");
    good = read && answer.verdict.word == VERDICT_SAFE;
    snprintf(reason, size, "%s", answer.verdict.word == VERDICT_UNDECIDED ? answer.verdict.reason : "");
    answer_delete(&answer);
    fence_sources_forget(sources);
    vector_delete(&sources->written);
    sources->written = kept;
    return good;
}

static int exit_code_of(const struct synthesis *synthesis) {
    switch (synthesis->end) {
    case SYNTHESIS_DONE:
        return EXIT_HOLDS;
    case SYNTHESIS_DEFECT:
        fprintf(stderr, "picket: a defect in Picket itself: %s\n", synthesis->message);
        return EXIT_DEFECT;
    case SYNTHESIS_REFUSED:
        fprintf(stderr, "picket fence: %s\n", synthesis->message);
        return EXIT_BAD_INPUT;
    default:
        return EXIT_UNDECIDED;
    }
}

/* The positions of assumptions are in copies with marks that the user does not see. */
static void restore_positions(const struct fence_sources *sources, struct verdict *verdict) {
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        struct assumed *assumed = vector_at(&verdict->assumptions, i);
        char *file = memory_copy_text(fence_original(sources, assumed->file, &assumed->line));
        free(assumed->file);
        assumed->file = file;
    }
}

/* Finds the set, and the patch with it if there is one.  `patch` is the caller's. */
static void search(struct session *session, enum fence_goal goal, struct fence_sources *sources,
                   struct synthesis *synthesis, char **patch) {
    synthesis->goal = goal;
    synthesis->weigh_loops = session->options->weigh_loops;
    synthesis->prepare = input_prepare;
    synthesis->task = session_task(session);
    synthesis->task.program = NULL;
    synthesis->task.unroll = session->options->unroll;
    synthesis_run(synthesis);
    char open[sizeof synthesis->message] = "";
    if (synthesis->end == SYNTHESIS_DONE &&
        !check_patched(session->options, sources, synthesis, patch, open, sizeof open)) {
        const char *limit = limits_reason(&session->limits);
        synthesis->end = limit || open[0] ? SYNTHESIS_LIMIT : SYNTHESIS_DEFECT;
        snprintf(synthesis->message, sizeof synthesis->message, "%s",
                 limit     ? limit
                 : open[0] ? open
                           : "the patched program is not what the search has found");
    }
}

static int find_fences(const struct options *options, struct fence_sources *sources, const struct marked *marked,
                       double front_s) {
    struct session session;
    struct synthesis synthesis;
    session_begin_with(&session, options, "fence", front_s);
    synthesis_init(&synthesis, marked);
    struct fence_result result = {
        .options = options, .sources = sources, .synthesis = &synthesis, .front_s = front_s, .patch = NULL};
    search(&session, options->goal, sources, &synthesis, &result.patch);
    result.time_s = limits_now() - session.start;
    session.code = exit_code_of(&synthesis);
    if (session.code != EXIT_DEFECT && session.code != EXIT_BAD_INPUT) {
        restore_positions(sources, &synthesis.last);
        (options->format == FORMAT_JSON ? fence_print_json : fence_print_text)(&result);
    }
    free(result.patch);
    synthesis_delete(&synthesis);
    return session_end(&session);
}

/* --- Fences for an error ------------------------------------------------------------------------------------------ */

struct help {
    const struct options *options;
    const struct witness *witness;
    double seconds;
    struct fence_help found;
};

static void send_help(struct child *child, bool checked, const char *patch) {
    struct vector bytes;
    bytes_init(&bytes);
    bytes_put(&bytes, &checked, sizeof checked);
    bytes_put(&bytes, patch, strlen(patch));
    child_send(child, &bytes);
    vector_delete(&bytes);
}

/* A fence that stops the execution, as a patch. */
static void send_stopping(const struct help *help, struct fence_sources *sources, const struct marked *marked,
                          struct child *child) {
    struct synthesis synthesis;
    synthesis_init(&synthesis, marked);
    synthesis.goal = GOAL_SAFETY;
    synthesis.prepare = input_prepare;
    synthesis.task.unroll = help->options->unroll;
    if (synthesis_stop(&synthesis, help->witness) && fence_sources_write(sources, synthesis.kinds, true)) {
        char *patch = make_patch(sources);
        send_help(child, false, patch);
        free(patch);
    }
    synthesis_delete(&synthesis);
}

static void help_in_child(void *data, struct child *child) {
    const struct help *help = data;
    struct session session;
    struct fence_sources sources;
    struct marked marked;
    char *patch = NULL;
    int code;
    session_begin_with(&session, help->options, "fence", 0);
    session.limits = child->limits;
    session.limits.until_cpu = limits_cpu() + help->seconds;
    session.limits.until = limits_now() + PATIENCE * help->seconds;
    session.progress = child->progress;
    fence_sources_init(&sources);
    if (fence_sources_read(&sources, help->options) && read_marked(help->options, &sources, &marked, &code)) {
        struct synthesis synthesis;
        synthesis_init(&synthesis, &marked);
        search(&session, GOAL_SAFETY, &sources, &synthesis, &patch);
        bool possible = synthesis.end != SYNTHESIS_IMPOSSIBLE && synthesis.end != SYNTHESIS_NO_PLACE;
        if (synthesis.end == SYNTHESIS_DONE && patch && *patch && !synthesis.last.bounds[0]) {
            send_help(child, true, patch);
        } else if (possible) {
            send_stopping(help, &sources, &marked, child);
        }
        free(patch);
        synthesis_delete(&synthesis);
        marked_delete(&marked);
    }
    fence_sources_delete(&sources);
}

static enum answer_class keep_patch(void *data, size_t member, const void *bytes, size_t size, const char **defect) {
    struct help *help = data;
    struct bytes_reader reader = {.next = bytes, .left = size};
    (void)member;
    (void)defect;
    bytes_get(&reader, &help->found.checked, sizeof help->found.checked);
    help->found.patch = memory_allocate(reader.left + 1);
    memcpy(help->found.patch, reader.next, reader.left);
    return ANSWER_CONCLUSIVE;
}

/* In a child process, since the search reads the files again and may reach a limit at any moment. */
struct fence_help fence_help(const struct options *options, const struct witness *witness, struct limits *limits,
                             double seconds) {
    struct help help = {options, witness, seconds, {NULL, false}};
    struct progress progress;
    struct member member = {.name = "fence", .threads = 1, .run = help_in_child, .data = &help};
    struct portfolio portfolio = {
        .members = &member,
        .count = 1,
        .jobs = 1,
        .limits = limits,
        .progress = &progress,
        .judge = keep_patch,
        .data = &help,
    };
    progress_start(&progress, PROGRESS_NONE);
    portfolio_run(&portfolio);
    portfolio_delete(&portfolio);
    return help.found;
}

/* --- The command -------------------------------------------------------------------------------------------------- */

static const char *refusal_of(const struct options *options) {
    if (options->model == MODEL_SC) {
        return "under SC fences change nothing; choose --model tso or pso";
    }
    if (options->goal == GOAL_TRIANGULAR && options->model == MODEL_PSO) {
        return "freedom from triangular races says something about TSO only; choose --model tso, or --for robustness";
    }
    return NULL;
}

/* Reads the files unchanged, so that errors in them have the user's positions. */
static bool read_plain(const struct options *options, int *code) {
    struct session session;
    struct reading reading = {.engine = "fence", .unroll = options->unroll};
    bool good = session_read(&session, options, &reading);
    if (good) {
        struct task task = session_task(&session);
        good = options->goal != GOAL_ROBUST || !robust_may_run_for_ever(&task);
        if (!good) {
            session.code = command_refuse(
                options, "under PSO robustness is decided for programs whose executions end, and this one has a loop "
                         "that need not end: give a bound with --unroll, or choose --model tso or --for safety");
        }
    }
    *code = session_end(&session);
    return good;
}

int command_fence(const struct options *options) {
    struct fence_sources sources;
    struct marked marked;
    int code = EXIT_BAD_INPUT;
    const char *refusal = refusal_of(options);
    double start = limits_now();
    if (refusal) {
        return command_refuse(options, "%s", refusal);
    }
    if (!read_plain(options, &code)) {
        return code;
    }
    fence_sources_init(&sources);
    code = EXIT_BAD_INPUT;
    if (fence_sources_read(&sources, options) && read_marked(options, &sources, &marked, &code)) {
        code = find_fences(options, &sources, &marked, limits_now() - start);
        marked_delete(&marked);
    }
    fence_sources_delete(&sources);
    return code;
}
