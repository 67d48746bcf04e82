/* `picket fence`: the smallest set of fences that makes a program robust, safe, or free of triangular races.
 *
 * The files are copied with a fence at every place (fence/places.h) and read; a place that the compiler does not accept
 * is dropped.  fence/synthesis.h finds the set.  Then the files are written anew, with those fences as a user would
 * write them, read and checked once more: what is printed is what was checked. */
#include "cli/fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "fence/patch.h"
#include "report/report.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* --- A program with a fence at every place ------------------------------------------------------------------------ */

static uint32_t place_of(void *data, const char *file, uint32_t line) {
    const struct fence_sources *sources = data;
    int64_t source = fence_source_of(sources, file);
    const struct written *written = source < 0 ? NULL : vector_at(&sources->written, (size_t)source);
    for (size_t i = 0; written && i < written->fences.count; i++) {
        const struct written_fence *fence = vector_at(&written->fences, i);
        if (fence->line == line) {
            return fence->place;
        }
    }
    return NO_PLACE;
}

/* Drops the place at which the compiler has stumbled: the last one before its message.  False if there is none. */
static bool drop_place(struct fence_sources *sources, const struct diagnostic *diagnostic) {
    int64_t source = fence_source_of(sources, diagnostic->file);
    const struct written *written = source < 0 ? NULL : vector_at(&sources->written, (size_t)source);
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
static bool read_marked(struct fence_sources *sources, struct marked *marked) {
    uint32_t places = (uint32_t)sources->places.count;
    uint8_t *kinds = memory_allocate((size_t)places + 1);
    struct program program;
    bool read = false;
    bool again = true;
    memset(kinds, FENCE_FULL, places);
    while (!read && again) {
        struct diagnostics diagnostics;
        int code;
        diagnostics_init(&diagnostics);
        read = fence_sources_write(sources, kinds, false) &&
               input_read_only(&sources->files, &sources->arguments, &program, &diagnostics, &code);
        again = false;
        for (size_t i = 0; !read && i < diagnostics.list.count; i++) {
            again = drop_place(sources, vector_at(&diagnostics.list, i)) || again;
        }
        if (!read && !again) {
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

/* Writes the files with the fences as a user would, checks them once more, and makes the patch. */
static bool check_patched(struct fence_sources *sources, const struct synthesis *synthesis, char **patch) {
    struct vector kept = sources->written; /* the report still needs to know the lines of the searched copies */
    vector_init(&sources->written, sizeof(struct written));
    struct program program;
    struct diagnostics diagnostics;
    struct answer answer;
    int code;
    diagnostics_init(&diagnostics);
    answer_init(&answer);
    bool good = fence_sources_write(sources, synthesis->kinds, true);
    bool read =
        good && input_read(&sources->files, &sources->arguments, synthesis->task.unroll, &program, &diagnostics, &code);
    if (read) {
        struct task task = synthesis->task;
        task.program = &program;
        question_ask(synthesis->goal, &task, &answer);
        program_delete(&program);
    } else {
        diagnostics_print(&diagnostics, stderr);
    }
    *patch = memory_copy_text("");
    for (size_t i = 0; good && i < sources->written.count; i++) {
        const struct source *source = vector_at(&sources->sources, i);
        const struct written *written = vector_at(&sources->written, i);
        char *part = patch_make(source->name, source->text, written->text);
        char *whole = memory_format("%s%s", *patch, part);
        free(part);
        free(*patch);
        *patch = whole;
    }
    good = read && answer.verdict.word == VERDICT_SAFE;
    answer_delete(&answer);
    diagnostics_delete(&diagnostics);
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

static int find_fences(const struct options *options, struct fence_sources *sources, const struct marked *marked,
                       double front_s) {
    struct limits limits = {.timeout = options->timeout, .memory_mb = options->memory_mb};
    struct progress progress;
    struct synthesis synthesis;
    synthesis_init(&synthesis, marked);
    synthesis.goal = options->goal;
    synthesis.weigh_loops = options->weigh_loops;
    synthesis.prepare = input_prepare;
    synthesis.task = (struct task){
        .machine = options_for_machine(options),
        .limits = &limits,
        .progress = &progress,
        .unroll = (uint32_t)options->unroll,
        .jobs = (uint32_t)options->jobs,
    };
    struct fence_result result = {
        .options = options, .sources = sources, .synthesis = &synthesis, .front_s = front_s, .patch = NULL};
    double start = limits_now();
    limits_start(&limits);
    progress_start(&progress, options->progress || (isatty(STDERR_FILENO) && !options->quiet));
    synthesis_run(&synthesis);
    if (synthesis.end == SYNTHESIS_DONE && !check_patched(sources, &synthesis, &result.patch)) {
        const char *reason = limits_reason(&limits);
        synthesis.end = reason ? SYNTHESIS_LIMIT : SYNTHESIS_DEFECT;
        snprintf(synthesis.message, sizeof synthesis.message, "%s",
                 reason ? reason : "the patched program is not what the search has found");
    }
    result.time_s = limits_now() - start;
    int code = exit_code_of(&synthesis);
    if (code != EXIT_DEFECT && code != EXIT_BAD_INPUT) {
        (options->format == FORMAT_JSON ? fence_print_json : fence_print_text)(&result);
    }
    free(result.patch);
    synthesis_delete(&synthesis);
    return code;
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

/* Reads the files as they are: whatever is wrong with them is said in terms of them. */
static bool read_plain(const struct options *options, int *code) {
    struct program program;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    bool read =
        input_read(&options->files, &options->clang_args, (uint32_t)options->unroll, &program, &diagnostics, code);
    if (!read) {
        diagnostics_print(&diagnostics, stderr);
        if (options->format == FORMAT_JSON) {
            struct report report = {.engine = "fence", .model = options->model};
            report_error_json(&report, &diagnostics, stdout);
        }
    } else {
        bool endless = options->model == MODEL_PSO && options->goal == GOAL_ROBUST && options->unroll == 0 &&
                       program_find_loops(&program) == LOOPS_ENDLESS;
        if (endless) {
            fputs("picket fence: under PSO robustness is decided for programs whose executions end, and this one has a "
                  "loop that need not end: give a bound with --unroll, or choose --model tso or --for safety\n",
                  stderr);
            *code = EXIT_BAD_INPUT;
            read = false;
        }
        program_delete(&program);
    }
    diagnostics_delete(&diagnostics);
    return read;
}

int command_fence(const struct options *options) {
    struct fence_sources sources;
    struct marked marked;
    int code = EXIT_BAD_INPUT;
    const char *refusal = refusal_of(options);
    double start = limits_now();
    if (refusal) {
        fprintf(stderr, "picket fence: %s\n", refusal);
        return code;
    }
    if (!read_plain(options, &code)) {
        return code;
    }
    fence_sources_init(&sources);
    if (!fence_sources_read(&sources, options) || !read_marked(&sources, &marked)) {
        code = EXIT_BAD_INPUT;
    } else {
        code = find_fences(options, &sources, &marked, limits_now() - start);
        marked_delete(&marked);
    }
    fence_sources_delete(&sources);
    return code;
}
