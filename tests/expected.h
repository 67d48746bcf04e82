/* What follows `=>` in a test line (README.md): whether it is in one of the known forms, and parts of it held against a
 * report in JSON. */
#ifndef PICKET_TESTS_EXPECTED_H
#define PICKET_TESTS_EXPECTED_H

#include <jansson.h>
#include <stdbool.h>

/* run.c: says why a test fails; returns false. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A field of an object that is a text, "" if it is not there. */
const char *json_text(const json_t *object, const char *key);

/* Is the text in one of the forms of README.md?  An unknown word would never be compared with anything. */
bool expected_is_known(const char *expected_text);

/* "... traces N", "... blocked N"; and "safe", "safe within bounds", "safe assuming NAME, ...". */
bool counts_pass(const char *expected_text, const json_t *report);
bool bounds_pass(const char *expected_text, const json_t *report);

/* "... because PATTERN, ...". */
bool causes_pass(const char *expected_text, const json_t *report);

#endif
