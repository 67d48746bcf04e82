/* What GitHub reads of SARIF: rules with help, a location for each result, related locations, code flows of at most a
 * thousand locations, and a fingerprint that stays when lines move. */
#include "report/sarif.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/json_text.h"
#include "picket_version.h"
#include "report/assumed.h"
#include "report/story.h"
#include "util/memory.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"
#define MOST_LOCATIONS 1000

static const char *const helps[ERROR_COUNT] = {
    [ERROR_NONE] = "No error.",
    [ERROR_ASSERT] = "An assertion fails in some execution.",
    [ERROR_ABORT] = "The program calls abort in some execution.",
    [ERROR_REACH] = "The program reaches what it says must not be reached.",
    [ERROR_NULL_POINTER] = "A null pointer is used for an access.",
    [ERROR_DANGLING] = "An object is used after its life has ended.",
    [ERROR_BOUNDS] = "An access lies outside of its object.",
    [ERROR_WILD] = "A pointer that points to no object is used.",
    [ERROR_READ_ONLY] = "A constant is written.",
    [ERROR_MISUSE] = "A pointer is used for what it does not point to.",
    [ERROR_DOUBLE_FREE] = "An object is freed twice.",
    [ERROR_BAD_FREE] = "What is freed was not allocated.",
    [ERROR_DEADLOCK] = "Threads are blocked for ever.",
    [ERROR_NOT_OWNER] = "A lock is given back by a thread that does not hold it.",
    [ERROR_DESTROYED] = "A lock or the like is used after it was destroyed.",
    [ERROR_DESTROY_IN_USE] = "A lock or the like is destroyed while it is in use.",
    [ERROR_BAD_JOIN] = "A thread is joined that was joined or detached before.",
    [ERROR_OVERLAP] = "memcpy copies between ranges that overlap.",
    [ERROR_DIVISION] = "A division by zero, or one whose result does not fit.",
    [ERROR_UNREACHABLE] = "Code is reached that the program says is never reached.",
    [ERROR_STACK] = "Functions call themselves too deep for the stack.",
    [ERROR_ATOMIC_BLOCKED] = "A thread waits inside an atomic section, where no other thread can wake it.",
    [ERROR_LEAK] = "Memory is never freed.",
    [ERROR_UNINITIALISED] = "An uninitialised value is used.",
    [ERROR_RACE] = "Two accesses race: nothing orders them, one writes, and one is not atomic.",
    [ERROR_LIVENESS] = "Threads wait in loops for ever.",
    [ERROR_STALE] = "The address of an object whose life has ended is compared.",
    [ERROR_GOAL] = "All threads of an automaton reach their final states.",
    [ERROR_STATE] = "The store buffer makes a final state possible that the program does not have under SC.",
};

/* --- Places ------------------------------------------------------------------------------------------------------- */

/* A file name as part of a URI. */
static json_t *uri_of(const char *file) {
    char *uri = memory_allocate(3 * strlen(file) + 1);
    size_t used = 0;
    for (const char *at = file; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        if (isalnum(byte) || strchr("-._~/", byte)) {
            uri[used++] = *at;
        } else {
            used += (size_t)sprintf(uri + used, "%%%02X", byte);
        }
    }
    json_t *value = json_text(uri);
    free(uri);
    return value;
}

static json_t *physical(const char *file, uint32_t line, uint32_t column) {
    json_t *region = json_pack("{s:i}", "startLine", line > 0 ? (int)line : 1);
    if (column > 0) {
        json_object_set_new(region, "startColumn", json_integer(column));
    }
    return json_pack("{s:{s:{s:o}, s:o}}", "physicalLocation", "artifactLocation", "uri", uri_of(file), "region",
                     region);
}

static json_t *location(const struct program *program, uint32_t pos, const char *text) {
    const struct position *position = &program->positions[pos];
    json_t *place = physical(program_string(program, position->file), position->line, position->column);
    if (text) {
        json_object_set_new(place, "message", json_pack("{s:o}", "text", json_text(text)));
    }
    return place;
}

/* --- Fixes -------------------------------------------------------------------------------------------------------- */

/* A run of lines that a patch changes: `removed` lines from line `first` on become `text`. */
struct change {
    unsigned first;
    unsigned removed;
    char *text;
};

static void end_change(struct change *change, json_t *replacements) {
    if (change->removed > 0 || change->text) {
        json_array_append_new(replacements,
                              json_pack("{s:{s:i, s:i, s:i, s:i}, s:{s:o}}", "deletedRegion", "startLine",
                                        (int)change->first, "startColumn", 1, "endLine",
                                        (int)(change->first + change->removed), "endColumn", 1, "insertedContent",
                                        "text", json_text(change->text ? change->text : "")));
        free(change->text);
        *change = (struct change){0};
    }
}

static void add_changed(struct change *change, unsigned line, const char *patch, size_t length) {
    if (!change->text && change->removed == 0) {
        change->first = line;
    }
    if (*patch == '-') {
        change->removed++;
    } else {
        char *longer = memory_format("%s%.*s\n", change->text ? change->text : "", (int)length - 1, patch + 1);
        free(change->text);
        change->text = longer;
    }
}

/* A patch as SARIF has it: by file, which lines are replaced by what. */
static json_t *fixes_of(const char *patch) {
    json_t *files = json_array();
    json_t *replacements = NULL;
    struct change change = {0};
    unsigned line = 0;
    while (*patch) {
        size_t length = strcspn(patch, "\n");
        if (strncmp(patch, "--- a/", 6) == 0) {
            char *name = memory_format("%.*s", (int)length - 6, patch + 6);
            replacements = json_array();
            json_array_append_new(files, json_pack("{s:{s:o}, s:o}", "artifactLocation", "uri", uri_of(name),
                                                   "replacements", replacements));
            free(name);
        } else if (strncmp(patch, "@@ -", 4) == 0) {
            line = (unsigned)strtoul(patch + 4, NULL, 10);
        } else if (replacements && strncmp(patch, "+++ ", 4) != 0 && (*patch == '+' || *patch == '-')) {
            add_changed(&change, line, patch, length);
            line += *patch == '-';
        } else if (replacements) {
            end_change(&change, replacements);
            line++;
        }
        patch += length + (patch[length] == '\n');
    }
    if (replacements) {
        end_change(&change, replacements);
    }
    return files;
}

/* --- The result --------------------------------------------------------------------------------------------------- */

static char *row_text(const struct story_thread *thread, const struct story_row *row) {
    char *text = memory_format("%s:", thread->title);
    for (size_t i = 0; i < row->lines.count; i++) {
        char *longer = memory_format("%s %s", text, *(char **)vector_at(&row->lines, i));
        free(text);
        text = longer;
    }
    return text;
}

/* Which rows are shown: those that matter most first, then the ones nearest the error. */
static bool *choose_rows(const struct story *story) {
    bool *chosen = memory_allocate(story->rows.count + 1);
    size_t left = MOST_LOCATIONS;
    for (size_t i = story->rows.count; i-- > 0 && left > 0;) {
        chosen[i] = ((const struct story_row *)vector_at(&story->rows, i))->needed;
        left -= chosen[i];
    }
    for (size_t i = story->rows.count; i-- > 0 && left > 0;) {
        left -= !chosen[i];
        chosen[i] = true;
    }
    return chosen;
}

/* A flow for each thread; the order among them is that of the execution. */
static json_t *code_flow(const struct story *story, const struct program *program) {
    json_t *threads = json_array();
    bool *chosen = choose_rows(story);
    for (size_t t = 0; t < story->threads.count; t++) {
        const struct story_thread *thread = vector_at(&story->threads, t);
        json_t *locations = json_array();
        for (size_t i = 0; i < story->rows.count; i++) {
            const struct story_row *row = vector_at(&story->rows, i);
            if (chosen[i] && row->thread == thread->slot && row->pos > 0) {
                char *text = row_text(thread, row);
                json_array_append_new(locations,
                                      json_pack("{s:o, s:I, s:s}", "location", location(program, row->pos, text),
                                                "executionOrder", (json_int_t)row->first + 1, "importance",
                                                row->outdated || row->drain ? "essential" : "important"));
                free(text);
            }
        }
        if (json_array_size(locations) > 0) {
            json_array_append_new(threads,
                                  json_pack("{s:o, s:o}", "id", json_text(thread->title), "locations", locations));
        } else {
            json_decref(locations);
        }
    }
    free(chosen);
    return json_pack("{s:o}", "threadFlows", threads);
}

/* Kind and text of the line that fails, not its number. */
static uint64_t fingerprint(const struct story *story, const char *kind) {
    uint64_t hash = UINT64_C(14695981039346656037);
    const struct story_row *last = story->rows.count > 0 ? vector_at(&story->rows, story->rows.count - 1) : NULL;
    const char *const parts[] = {kind, last && last->source ? last->source : ""};
    for (size_t p = 0; p < 2; p++) {
        for (const char *at = parts[p]; *at; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

static json_t *result_of(const struct report *report, const struct verdict *verdict) {
    const struct witness *witness = &verdict->witness;
    const char *kind = error_names[witness->kind];
    struct story story;
    json_t *flows = json_array();
    json_t *related = json_array();
    json_t *place = physical(witness->file, witness->line, 0);
    char print[17] = "";
    if (story_build(&story, witness, report->program, &witness->files, report->explain)) {
        json_decref(place);
        place = location(report->program, story.error_pos, NULL);
        json_array_append_new(flows, code_flow(&story, report->program));
        for (size_t i = 0; i < story.notes.count; i++) {
            const struct story_note *note = vector_at(&story.notes, i);
            json_array_append_new(related, location(report->program, note->pos, note->text));
        }
        snprintf(print, sizeof print, "%016" PRIx64, fingerprint(&story, kind));
    }
    story_delete(&story);
    json_t *result =
        json_pack("{s:s, s:i, s:s, s:{s:o}, s:[o], s:o, s:o}", "ruleId", kind, "ruleIndex", (int)witness->kind - 1,
                  "level", "error", "message", "text", json_text(verdict->error.message), "locations", place,
                  "relatedLocations", related, "codeFlows", flows);
    if (report->help) {
        const char *what = report->help_checked ? "With these fences no error is reachable."
                                                : "This fence stops this execution; more is not known.";
        json_object_set_new(
            result, "fixes",
            json_pack("[{s:{s:s}, s:o}]", "description", "text", what, "artifactChanges", fixes_of(report->help)));
    }
    if (print[0]) {
        json_object_set_new(result, "partialFingerprints", json_pack("{s:s}", "kindAndSourceLine/v1", print));
    }
    return result;
}

/* --- The log ------------------------------------------------------------------------------------------------------ */

static json_t *rules(void) {
    json_t *list = json_array();
    for (int i = ERROR_NONE + 1; i < ERROR_COUNT; i++) {
        json_array_append_new(list, json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", error_names[i], "shortDescription",
                                              "text", helps[i], "help", "text", helps[i]));
    }
    return list;
}

static void print_log(json_t *results, json_t *notifications, bool successful, FILE *out) {
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o, s:[{s:b, s:o}], s:s}]}", "$schema", SCHEMA,
                            "version", "2.1.0", "runs", "tool", "driver", "name", "picket", "version", PICKET_VERSION,
                            "rules", rules(), "results", results, "invocations", "executionSuccessful", (int)successful,
                            "toolExecutionNotifications", notifications, "columnKind", "utf16CodeUnits");
    json_dumpf(log, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(log);
}

static json_t *notification(const char *level, const char *text, const char *file, uint32_t line, uint32_t column) {
    json_t *object = json_pack("{s:s, s:{s:o}}", "level", level, "message", "text", json_text(text));
    if (file && *file) {
        json_object_set_new(object, "locations", json_pack("[o]", physical(file, line, column)));
    }
    return object;
}

void report_sarif(const struct report *report, const struct verdict *verdict, FILE *out) {
    json_t *results = json_array();
    json_t *notifications = json_array();
    switch (verdict->word) {
    case VERDICT_VIOLATION:
        json_array_append_new(results, result_of(report, verdict));
        break;
    case VERDICT_SAFE:
        if (verdict->bounded) {
            json_t *bounds = assumed_bounds_json(verdict);
            char *text = memory_format("safe within bounds: %s", json_string_value(bounds));
            json_array_append_new(notifications, notification("note", text, NULL, 0, 0));
            free(text);
            json_decref(bounds);
        }
        break;
    case VERDICT_UNDECIDED:
        json_array_append_new(notifications, notification("warning", verdict->reason, NULL, 0, 0));
        break;
    default:
        json_array_append_new(notifications, notification("error", verdict->reason, verdict->file, verdict->line, 0));
        break;
    }
    print_log(results, notifications, verdict->word == VERDICT_SAFE || verdict->word == VERDICT_VIOLATION, out);
}

void report_error_sarif(const struct diagnostics *diagnostics, FILE *out) {
    json_t *notifications = json_array();
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        const struct diagnostic *diagnostic = vector_at(&diagnostics->list, i);
        json_array_append_new(notifications, notification("error", diagnostic->message, diagnostic->file,
                                                          diagnostic->line, diagnostic->column));
    }
    print_log(json_array(), notifications, false, out);
}

/* --- GitHub ------------------------------------------------------------------------------------------------------- */

/* In properties commas and colons end the value. */
static void put_escaped(const char *text, bool property, FILE *out) {
    for (const char *at = text; *at; at++) {
        if (*at == '%' || *at == '\r' || *at == '\n' || (property && (*at == ',' || *at == ':'))) {
            fprintf(out, "%%%02X", (unsigned)*at);
        } else {
            fputc(*at, out);
        }
    }
}

static void put_line(const char *command, const char *file, uint32_t line, uint32_t column, const char *title,
                     const char *text, FILE *out) {
    fprintf(out, "::%s ", command);
    if (file && *file) {
        fputs("file=", out);
        put_escaped(file, true, out);
        fprintf(out, ",line=%u", line > 0 ? line : 1);
        if (column > 0) {
            fprintf(out, ",col=%u", column);
        }
        fputc(',', out);
    }
    fprintf(out, "title=picket %s::", title);
    put_escaped(text, false, out);
    fputc('\n', out);
}

void report_github(const struct report *report, const struct verdict *verdict, FILE *out) {
    const struct witness *witness = &verdict->witness;
    struct story story;
    switch (verdict->word) {
    case VERDICT_VIOLATION:
        if (story_build(&story, witness, report->program, &witness->files, report->explain)) {
            const struct position *positions = report->program->positions;
            const struct position *at = &positions[story.error_pos];
            put_line("error", program_string(report->program, at->file), at->line, at->column,
                     error_names[witness->kind], verdict->error.message, out);
            for (size_t i = 0; i < story.notes.count; i++) {
                const struct story_note *note = vector_at(&story.notes, i);
                at = &positions[note->pos];
                put_line("notice", program_string(report->program, at->file), at->line, at->column, "note", note->text,
                         out);
            }
        } else {
            put_line("error", witness->file, witness->line, 0, error_names[witness->kind], verdict->error.message, out);
        }
        story_delete(&story);
        break;
    case VERDICT_SAFE:
        put_line("notice", NULL, 0, 0, verdict->bounded ? "safe within bounds" : "safe", "no error is reachable", out);
        break;
    case VERDICT_UNDECIDED:
        put_line("warning", NULL, 0, 0, "undecided", verdict->reason, out);
        break;
    default:
        put_line("error", verdict->file, verdict->line, 0, "error", verdict->reason, out);
        break;
    }
}
