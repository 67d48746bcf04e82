/* The report of `picket fence`: each fence with what it keeps apart, why there are not fewer, and the patch. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fence.h"
#include "engine/json_text.h"
#include "report/assumed.h"
#include "report/report.h"
#include "util/memory.h"

static const struct program *program_of(const struct fence_result *result) {
    return &result->synthesis->marked->program;
}

/* A position in terms of the user's files. */
static const char *locate(const struct fence_result *result, uint32_t pos, uint32_t *line) {
    const struct position *position = &program_of(result)->positions[pos];
    *line = position->line;
    return fence_original(result->sources, program_string(program_of(result), position->file), line);
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
                                        [PLACE_AFTER] = "after this transition's instruction"};
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
            "and the access that it is delayed past are in one statement, or in a header elsewhere");
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
    const struct verdict *last = &synthesis->last;
    char *bounds = last->bounds[0] ? memory_format(" within bounds (%s)", last->bounds)
                                   : memory_copy_text(last->bounded ? " within bounds, as assumed" : "");
    if (full + store == 0) {
        printf("no fence is needed: the program is %s under %s%s\n", goal, model, bounds);
        assumed_print(last, true, stdout);
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
    assumed_print(last, true, stdout);
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
    static const char *const sides[] = {[PLACE_BETWEEN] = "line", [PLACE_BEFORE] = "before", [PLACE_AFTER] = "behind"};
    char *why = reason_text(result, reason);
    json_t *object = json_pack("{s:o, s:i, s:s, s:s, s:s, s:o, s:o, s:i, s:o, s:i}", "file", json_text(source->name),
                               "line", (int)place->line, "place", place->splits ? "in the line" : sides[place->side],
                               "kind", element_kind(reason->element) == FENCE_FULL ? "full" : "store", "instruction",
                               fence_text(result, place, element_kind(reason->element)), "reason", json_text(why),
                               "store_file", json_text(first_file), "store_line", (int)first_line,
                               reason->second_is_store ? "later_store_file" : "load_file", json_text(second_file),
                               reason->second_is_store ? "later_store_line" : "load_line", (int)second_line);
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
    struct report report = {.engine = synthesis->engine ? synthesis->engine : "",
                            .model = result->options->model,
                            .front_s = result->front_s};
    json_t *object = report_head_json(&report, last);
    json_object_set_new(object, "verdict", json_string(done ? "safe" : "undecided"));
    json_object_set_new(object, "goal", json_string(goal_names[synthesis->goal]));
    json_object_set_new(object, "time_s", json_real(result->time_s));
    json_object_set_new(object, "checks", json_integer((json_int_t)synthesis->checks));
    json_object_set_new(object, "executions", json_integer((json_int_t)synthesis->clauses.count));
    json_object_set_new(object, "full", json_integer((json_int_t)full));
    json_object_set_new(object, "store", json_integer((json_int_t)store));
    json_object_set_new(object, "smallest", json_boolean(done && synthesis->undecided == 0));
    json_object_set_new(object, "fences", fences);
    json_object_set_new(object, "patch", json_text(done && result->patch ? result->patch : ""));
    json_object_set_new(object, "assumptions", assumed_json(last, true));
    if (!done) {
        char *text = failure_text(result);
        json_object_set_new(object, "reason", json_text(text));
        free(text);
    }
    report_print_json(object, stdout);
}
