/* Kinds of errors that may be checked: the table from which --check, its help, refusals of engines, reports and
 * witnesses follow. */
#ifndef PICKET_ENGINE_CHECKS_H
#define PICKET_ENGINE_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum check_default {
    CHECK_ON_REQUEST, /* --check NAME enables it */
    CHECK_BY_DEFAULT, /* --check no-NAME disables it */
    CHECK_ALWAYS,     /* it is no option */
};

struct check {
    uint32_t bit; /* of machine_options.checks; 0: it has none */
    enum check_default by_default;
    const char *name;
    const char *what;    /* what is checked */
    const char *engines; /* that check it, each between blanks; NULL: all do */
};

#define CHECK_KINDS 8u
extern const struct check check_table[CHECK_KINDS];

/* The kind of that name, NULL: there is none. */
const struct check *check_named(const char *name, size_t length);

/* Does the engine check all of these? */
bool checks_are_known(uint32_t checks, const char *engine);

/* What the engine does not check although it is checked by default; NULL: nothing. */
const char *checks_omitted(const char *engine);

#endif
