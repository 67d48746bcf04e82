/* Ranges of seeds for tests over generated programs: checked in batches, and seed by seed where a batch fails. */
#ifndef PICKET_TESTS_SEEDS_H
#define PICKET_TESTS_SEEDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seeds_test {
    uint64_t batch;
    bool (*agree)(uint64_t from, uint64_t end);
    void (*explain)(uint64_t seed);
};

/* How many of the programs do not agree; each is explained. */
static inline unsigned seeds_check(const struct seeds_test *test, uint64_t from, uint64_t end) {
    unsigned failures = 0;
    for (uint64_t first = from; first < end; first += test->batch) {
        uint64_t last = first + test->batch < end ? first + test->batch : end;
        bool good = test->agree(first, last);
        for (uint64_t seed = first; seed < last && !good; seed++) {
            if (!test->agree(seed, seed + 1)) {
                failures++;
                test->explain(seed);
            }
        }
    }
    return failures;
}

/* `--from SEED --to SEED`, or seeds one by one, which `show` prints if it is not NULL.  -1: no arguments; otherwise the
 * exit code. */
static inline int seeds_from_arguments(const struct seeds_test *test, int count, char **arguments,
                                       void (*show)(uint64_t seed)) {
    unsigned failures = 0;
    if (count == 5 && strcmp(arguments[1], "--from") == 0) {
        failures = seeds_check(test, strtoull(arguments[2], NULL, 10), strtoull(arguments[4], NULL, 10) + 1);
        printf("%u do not agree\n", failures);
        return failures > 0;
    }
    for (int i = 1; i < count; i++) {
        uint64_t seed = strtoull(arguments[i], NULL, 10);
        if (show) {
            show(seed);
        }
        failures += seeds_check(test, seed, seed + 1);
    }
    return count > 1 ? failures > 0 : -1;
}

#endif
