/* In text, one line: the engine that answered comes first; then the others with their progress. */
#include "report/engines.h"

#include <stdlib.h>
#include <string.h>

#include "engine/json_text.h"

void engines_init(struct engines_report *engines) {
    *engines = (struct engines_report){.answered = "auto"};
    vector_init(&engines->rows, sizeof(struct engine_row));
}

void engines_delete(struct engines_report *engines) {
    for (size_t i = 0; i < engines->rows.count; i++) {
        struct engine_row *row = vector_at(&engines->rows, i);
        free(row->bounds);
        free(row->stood);
        free(row->reason);
        free(row->defect);
        free(row->complaint);
    }
    vector_delete(&engines->rows);
}

bool engines_have_defect(const struct engines_report *engines) {
    for (size_t i = 0; i < engines->rows.count; i++) {
        if (((struct engine_row *)vector_at(&engines->rows, i))->defect) {
            return true;
        }
    }
    return false;
}

/* The state of an engine that has not answered; NULL: none. */
static const char *what_to_say(const struct engine_row *row) {
    return row->defect      ? row->defect
           : row->bounds[0] ? row->bounds
           : row->stood[0]  ? row->stood
           : row->reason[0] ? row->reason
                            : NULL;
}

void engines_print(const struct engines_report *engines, FILE *out) {
    for (size_t i = 0; i < engines->rows.count; i++) {
        const struct engine_row *row = vector_at(&engines->rows, i);
        const char *said = what_to_say(row);
        if (strcmp(row->name, engines->answered) != 0 && (said || engines->verbose)) {
            fprintf(out, "  %s %s%s%s; %.2f s\n", row->name, row->state, said ? ": " : "", said ? said : "",
                    row->time_s);
        }
        if (row->complaint) {
            fprintf(out, "    %s\n", row->complaint);
        }
    }
}

json_t *engines_json(const struct engines_report *engines) {
    json_t *list = json_array();
    for (size_t i = 0; i < engines->rows.count; i++) {
        const struct engine_row *row = vector_at(&engines->rows, i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:f, s:I}", "name", row->name, "state",
                                              row->state, "bounds", json_text(row->bounds), "stood",
                                              json_text(row->stood), "reason", json_text(row->reason), "time_s",
                                              row->time_s, "memory_mb", (json_int_t)row->memory_mb));
    }
    return list;
}

json_t *engines_defects_json(const struct engines_report *engines) {
    json_t *list = json_array();
    for (size_t i = 0; i < engines->rows.count; i++) {
        const struct engine_row *row = vector_at(&engines->rows, i);
        if (row->defect) {
            json_array_append_new(list,
                                  json_pack("{s:s, s:o, s:o}", "engine", row->name, "message", json_text(row->defect),
                                            "stderr", json_text(row->complaint ? row->complaint : "")));
        }
    }
    return list;
}
