/* The report of `picket fence`: each fence with what it keeps apart, why there are not fewer, and the patch. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fence.h"
#include "util/memory.h"

static const struct program *program_of(const struct fence_result *result) {
    return &result->synthesis->marked->program;
}

/* A position in terms of the user's files. */
static const char *locate(const struct fence_result *result, uint32_t pos, uint32_t *line) {
    const struct position *position = &program_of(result)->positions[pos];
    const char *file = program_string(program_of(result), position->file);
    *line = position->line;
    int64_t source = fence_source_of(result->sources, file);
    if (source >= 0) {
        const struct written *written = vector_at(&result->sources->written, (size_t)source);
        *line = *line < written->lines.count ? *(uint32_t *)vector_at(&written->lines, *line) : 0;
        file = ((struct source *)vector_at(&result->sources->sources, (size_t)source))->name;
    }
    return file;
}

static const char *fence_text(const struct fence_result *result, const struct place *place, enum fence_kind kind) {
    const struct source *source = vector_at(&result->sources->sources, place->source);
    if (source->language == SOURCE_AUTOMATON) {
        return kind == FENCE_FULL ? "mfence" : "sfence";
    }
    return kind == FENCE_FULL ? "atomic_thread_fence(memory_order_seq_cst)"
                              : "atomic_thread_fence(memory_order_release)";
}

static const char *side_text(const struct place *place) {
    static const char *const texts[] = {[PLACE_BETWEEN] = "before this line",
                                        [PLACE_BEFORE] = "before this transition's instruction",
                                        [PLACE_BEHIND] = "behind this transition's instruction"};
    return place->splits ? "in this line, which is broken there" : texts[place->side];
}

/* What the fence keeps apart, in words.  The caller frees it. */
static char *reason_text(const struct fence_result *result, const struct reason *reason) {
    uint32_t first_line;
    uint32_t second_line;
    const char *first_file = locate(result, reason->first, &first_line);
    const char *second_file = locate(result, reason->second, &second_line);
    const char *thread = strcmp(reason->thread, "main") == 0 ? "" : "thread ";
    if (reason->second == 0) {
        return memory_format("%s%s's write of %s (%s:%u) is delayed past its next step", thread, reason->thread,
                             reason->first_name, first_file, first_line);
    }
    if (reason->second_is_store) {
        return memory_format("%s%s's write of %s (%s:%u) reaches memory after its later write of %s (%s:%u)", thread,
                             reason->thread, reason->first_name, first_file, first_line, reason->second_name,
                             second_file, second_line);
    }
    const char *link = result->options->goal == GOAL_TRIANGULAR ? "is followed, with no fence between, by its racing"
                                                                : "is delayed past its";
    return memory_format("%s%s's write of %s (%s:%u) %s read of %s (%s:%u)", thread, reason->thread, reason->first_name,
                         first_file, first_line, link, reason->second_name, second_file, second_line);
}

static void count_fences(const struct fence_result *result, size_t *full, size_t *store) {
    *full = *store = 0;
    for (uint32_t p = 0; p < result->synthesis->marked->places; p++) {
        *full += result->synthesis->kinds[p] == FENCE_FULL;
        *store += result->synthesis->kinds[p] == FENCE_STORE;
    }
}

static const char *goal_text(enum fence_goal goal) {
    static const char *const texts[GOAL_COUNT] = {
        [GOAL_ROBUST] = "robust", [GOAL_SAFETY] = "safe", [GOAL_TRIANGULAR] = "free of triangular races"};
    return texts[goal];
}

/* Why there is no set, in words.  The caller frees it. */
static char *failure_text(const struct fence_result *result) {
    const struct synthesis *synthesis = result->synthesis;
    const struct machine_error *error = &synthesis->error;
    uint32_t line = 0;
    const char *file = error->kind != ERROR_NONE ? locate(result, error->pos, &line) : "";
    switch (synthesis->end) {
    case SYNTHESIS_IMPOSSIBLE:
        return synthesis->goal == GOAL_SAFETY
                   ? memory_format("no fence repairs this program: the error is reachable under SC too (%s at %s:%u)",
                                   error_names[error->kind], file, line)
                   : memory_copy_text("no fence stops one of the executions");
    case SYNTHESIS_NO_PLACE:
        return memory_copy_text(
            "no fence between two statements of these files stops one of the executions: the store "
            "and what it is delayed past stand in one statement, or in a header that lies elsewhere");
    default:
        return memory_format("no set of fences found: %s", synthesis->message);
    }
}

/* --- Text --------------------------------------------------------------------------------------------------------- */

static void print_set(const struct fence_result *result) {
    const struct synthesis *synthesis = result->synthesis;
    size_t full;
    size_t store;
    count_fences(result, &full, &store);
    const char *model = result->options->model == MODEL_TSO ? "TSO" : "PSO";
    const char *goal = goal_text(synthesis->goal);
    char *bounds =
        synthesis->last.bounded ? memory_format(" within bounds (%s)", synthesis->last.bounds) : memory_copy_text("");
    if (full + store == 0) {
        printf("no fence is needed: the program is %s under %s%s\n", goal, model, bounds);
        free(bounds);
        return;
    }
    printf("%zu fence%s, %zu full and %zu store barrier%s: with %s the program is %s under %s%s\n\n", full + store,
           full + store == 1 ? "" : "s", full, store, store == 1 ? "" : "s", full + store == 1 ? "it" : "them", goal,
           model, bounds);
    for (size_t i = 0; i < synthesis->reasons.count; i++) {
        const struct reason *reason = vector_at(&synthesis->reasons, i);
        const struct place *place = vector_at(&result->sources->places, element_place(reason->element));
        const struct source *source = vector_at(&result->sources->sources, place->source);
        char *why = reason_text(result, reason);
        printf("  %s:%u: %s %s\n      without it, %s\n", source->name, place->line,
               fence_text(result, place, element_kind(reason->element)), side_text(place), why);
        free(why);
    }
    const char *smaller = result->options->weigh_loops ? "cheaper" : "smaller";
    size_t count = synthesis->clauses.count;
    if (synthesis->undecided > 0) {
        printf("\nA %s set may do: for %" PRIu64 " that %s tried it was not decided whether an error is reachable.\n",
               smaller, synthesis->undecided, synthesis->undecided == 1 ? "was" : "were");
    } else {
        printf("\nNo %s set does: %zu execution%s found that %s stopped, and every %s set leaves %s possible.\n",
               smaller, count, count == 1 ? " was" : "s were", count == 1 ? "must be" : "must all be", smaller,
               count == 1 ? "it" : "one of them");
    }
    printf("The patched program was checked once more, by %s: it is %s.\n", synthesis->engine, goal);
    free(bounds);
}

void fence_print_text(const struct fence_result *result) {
    const struct synthesis *synthesis = result->synthesis;
    if (synthesis->end == SYNTHESIS_DONE) {
        print_set(result);
    } else {
        char *text = failure_text(result);
        printf("%s\n", text);
        free(text);
    }
    printf("  %" PRIu64 " check%s, %zu execution%s to stop; %.2f s\n", synthesis->checks,
           synthesis->checks == 1 ? "" : "s", synthesis->clauses.count, synthesis->clauses.count == 1 ? "" : "s",
           result->time_s);
    if (synthesis->end == SYNTHESIS_DONE && *result->patch && !result->options->quiet) {
        printf("\n%s", result->patch);
    }
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *fence_json(const struct fence_result *result, const struct reason *reason) {
    const struct place *place = vector_at(&result->sources->places, element_place(reason->element));
    const struct source *source = vector_at(&result->sources->sources, place->source);
    uint32_t first_line;
    uint32_t second_line;
    const char *first_file = locate(result, reason->first, &first_line);
    const char *second_file = locate(result, reason->second, &second_line);
    static const char *const sides[] = {[PLACE_BETWEEN] = "line", [PLACE_BEFORE] = "before", [PLACE_BEHIND] = "behind"};
    char *why = reason_text(result, reason);
    json_t *object =
        json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:i}", "file", source->name, "line", (int)place->line,
                  "place", place->splits ? "in the line" : sides[place->side], "kind",
                  element_kind(reason->element) == FENCE_FULL ? "full" : "store", "instruction",
                  fence_text(result, place, element_kind(reason->element)), "reason", why, "store_file", first_file,
                  "store_line", (int)first_line, reason->second_is_store ? "later_store_file" : "load_file",
                  second_file, reason->second_is_store ? "later_store_line" : "load_line", (int)second_line);
    free(why);
    return object;
}

void fence_print_json(const struct fence_result *result) {
    const struct synthesis *synthesis = result->synthesis;
    const struct verdict *last = &synthesis->last;
    bool done = synthesis->end == SYNTHESIS_DONE;
    json_t *fences = json_array();
    size_t full = 0;
    size_t store = 0;
    if (done) {
        count_fences(result, &full, &store);
    }
    for (size_t i = 0; done && i < synthesis->reasons.count; i++) {
        json_array_append_new(fences, fence_json(result, vector_at(&synthesis->reasons, i)));
    }
    json_t *object =
        json_pack("{s:s, s:b, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:I, s:I, s:I, "
                  "s:b, s:o, s:s}",
                  "verdict", done ? "safe" : "undecided", "bounded", (int)last->bounded, "bounds", last->bounds,
                  "model", model_names[result->options->model], "engine", synthesis->engine ? synthesis->engine : "",
                  "goal", goal_names[synthesis->goal], "traces", (json_int_t)last->traces, "blocked",
                  (json_int_t)last->blocked, "cut", (json_int_t)last->cut, "redundant", (json_int_t)last->redundant,
                  "states", (json_int_t)last->states, "queries", (json_int_t)last->queries, "front_s", result->front_s,
                  "time_s", result->time_s, "memory_mb", (json_int_t)limits_peak_memory(), "checks",
                  (json_int_t)synthesis->checks, "executions", (json_int_t)synthesis->clauses.count, "full",
                  (json_int_t)full, "store", (json_int_t)store, "smallest", (int)(done && synthesis->undecided == 0),
                  "fences", fences, "patch", done && result->patch ? result->patch : "");
    if (!done) {
        char *text = failure_text(result);
        json_object_set_new(object, "reason", json_string(text));
        free(text);
    }
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}
