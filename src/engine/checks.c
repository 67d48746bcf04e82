#include "engine/checks.h"

#include <stdio.h>
#include <string.h>

#include "machine/machine.h"

const struct check check_table[CHECK_KINDS] = {
    {CHECK_FOR_RACES, CHECK_ON_REQUEST, "races", "data races", " explore reach brute switches random "},
    {CHECK_FOR_LEAKS, CHECK_ON_REQUEST, "leaks", "memory that is never freed",
     " explore lazy reach brute switches random "},
    {CHECK_FOR_UNINIT, CHECK_ON_REQUEST, "uninit", "reads of what was never initialised",
     " explore reach brute switches random "},
    {CHECK_FOR_STALE, CHECK_ON_REQUEST, "stale", "comparisons of addresses of freed objects",
     " explore lazy reach rounds age seq brute switches random "},
    {CHECK_FOR_LIVENESS, CHECK_ON_REQUEST, "liveness", "threads that wait in loops for ever",
     " explore lazy reach seq brute switches random "},
    {CHECK_FOR_CLAIMS, CHECK_ON_REQUEST, "claims", "claims of picket.h that are false", NULL},
    {0, CHECK_BY_DEFAULT, "misuse", "misuse of locks, threads and memcpy", NULL},
    {0, CHECK_ALWAYS, "deadlocks", "deadlocks", " explore lazy reach seq brute switches random "},
};

const struct check *check_named(const char *name, size_t length) {
    for (size_t i = 0; i < CHECK_KINDS; i++) {
        if (strlen(check_table[i].name) == length && strncmp(name, check_table[i].name, length) == 0) {
            return &check_table[i];
        }
    }
    return NULL;
}

static bool looks_for(const char *engine, const struct check *check) {
    char name[32];
    snprintf(name, sizeof name, " %s ", engine);
    return !check->engines || strstr(check->engines, name);
}

bool checks_are_known(uint32_t checks, const char *engine) {
    for (size_t i = 0; i < CHECK_KINDS; i++) {
        if (checks & check_table[i].bit && !looks_for(engine, &check_table[i])) {
            return false;
        }
    }
    return true;
}

const char *checks_omitted(const char *engine) {
    for (size_t i = 0; i < CHECK_KINDS; i++) {
        if (check_table[i].by_default != CHECK_ON_REQUEST && !looks_for(engine, &check_table[i])) {
            return check_table[i].what;
        }
    }
    return NULL;
}
