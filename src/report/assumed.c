/* Assumptions in text and JSON. */
#include "report/assumed.h"

#include "engine/json_text.h"

void assumed_print(const struct verdict *verdict, bool lifts, FILE *out) {
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        const struct assumed *assumed = vector_at(&verdict->assumptions, i);
        const struct assumption_info *info = &assumption_table[assumed->kind];
        fprintf(out, "  assumed: %s", info->text);
        if (assumed->line > 0) {
            fprintf(out, " (%s:%u)", assumed->file, assumed->line);
        }
        bool lifted = lifts && info->option;
        fprintf(out, "%s%s\n", lifted ? "; not with " : "", lifted ? info->option : "");
    }
}

json_t *assumed_bounds_json(const struct verdict *verdict) {
    struct verdict all;
    verdict_init(&all);
    if (verdict->bounds[0]) {
        verdict_add_bound(&all, "%s", verdict->bounds);
    }
    for (size_t i = 0; i < verdict->assumptions.count && verdict->bounded; i++) {
        const struct assumed *assumed = vector_at(&verdict->assumptions, i);
        verdict_add_bound(&all, "%s", assumption_table[assumed->kind].text);
    }
    json_t *text = json_text(all.bounds);
    verdict_delete(&all);
    return text;
}

json_t *assumed_json(const struct verdict *verdict, bool lifts) {
    json_t *list = json_array();
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        const struct assumed *assumed = vector_at(&verdict->assumptions, i);
        const struct assumption_info *info = &assumption_table[assumed->kind];
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I, s:s?}", "name", info->name, "text", info->text,
                                              "file", json_text(assumed->file), "line", (json_int_t)assumed->line,
                                              "option", lifts ? info->option : NULL));
    }
    return list;
}
