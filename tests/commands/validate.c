/* Does JSON satisfy a schema?
 *
 *     validate SCHEMA.json FILE.json...
 *
 * Knows the part of JSON Schema that docs/report.schema.json uses: type, enum, required, properties,
 * additionalProperties, items, minimum, anyOf and $ref to $defs.  Any other keyword is an error, so that the schema
 * says nothing that is not tested. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const json_t *root;

static bool valid(const json_t *schema, const json_t *value, const char *path, bool quiet);

__attribute__((format(printf, 3, 4))) static bool fails(bool quiet, const char *path, const char *format, ...) {
    if (!quiet) {
        va_list arguments;
        va_start(arguments, format);
        fprintf(stderr, "%s: ", path[0] ? path : "/");
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
        va_end(arguments);
    }
    return false;
}

static bool is_of_type(const json_t *value, const char *type) {
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value));
}

static bool check_type(const json_t *types, const json_t *value, const char *path, bool quiet) {
    bool found = json_is_string(types) && is_of_type(value, json_string_value(types));
    for (size_t i = 0; i < json_array_size(types); i++) {
        found = found || is_of_type(value, json_string_value(json_array_get(types, i)));
    }
    return found || fails(quiet, path, "of the wrong type");
}

static bool check_enum(const json_t *values, const json_t *value, const char *path, bool quiet) {
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (json_equal(json_array_get(values, i), value)) {
            return true;
        }
    }
    return fails(quiet, path, "not one of the values that there are");
}

static bool check_members(const json_t *schema, const json_t *value, const char *path, bool quiet) {
    const json_t *properties = json_object_get(schema, "properties");
    bool open = !json_is_false(json_object_get(schema, "additionalProperties"));
    bool good = true;
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member) {
        char below[512];
        snprintf(below, sizeof below, "%s/%s", path, key);
        const json_t *rule = json_object_get(properties, key);
        if (rule) {
            good = valid(rule, member, below, quiet) && good;
        } else if (!open) {
            good = fails(quiet, below, "not in the schema");
        }
    }
    const json_t *required = json_object_get(schema, "required");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, name)) {
            good = fails(quiet, path, "%s is missing", name);
        }
    }
    return good;
}

static bool check_items(const json_t *rule, const json_t *value, const char *path, bool quiet) {
    bool good = true;
    for (size_t i = 0; i < json_array_size(value); i++) {
        char below[512];
        snprintf(below, sizeof below, "%s/%zu", path, i);
        good = valid(rule, json_array_get(value, i), below, quiet) && good;
    }
    return good;
}

static bool check_any(const json_t *rules, const json_t *value, const char *path, bool quiet) {
    for (size_t i = 0; i < json_array_size(rules); i++) {
        if (valid(json_array_get(rules, i), value, path, true)) {
            return true;
        }
    }
    return fails(quiet, path, "satisfies none of the alternatives");
}

static bool check_reference(const json_t *reference, const json_t *value, const char *path, bool quiet) {
    static const char prefix[] = "#/$defs/";
    const char *name = json_string_value(reference);
    const json_t *rule = name && strncmp(name, prefix, sizeof prefix - 1) == 0
                             ? json_object_get(json_object_get(root, "$defs"), name + sizeof prefix - 1)
                             : NULL;
    return rule ? valid(rule, value, path, quiet) : fails(false, path, "unknown reference in the schema");
}

static bool valid(const json_t *schema, const json_t *value, const char *path, bool quiet) {
    bool good = true;
    const char *keyword;
    json_t *rule;
    json_object_foreach((json_t *)schema, keyword, rule) {
        if (strcmp(keyword, "type") == 0) {
            good = check_type(rule, value, path, quiet) && good;
        } else if (strcmp(keyword, "enum") == 0) {
            good = check_enum(rule, value, path, quiet) && good;
        } else if (strcmp(keyword, "items") == 0) {
            good = check_items(rule, value, path, quiet) && good;
        } else if (strcmp(keyword, "anyOf") == 0) {
            good = check_any(rule, value, path, quiet) && good;
        } else if (strcmp(keyword, "$ref") == 0) {
            good = check_reference(rule, value, path, quiet) && good;
        } else if (strcmp(keyword, "minimum") == 0) {
            good = (json_number_value(value) >= json_number_value(rule) || fails(quiet, path, "too small")) && good;
        } else if (strcmp(keyword, "properties") != 0 && strcmp(keyword, "required") != 0 &&
                   strcmp(keyword, "additionalProperties") != 0 && strcmp(keyword, "description") != 0 &&
                   strcmp(keyword, "title") != 0 && strcmp(keyword, "$schema") != 0 && strcmp(keyword, "$defs") != 0) {
            good = fails(false, path, "the schema has a keyword that is not tested: %s", keyword);
        }
    }
    return (!json_is_object(value) || check_members(schema, value, path, quiet)) && good;
}

int main(int count, char **arguments) {
    json_error_t error;
    json_t *schema = count > 2 ? json_load_file(arguments[1], 0, &error) : NULL;
    if (!schema) {
        fprintf(stderr, "usage: validate SCHEMA.json FILE.json...\n");
        return 2;
    }
    root = schema;
    bool good = true;
    for (int i = 2; i < count; i++) {
        json_t *value = json_load_file(arguments[i], JSON_REJECT_DUPLICATES, &error);
        if (!value) {
            fprintf(stderr, "%s:%d: %s\n", arguments[i], error.line, error.text);
            good = false;
        } else if (!valid(schema, value, "", false)) {
            fprintf(stderr, "%s does not satisfy %s\n", arguments[i], arguments[1]);
            good = false;
        }
        json_decref(value);
    }
    json_decref(schema);
    return good ? 0 : 1;
}
