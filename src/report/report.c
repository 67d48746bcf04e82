/* Text and JSON reports. */
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"

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

/* Engines that walk states, or ask a solver, have no executions to count. */
static void print_counts(const struct verdict *verdict, FILE *out) {
    const struct formula *formula = &verdict->formula;
    bool runs = verdict->traces + verdict->blocked + verdict->cut > 0 || (verdict->states == 0 && !formula->given);
    if (runs) {
        fprintf(out, "  %" PRIu64 " execution%s complete, %" PRIu64 " blocked, %" PRIu64 " cut", verdict->traces,
                verdict->traces == 1 ? "" : "s", verdict->blocked, verdict->cut);
    }
    if (verdict->states > 0) {
        fprintf(out, "%s%" PRIu64 " states", runs ? "; " : "  ", verdict->states);
    }
    if (formula->given) {
        fprintf(out, "%s%" PRIu64 " events, %" PRIu64 " clauses", runs ? "; " : "  ", formula->events,
                formula->clauses);
    }
    fprintf(out, "; %.2f s, %" PRIu64 " MB\n", verdict->time_s, limits_peak_memory());
}

static void print_violation(const struct report *report, const struct verdict *verdict, FILE *out) {
    const struct witness *witness = &verdict->witness;
    fprintf(out, "%s:%u: %s: %s (in %s%s, under %s)\n", witness->file, witness->line, error_names[witness->kind],
            verdict->error.message, strcmp(witness->thread, "main") == 0 ? "" : "thread ", witness->thread,
            model_title(report->model));
    if (!report->quiet) {
        fputs("\nHow it happens:\n\n", out);
        columns_print(witness, report->program, out);
        fputc('\n', out);
    }
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

void report_text(const struct report *report, const struct verdict *verdict, FILE *out) {
    const char *title = model_title(report->model);
    switch (verdict->word) {
    case VERDICT_SAFE:
        if (verdict->bounded) {
            fprintf(out, "safe within bounds under %s (%s%s%s%s)\n", title, verdict->bounds, report->omits ? "; " : "",
                    report->omits ? report->omits : "", report->omits ? " aside" : "");
        } else if (report->omits) {
            fprintf(out, "safe under %s, %s aside: no other error is reachable in any execution\n", title,
                    report->omits);
        } else {
            fprintf(out, "safe under %s: no error is reachable in any execution\n", title);
        }
        break;
    case VERDICT_VIOLATION:
        print_violation(report, verdict, out);
        fprintf(out, "violation under %s, replayed", title);
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
        fprintf(out, "%s:%u: error: %s\n", verdict->file, verdict->line, verdict->reason);
        return;
    }
    print_collected(verdict, out);
    print_counts(verdict, out);
}

static json_t *counts_json(const struct report *report, const struct verdict *verdict) {
    return json_pack("{s:s, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I}", "verdict",
                     verdict_words[verdict->word], "bounded", verdict->bounded, "bounds", verdict->bounds, "model",
                     model_names[report->model], "engine", report->engine, "traces", (json_int_t)verdict->traces,
                     "blocked", (json_int_t)verdict->blocked, "cut", (json_int_t)verdict->cut, "redundant",
                     (json_int_t)verdict->redundant, "states", (json_int_t)verdict->states, "queries",
                     (json_int_t)verdict->queries, "front_s", report->front_s, "time_s", verdict->time_s, "memory_mb",
                     (json_int_t)limits_peak_memory());
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
            json_array_append_new(states, json_string(*(char **)vector_at(&collected->texts, i)));
        }
        json_object_set_new(object, "final_states", states);
    }
    if (collected->traces > 0 || collected->blocked > 0) {
        char digest[17];
        snprintf(digest, sizeof digest, "%016" PRIx64, collected->digest);
        json_object_set_new(object, "different_traces", json_integer((json_int_t)collected->traces));
        json_object_set_new(object, "different_blocked", json_integer((json_int_t)collected->blocked));
        json_object_set_new(object, "traces_digest", json_string(digest));
    }
}

static void print_json(json_t *object, FILE *out) {
    json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(object);
}

void report_json(const struct report *report, const struct verdict *verdict, FILE *out) {
    json_t *object = counts_json(report, verdict);
    if (verdict->word == VERDICT_VIOLATION) {
        const struct witness *witness = &verdict->witness;
        json_object_set_new(object, "kind", json_string(error_names[witness->kind]));
        json_object_set_new(object, "message", json_string(verdict->error.message));
        json_object_set_new(object, "file", json_string(witness->file));
        json_object_set_new(object, "line", json_integer(witness->line));
        json_object_set_new(object, "thread", json_string(witness->thread));
        json_object_set_new(object, "witness", report->witness_path ? json_string(report->witness_path) : json_null());
    } else if (verdict->word == VERDICT_SAFE && report->omits) {
        json_object_set_new(object, "omits", json_string(report->omits));
    } else if (verdict->word != VERDICT_SAFE) {
        json_object_set_new(object, "message", json_string(verdict->reason));
    }
    if (verdict->word == VERDICT_REFUSED) {
        json_object_set_new(object, "file", json_string(verdict->file));
        json_object_set_new(object, "line", json_integer(verdict->line));
    }
    add_formula(object, &verdict->formula);
    add_collected(object, verdict);
    print_json(object, out);
}

void report_error_json(const struct report *report, const struct diagnostics *diagnostics, FILE *out) {
    struct verdict nothing = {.word = VERDICT_DEFECT};
    json_t *object = counts_json(report, &nothing);
    const struct diagnostic *first = diagnostics_empty(diagnostics) ? NULL : vector_at(&diagnostics->list, 0);
    json_object_set_new(object, "message", json_string(first ? first->message : ""));
    json_object_set_new(object, "file", json_string(first ? first->file : ""));
    json_object_set_new(object, "line", json_integer(first ? first->line : 0));
    print_json(object, out);
}
