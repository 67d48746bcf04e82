/* The forms of expectations, and what a report must say beside its verdict: numbers of executions, bounds,
 * assumptions. */
#include "expected.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

const char *json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool expected_is_known(const char *expected_text) {
    static const char forms[] =
        "^(native"
        "|exit [0-9]+(, [a-z_-]+:[0-9]+)?"
        "|(error|output) \".*\""
        "|violation [a-z_-]+(:[0-9]+( because [a-z]+( [a-z]+)*(, [a-z]+( [a-z]+)*)*)?)?"
        "|(safe|safe within bounds|safe assuming [a-z]+(, [a-z]+)*|undecided)( traces [0-9]+( blocked [0-9]+)?)?"
        ")$";
    regex_t form;
    if (regcomp(&form, forms, REG_EXTENDED | REG_NOSUB) != 0) {
        return false;
    }
    bool known = regexec(&form, expected_text, 0, NULL, 0) == 0;
    regfree(&form);
    return known;
}

/* "... traces N" and "... blocked N": how many executions there are; none of them may be in vain. */
bool counts_pass(const char *expected_text, const json_t *report) {
    static const char *const names[] = {"traces", "blocked"};
    bool passes = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char form[32];
        long long expected;
        const char *at = strstr(expected_text, names[i]);
        snprintf(form, sizeof form, "%s %%lld", names[i]);
        if (!at || sscanf(at, form, &expected) != 1) {
            continue;
        }
        long long got = json_integer_value(json_object_get(report, names[i]));
        long long redundant = json_integer_value(json_object_get(report, "redundant"));
        if (got != expected || redundant != 0) {
            passes = complain("%lld %s, %lld redundant", got, names[i], redundant);
        }
    }
    return passes;
}

/* A field of each of a list of objects. */
static void list_join(const json_t *list, const char *field, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(list) && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 json_text(json_array_get(list, i), field));
    }
}

/* "... because PATTERN, ..." or "... because nothing": these causes are given, and no others. */
bool causes_pass(const char *expected_text, const json_t *report) {
    static const char because[] = " because ";
    const char *wanted = strstr(expected_text, because);
    char patterns[1000];
    list_join(json_object_get(report, "cause"), "pattern", patterns, sizeof patterns);
    const char *got = patterns[0] ? patterns : "nothing";
    return !wanted || strcmp(wanted + strlen(because), got) == 0 || complain("because %s", got);
}

/* "safe": without a bound; "safe within bounds": with some; "safe assuming NAME, ...": these assumptions are all. */
bool bounds_pass(const char *expected_text, const json_t *report) {
    bool bounded = json_is_true(json_object_get(report, "bounded"));
    const char *wanted = strstr(expected_text, " assuming ");
    char names[1000];
    char texts[4000];
    const json_t *list = json_object_get(report, "assumptions");
    list_join(list, "name", names, sizeof names);
    list_join(list, "text", texts, sizeof texts);
    bool only = bounded && names[0] && strcmp(json_text(report, "bounds"), texts) == 0;
    size_t length = strlen(names);
    if (strstr(expected_text, "within bounds")) {
        return bounded || complain("not marked as within bounds");
    }
    if (!wanted) {
        return !bounded || (only ? complain("safe assuming %s", names) : complain("only within bounds"));
    }
    wanted += strlen(" assuming ");
    bool same = only && strncmp(wanted, names, length) == 0 &&
                (wanted[length] == '\0' || strncmp(wanted + length, " traces ", 8) == 0);
    return same || complain("%s%s", bounded ? "safe assuming " : "not marked as within bounds", bounded ? names : "");
}
