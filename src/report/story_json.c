#include "report/story_json.h"

#include "engine/json_text.h"
#include "explain/circumstances.h"
#include "report/story.h"

static json_t *text_or_null(const char *text) {
    return text ? json_text(text) : json_null();
}

static json_t *steps_json(const struct story *story, const struct program *program) {
    json_t *steps = json_array();
    for (size_t i = 0; i < story->rows.count; i++) {
        const struct story_row *row = vector_at(&story->rows, i);
        const struct position *position = &program->positions[row->pos];
        json_t *what = json_array();
        for (size_t k = 0; k < row->lines.count; k++) {
            json_array_append_new(what, json_text(*(char **)vector_at(&row->lines, k)));
        }
        json_array_append_new(steps, json_pack("{s:s, s:o, s:I, s:o, s:o, s:I, s:b, s:b}", "thread",
                                               machine_thread_name(story->machine, row->thread), "file",
                                               json_text(row->pos ? program_string(program, position->file) : ""),
                                               "line", (json_int_t)(row->pos ? position->line : 0), "source",
                                               json_text(row->source ? row->source : ""), "what", what, "times",
                                               (json_int_t)row->times, "drain", (int)row->drain, "outdated",
                                               (int)row->outdated));
    }
    return steps;
}

static json_t *place_json(const struct program *program, uint32_t pos) {
    const struct position *position = &program->positions[pos];
    return json_pack("{s:o, s:I, s:o}", "file", json_text(program_string(program, position->file)), "line",
                     (json_int_t)position->line, "function", json_text(program_string(program, position->function)));
}

/* Loads that read outdated values: their threads, positions, and the stores they missed. */
static json_t *outdated_json(const struct story *story, const struct program *program) {
    json_t *list = json_array();
    for (size_t i = 0; i < story->outdated.count; i++) {
        const struct story_outdated *at = vector_at(&story->outdated, i);
        json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:o}", "thread",
                                              machine_thread_name(story->machine, at->thread), "read",
                                              place_json(program, at->pos), "missed_thread",
                                              machine_thread_name(story->machine, at->missed_thread), "missed_store",
                                              place_json(program, at->missed_pos)));
    }
    return list;
}

static json_t *texts_json(const struct vector *texts) {
    json_t *list = json_array();
    for (size_t i = 0; i < texts->count; i++) {
        json_array_append_new(list, json_text(*(char **)vector_at(texts, i)));
    }
    return list;
}

static json_t *causes_json(const struct vector *causes) {
    json_t *list = json_array();
    for (size_t i = 0; i < causes->count; i++) {
        const struct story_cause *cause = vector_at(causes, i);
        json_array_append_new(list, json_pack("{s:s, s:o}", "pattern", cause->pattern, "text", json_text(cause->text)));
    }
    return list;
}

static json_t *calls_json(const struct vector *calls, const struct program *program) {
    json_t *list = json_array();
    for (size_t i = 0; i < calls->count; i++) {
        json_array_append_new(list, place_json(program, *(uint32_t *)vector_at(calls, i)));
    }
    return list;
}

static json_t *circumstances_json(const struct vector *list) {
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct circumstance *at = vector_at(list, i);
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:I}", "text", json_text(at->text),
                                               "thread", json_text(at->thread), "file", json_text(at->file), "line",
                                               (json_int_t)at->line, "holder", text_or_null(at->holder), "since_file",
                                               text_or_null(at->since_file), "since_line", (json_int_t)at->since_line));
    }
    return array;
}

static void add_circumstances(const struct report *report, const struct witness *witness, json_t *object) {
    struct vector around;
    vector_init(&around, sizeof(struct circumstance));
    circumstances_find(witness, report->program, &around);
    if (around.count > 0) {
        json_object_set_new(object, "circumstances", circumstances_json(&around));
    }
    circumstances_delete(&around);
}

void story_add_json(const struct report *report, const struct witness *witness, json_t *object) {
    struct story story;
    bool good = story_build(&story, witness, report->program, &witness->files, report->explain);
    add_circumstances(report, witness, object);
    json_object_set_new(object, "steps", good ? steps_json(&story, report->program) : json_array());
    if (good && witness->kind == ERROR_DEADLOCK) { /* it waits at the first lock of its cycle */
        const struct position *position = &report->program->positions[story.error_pos];
        json_object_set_new(object, "file", json_text(program_string(report->program, position->file)));
        json_object_set_new(object, "line", json_integer(position->line));
    }
    if (good && report->explain) {
        json_object_set_new(object, "calls", calls_json(&story.calls, report->program));
        json_object_set_new(object, "outdated", outdated_json(&story, report->program));
        json_object_set_new(object, "cycle", texts_json(&story.cycle));
        json_object_set_new(object, "cause", causes_json(&story.causes));
    }
    story_delete(&story);
}
