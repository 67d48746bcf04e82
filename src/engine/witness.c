/* Witnesses: collecting, saving, loading, and replaying them. */
#include "engine/witness.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/checks.h"
#include "engine/json_text.h"
#include "picket_version.h"
#include "util/memory.h"
#include "util/write_file.h"

void witness_init(struct witness *witness) {
    memset(witness, 0, sizeof *witness);
    vector_init(&witness->steps, sizeof(struct witness_step));
    vector_init(&witness->files, sizeof(char *));
    vector_init(&witness->clang_args, sizeof(char *));
}

static void delete_texts(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

void witness_delete(struct witness *witness) {
    vector_delete(&witness->steps);
    delete_texts(&witness->files);
    delete_texts(&witness->clang_args);
    free(witness->file);
    free(witness->thread);
    memset(witness, 0, sizeof *witness);
}

void witness_add(struct witness *witness, const struct machine *machine, struct transition transition) {
    vector_push(&witness->steps, &(struct witness_step){.thread = machine_thread_number(machine, transition.thread),
                                                        .kind = transition.kind,
                                                        .choice = transition.choice});
}

struct machine_options witness_machine_options(const struct witness *witness) {
    return (struct machine_options){
        .model = witness->model,
        .awaits = witness->awaits,
        .checks = witness->checks,
        .spurious = witness->spurious,
        .thread_depth = witness->thread_depth,
        .malloc_fail = witness->malloc_fail,
    };
}

void witness_set_error(struct witness *witness, const struct machine *machine, const struct machine_error *error) {
    const struct program *program = machine_program(machine);
    const struct position *position = &program->positions[error->pos];
    free(witness->file);
    free(witness->thread);
    witness->kind = error->kind;
    witness->file = memory_copy_text(program_string(program, position->file));
    witness->line = position->line;
    witness->thread = memory_copy_text(machine_thread_name(machine, error->thread));
    witness->program_hash = program_hash(program);
}

bool witness_step_transition(const struct witness_step *step, const struct machine *machine,
                             struct transition *transition) {
    int64_t slot = machine_thread_numbered(machine, step->thread);
    if (slot < 0) {
        return false;
    }
    *transition = (struct transition){.thread = (uint32_t)slot, .kind = step->kind, .choice = step->choice};
    return true;
}

bool witness_transition(const struct witness *witness, size_t index, struct machine *machine,
                        struct transition *transition) {
    return witness_step_transition(vector_at(&witness->steps, index), machine, transition) &&
           machine_is_enabled(machine, *transition);
}

bool witness_take(const struct witness *witness, size_t index, struct machine *machine) {
    struct transition transition;
    bool enabled = witness_transition(witness, index, machine, &transition);
    if (enabled) {
        machine_take(machine, transition);
    }
    return enabled;
}

static bool buffers_are_empty(const struct machine *machine) {
    const struct buffer_entry *entries;
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        if (machine_thread_exists(machine, t) && machine_buffer(machine, t, &entries) > 0) {
            return false;
        }
    }
    return true;
}

bool witness_replays(const struct witness *witness, const struct program *program) {
    struct machine_options options = witness_machine_options(witness);
    struct machine *machine = machine_new(program, &options);
    bool good = true;
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        good = witness_take(witness, i, machine);
    }
    if (witness->kind == ERROR_STATE) {
        good = good && machine_outcome(machine) != OUTCOME_ERROR && buffers_are_empty(machine);
    } else {
        good = good && machine_outcome(machine) == OUTCOME_ERROR && machine_error(machine)->kind == witness->kind &&
               program->positions[machine_error(machine)->pos].line == witness->line;
    }
    machine_free(machine);
    return good;
}

uint64_t waking_choice(struct machine *machine, uint32_t slot, uint64_t woken) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    uint64_t choices = machine_choices(machine, slot);
    for (; transition.choice + 1 < choices; transition.choice++) {
        machine_mark mark = machine_set_mark(machine);
        machine_take(machine, transition);
        uint64_t other = machine_last(machine)->other;
        machine_undo(machine, mark);
        if (machine_thread_number(machine, (uint32_t)other) + 1 == woken) {
            break;
        }
    }
    return transition.choice;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *texts_to_json(const struct vector *texts) {
    json_t *array = json_array();
    for (size_t i = 0; i < texts->count; i++) {
        json_array_append_new(array, json_bytes(*(char **)vector_at(texts, i)));
    }
    return array;
}

static json_t *checks_to_json(const struct witness *witness) {
    json_t *array = json_array();
    for (size_t i = 0; i < CHECK_KINDS; i++) {
        if (witness->checks & check_table[i].bit) {
            json_array_append_new(array, json_string(check_table[i].name));
        }
    }
    if (witness->spurious) {
        json_array_append_new(array, json_string("spurious"));
    }
    if (witness->malloc_fail) {
        json_array_append_new(array, json_string("malloc-fail"));
    }
    return array;
}

const char *witness_save(const struct witness *witness, const char *path) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, witness->program_hash);
    json_t *steps = json_array();
    for (size_t i = 0; i < witness->steps.count; i++) {
        const struct witness_step *step = vector_at(&witness->steps, i);
        json_array_append_new(steps,
                              json_pack("{s:i, s:s, s:I}", "thread", (int)step->thread, "action",
                                        step->kind == TRANSITION_STEP ? "step" : "drain",
                                        step->kind == TRANSITION_STEP ? "choice" : "entry", (json_int_t)step->choice));
    }
    json_t *object = json_pack(
        "{s:i, s:s, s:o, s:o, s:s, s:s, s:i, s:o, s:s, s:s, s:o, s:i, s:s, s:o}", "version", WITNESS_VERSION, "picket",
        PICKET_VERSION, "files", texts_to_json(&witness->files), "clang_args", texts_to_json(&witness->clang_args),
        "model", model_names[witness->model], "awaits", await_names[witness->awaits], "unroll", (int)witness->unroll,
        "checks", checks_to_json(witness), "program_hash", hash, "kind", error_names[witness->kind], "file",
        json_text(witness->file), "line", (int)witness->line, "thread", witness->thread, "steps", steps);
    if (object && witness->thread_depth > 0) {
        json_object_set_new(object, "thread_depth", json_integer(witness->thread_depth));
    }
    char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
    json_decref(object);
    if (!text) {
        memory_exhausted();
    }
    const char *problem = write_file(path, text, strlen(text));
    free(text);
    return problem;
}

static bool texts_from_json(const json_t *array, struct vector *texts) {
    size_t index;
    const json_t *value;
    if (!json_is_array(array)) {
        return false;
    }
    json_array_foreach((json_t *)array, index, value) {
        char *text = json_bytes_value(value);
        if (!text) {
            return false;
        }
        vector_push(texts, &text);
    }
    return true;
}

static int name_index(const char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (name && strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool steps_from_json(const json_t *array, struct witness *witness) {
    size_t index;
    const json_t *value;
    if (!json_is_array(array)) {
        return false;
    }
    json_array_foreach((json_t *)array, index, value) {
        const char *action = json_string_value(json_object_get(value, "action"));
        const json_t *thread = json_object_get(value, "thread");
        bool drain = action && strcmp(action, "drain") == 0;
        const json_t *choice = json_object_get(value, drain ? "entry" : "choice");
        if (!action || (!drain && strcmp(action, "step") != 0) || !json_is_integer(thread) ||
            !json_is_integer(choice)) {
            return false;
        }
        vector_push(&witness->steps, &(struct witness_step){.thread = (uint32_t)json_integer_value(thread),
                                                            .kind = drain ? TRANSITION_DRAIN : TRANSITION_STEP,
                                                            .choice = (uint64_t)json_integer_value(choice)});
    }
    return true;
}

static void checks_from_json(const json_t *array, struct witness *witness) {
    size_t index;
    const json_t *value;
    json_array_foreach((json_t *)array, index, value) {
        const char *name = json_string_value(value);
        const struct check *check = name ? check_named(name, strlen(name)) : NULL;
        witness->checks |= check ? check->bit : 0;
        witness->spurious |= name && strcmp(name, "spurious") == 0;
        witness->malloc_fail |= name && strcmp(name, "malloc-fail") == 0;
    }
}

static const char *witness_from_json(const json_t *object, struct witness *witness) {
    if (!json_is_object(object)) {
        return "not a witness: no JSON object";
    }
    if (json_integer_value(json_object_get(object, "version")) != WITNESS_VERSION) {
        return "not a witness of this version of Picket";
    }
    int model = name_index(model_names, MODEL_COUNT, json_string_value(json_object_get(object, "model")));
    int kind = name_index(error_names, ERROR_COUNT, json_string_value(json_object_get(object, "kind")));
    const char *hash = json_string_value(json_object_get(object, "program_hash"));
    const char *file = json_string_value(json_object_get(object, "file"));
    const char *thread = json_string_value(json_object_get(object, "thread"));
    if (model < 0 || kind < 0 || !hash || !file || !thread ||
        !texts_from_json(json_object_get(object, "files"), &witness->files) ||
        !texts_from_json(json_object_get(object, "clang_args"), &witness->clang_args) ||
        !steps_from_json(json_object_get(object, "steps"), witness)) {
        return "a damaged witness: a field is missing or of the wrong kind";
    }
    checks_from_json(json_object_get(object, "checks"), witness);
    witness->thread_depth = (uint32_t)json_integer_value(json_object_get(object, "thread_depth"));
    const char *awaits = json_string_value(json_object_get(object, "awaits"));
    witness->awaits = AWAIT_SPIN;
    for (int i = 0; awaits && i < AWAIT_COUNT; i++) {
        if (strcmp(awaits, await_names[i]) == 0) {
            witness->awaits = (enum await_mode)i;
        }
    }
    witness->model = (enum memory_model)model;
    witness->kind = (enum error_kind)kind;
    witness->unroll = (uint32_t)json_integer_value(json_object_get(object, "unroll"));
    witness->program_hash = strtoull(hash, NULL, 16);
    witness->file = memory_copy_text(file);
    witness->line = (uint32_t)json_integer_value(json_object_get(object, "line"));
    witness->thread = memory_copy_text(thread);
    return NULL;
}

bool witness_load(struct witness *witness, const char *path, struct diagnostics *diagnostics) {
    json_error_t error;
    FILE *file = fopen(path, "r");
    if (!file) {
        diagnostics_add(diagnostics, path, 0, 0, "cannot open: %s", strerror(errno));
        return false;
    }
    json_t *object = json_loadf(file, 0, &error);
    fclose(file);
    if (!object) {
        diagnostics_add(diagnostics, path, error.line > 0 ? (uint32_t)error.line : 0, 0, "not a witness: %s",
                        error.text);
        return false;
    }
    const char *problem = witness_from_json(object, witness);
    json_decref(object);
    if (problem) {
        diagnostics_add(diagnostics, path, 0, 0, "%s", problem);
    }
    return !problem;
}
