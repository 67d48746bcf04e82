/* Text and JSON reports. */
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/json_text.h"
#include "explain/shortest.h"
#include "report/assumed.h"
#include "report/color.h"
#include "report/columns.h"
#include "report/engines.h"
#include "report/story_json.h"
#include "report/story_text.h"

static const char *const verdict_words[] = {
    [VERDICT_SAFE] = "safe",    [VERDICT_VIOLATION] = "violation", [VERDICT_UNDECIDED] = "undecided",
    [VERDICT_DEFECT] = "error", [VERDICT_REFUSED] = "error",
};

enum exit_code verdict_exit_code(const struct verdict *verdict) {
    static const enum exit_code codes[] = {
        [VERDICT_SAFE] = EXIT_HOLDS,    [VERDICT_VIOLATION] = EXIT_VIOLATION, [VERDICT_UNDECIDED] = EXIT_UNDECIDED,
        [VERDICT_DEFECT] = EXIT_DEFECT, [VERDICT_REFUSED] = EXIT_BAD_INPUT,
    };
    return codes[verdict->word];
}

static const char *model_title(enum memory_model model) {
    static const char *const titles[] = {"SC", "TSO", "PSO"};
    return titles[model];
}

/* Engines that search states, or use a solver, have no executions to count. */
static void print_counts(const struct report *report, const struct verdict *verdict, FILE *out) {
    const struct formula *formula = &verdict->formula;
    bool runs = verdict->traces + verdict->blocked + verdict->cut > 0 || (verdict->states == 0 && !formula->given);
    bool named = report->engines && strcmp(report->engines->answered, "auto") != 0;
    if (report->engines && !named) {
        fprintf(out, "  %.2f s, %" PRIu64 " MB\n", verdict->time_s, limits_peak_memory());
        return;
    }
    fprintf(out, "  %s%s%s", named ? "by " : "", named ? report->engines->answered : "", named ? ": " : "");
    if (runs) {
        fprintf(out, "%" PRIu64 " execution%s complete, %" PRIu64 " blocked, %" PRIu64 " cut", verdict->traces,
                verdict->traces == 1 ? "" : "s", verdict->blocked, verdict->cut);
    }
    if (verdict->states > 0) {
        fprintf(out, "%s%" PRIu64 " states", runs ? "; " : "", verdict->states);
    }
    if (formula->given) {
        fprintf(out, "%s%" PRIu64 " events, %" PRIu64 " clauses", runs ? "; " : "", formula->events, formula->clauses);
    }
    fprintf(out, "; %.2f s, %" PRIu64 " MB\n", verdict->time_s, limits_peak_memory());
}

/* Does SC have the error, too? */
static void print_sc(const struct report *report, FILE *out) {
    if (!report->shortest || report->model == MODEL_SC) {
        return;
    }
    fputs(report->shortest->sc == KNOWN_TRUE ? "It needs no store buffer: SC has this error, too, and no fence helps.\n"
          : report->shortest->sc == KNOWN_FALSE ? "Only with store buffers: no execution under SC ends in this error.\n"
                                                : "It is not known whether SC has this error, too.\n",
          out);
}

bool report_execution(const struct report *report, const struct witness *witness, FILE *out) {
    struct story story;
    bool good = story_build(&story, witness, report->program, &witness->files, report->explain);
    if (good && witness->kind == ERROR_STATE) {
        fprintf(out, "%s:%u: error: a final state that the program does not have under SC [%s]\n\n", witness->file,
                witness->line, error_names[witness->kind]);
        good = columns_print(witness, report->program, out);
    } else if (good) {
        story_print_messages(&story, report->terminal, out);
        bool says_sc = report->shortest && report->model != MODEL_SC;
        fputs(says_sc ? "\n" : "", out);
        print_sc(report, out);
        fputs(report->quiet && !says_sc ? "" : "\n", out);
        if (report->full && !report->quiet) {
            good = columns_print(witness, report->program, out);
        } else if (!report->quiet) {
            story_print_rows(&story, story_width(), report->terminal, out);
        }
        if (!report->quiet) {
            story_print_why(&story, story_width(), out);
            if (!report->full) {
                story_print_output(&story, out);
            }
            fputc('\n', out);
        }
    }
    story_delete(&story);
    return good;
}

static void print_collected(const struct verdict *verdict, FILE *out) {
    for (size_t i = 0; i < verdict->collected.texts.count; i++) {
        fprintf(out, "  %s\n", *(char **)vector_at(&verdict->collected.texts, i));
    }
    if (verdict->collected.traces > 0 || verdict->collected.blocked > 0) {
        fprintf(out, "  %" PRIu64 " different traces of complete executions, %" PRIu64 " of blocked ones\n",
                verdict->collected.traces, verdict->collected.blocked);
    }
}

/* Safe, and how far: bounds, what is assumed, what the engine leaves out. */
static void print_safe(const struct report *report, const struct verdict *verdict, FILE *out) {
    bool assumes = verdict->assumptions.count > 0;
    fprintf(out, "safe%s under %s", verdict->bounded ? " within bounds" : "", model_title(report->model));
    if (verdict->bounds[0]) {
        fprintf(out, " (%s%s%s%s)", verdict->bounds, report->omits ? "; " : "", report->omits ? report->omits : "",
                report->omits ? " aside" : "");
    } else {
        fprintf(out, "%s%s%s: no %serror is reachable in any execution", report->omits ? ", " : "",
                report->omits ? report->omits : "", report->omits ? " aside" : "", report->omits ? "other " : "");
    }
    fprintf(out, "%s\n", assumes ? ", as long as what is assumed is true" : "");
}

static void print_length(const struct report *report, const struct witness *witness, FILE *out) {
    const struct shortest *shortest = report->shortest;
    if (shortest && shortest->proved) {
        fputs(", in a shortest execution", out);
    }
    if (shortest && shortest->found && shortest->found_with > witness->steps.count) {
        fprintf(out, " (found with %zu steps)", shortest->found_with);
    }
}

void report_text(const struct report *report, const struct verdict *verdict, FILE *out) {
    const char *title = model_title(report->model);
    switch (verdict->word) {
    case VERDICT_SAFE:
        print_safe(report, verdict, out);
        break;
    case VERDICT_VIOLATION:
        report_execution(report, &verdict->witness, out);
        if (report->help) {
            color_print(out, report->terminal, COLOR_NOTE, "help:", strlen("help:"));
            fprintf(out,
                    report->help_checked
                        ? " with these fences no error is reachable under %s (checked):\n\n"
                        : " this fence stops this execution under %s; whether others end in an error is not known:\n\n",
                    title);
            color_print_patch(out, report->terminal, report->help);
            fputc('\n', out);
        }
        fprintf(out, "violation under %s, replayed", title);
        print_length(report, &verdict->witness, out);
        if (report->witness_path) {
            fprintf(out, "; saved as %s (picket replay shows it again)", report->witness_path);
        }
        fputc('\n', out);
        break;
    case VERDICT_UNDECIDED:
        fprintf(out, "undecided under %s: %s\n", title, verdict->reason);
        break;
    case VERDICT_DEFECT:
        fprintf(out, "picket: a defect in Picket itself: %s\n", verdict->reason);
        break;
    case VERDICT_REFUSED:
        if (verdict->file[0]) {
            fprintf(out, "%s:%u: ", verdict->file, verdict->line);
        }
        fprintf(out, "error: %s\n", verdict->reason);
        return;
    }
    if (verdict->word != VERDICT_VIOLATION) {
        assumed_print(verdict, true, out);
    }
    print_collected(verdict, out);
    print_counts(report, verdict, out);
    if (report->engines) {
        engines_print(report->engines, out);
    }
}

json_t *report_head_json(const struct report *report, const struct verdict *verdict) {
    return json_pack("{s:s, s:b, s:o, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I}", "verdict",
                     verdict_words[verdict->word], "bounded", verdict->bounded, "bounds", assumed_bounds_json(verdict),
                     "model", model_names[report->model], "engine", report->engine, "traces",
                     (json_int_t)verdict->traces, "blocked", (json_int_t)verdict->blocked, "cut",
                     (json_int_t)verdict->cut, "redundant", (json_int_t)verdict->redundant, "states",
                     (json_int_t)verdict->states, "queries", (json_int_t)verdict->queries, "front_s", report->front_s,
                     "time_s", verdict->time_s, "memory_mb", (json_int_t)limits_peak_memory());
}

static void add_formula(json_t *object, const struct formula *formula) {
    if (formula->given) {
        json_object_set_new(object, "events", json_integer((json_int_t)formula->events));
        json_object_set_new(object, "variables", json_integer((json_int_t)formula->variables));
        json_object_set_new(object, "clauses", json_integer((json_int_t)formula->clauses));
        json_object_set_new(object, "encode_s", json_real(formula->encode_s));
        json_object_set_new(object, "solve_s", json_real(formula->solve_s));
    }
}

static void add_collected(json_t *object, const struct verdict *verdict) {
    const struct collected *collected = &verdict->collected;
    if (collected->texts.count > 0) {
        json_t *states = json_array();
        for (size_t i = 0; i < collected->texts.count; i++) {
            json_array_append_new(states, json_text(*(char **)vector_at(&collected->texts, i)));
        }
        json_object_set_new(object, "final_states", states);
    }
    if (collected->traces > 0 || collected->blocked > 0) {
        char digest[17];
        snprintf(digest, sizeof digest, "%016" PRIx64, collected->digest);
        json_object_set_new(object, "different_traces", json_integer((json_int_t)collected->traces));
        json_object_set_new(object, "different_blocked", json_integer((json_int_t)collected->blocked));
        json_object_set_new(object, "traces_digest", json_text(digest));
    }
}

static void add_shortest(json_t *object, const struct shortest *shortest) {
    if (shortest) {
        json_t *sc = shortest->sc == NOT_KNOWN ? json_null() : json_boolean(shortest->sc == KNOWN_TRUE);
        json_object_set_new(object, "sc", sc);
        json_object_set_new(object, "late", json_integer(shortest->cost.late));
        json_object_set_new(object, "switches", json_integer(shortest->cost.switches));
        json_object_set_new(object, "length", json_integer(shortest->cost.steps));
        json_object_set_new(object, "shortest", json_boolean(shortest->proved));
        json_object_set_new(object, "shrunk_from", json_integer((json_int_t)shortest->found_with));
    }
}

void report_print_json(json_t *object, FILE *out) {
    json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(object);
}

void report_json(const struct report *report, const struct verdict *verdict, FILE *out) {
    json_t *object = report_head_json(report, verdict);
    if (verdict->word == VERDICT_VIOLATION) {
        const struct witness *witness = &verdict->witness;
        json_object_set_new(object, "kind", json_text(error_names[witness->kind]));
        json_object_set_new(object, "message", json_text(verdict->error.message));
        json_object_set_new(object, "file", json_text(witness->file));
        json_object_set_new(object, "line", json_integer(witness->line));
        json_object_set_new(object, "thread", json_text(witness->thread));
        json_object_set_new(object, "witness", report->witness_path ? json_text(report->witness_path) : json_null());
        story_add_json(report, witness, object);
        add_shortest(object, report->shortest);
        json_object_set_new(object, "explain_s", json_real(report->explain_s));
        if (report->help) {
            json_object_set_new(object, "help", json_text(report->help));
            json_object_set_new(object, "help_checked", json_boolean(report->help_checked));
        }
    } else if (verdict->word == VERDICT_SAFE && report->omits) {
        json_object_set_new(object, "omits", json_text(report->omits));
    } else if (verdict->word != VERDICT_SAFE) {
        json_object_set_new(object, "message", json_text(verdict->reason));
    }
    if (verdict->word == VERDICT_REFUSED) {
        json_object_set_new(object, "file", json_text(verdict->file));
        json_object_set_new(object, "line", json_integer(verdict->line));
    }
    if (verdict->word != VERDICT_VIOLATION) {
        json_object_set_new(object, "assumptions", assumed_json(verdict, true));
    }
    add_formula(object, &verdict->formula);
    add_collected(object, verdict);
    if (report->engines) {
        json_object_set_new(object, "engines", engines_json(report->engines));
        json_object_set_new(object, "defects", engines_defects_json(report->engines));
    }
    report_print_json(object, out);
}

void report_error_json(const struct report *report, const struct diagnostics *diagnostics, FILE *out) {
    struct verdict nothing = {.word = VERDICT_DEFECT};
    json_t *object = report_head_json(report, &nothing);
    const struct diagnostic *first = diagnostics_empty(diagnostics) ? NULL : vector_at(&diagnostics->list, 0);
    json_object_set_new(object, "message", json_text(first ? first->message : ""));
    json_object_set_new(object, "file", json_text(first ? first->file : ""));
    json_object_set_new(object, "line", json_integer(first ? first->line : 0));
    json_t *errors = json_array();
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        const struct diagnostic *diagnostic = vector_at(&diagnostics->list, i);
        json_array_append_new(errors, json_pack("{s:o, s:I, s:I, s:o}", "file", json_text(diagnostic->file), "line",
                                                (json_int_t)diagnostic->line, "column", (json_int_t)diagnostic->column,
                                                "message", json_text(diagnostic->message)));
    }
    json_object_set_new(object, "errors", errors);
    report_print_json(object, out);
}

void report_unread(const struct report *report, const char *reason, bool json, FILE *out) {
    struct verdict verdict;
    verdict_init(&verdict);
    verdict.word = VERDICT_UNDECIDED;
    snprintf(verdict.reason, sizeof verdict.reason, "%s", reason);
    (json ? report_json : report_text)(report, &verdict, out);
    verdict_delete(&verdict);
}
