/* Writes generated programs, each in Picket's own form and as C:
 *
 *     write_generated FIRST-SEED COUNT DIALECT
 *
 * makes SEED.picket and SEED.c in the working directory for every seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/passes.h"
#include "wide_program.h"

static bool write_one(uint64_t seed, enum dialect dialect) {
    struct wide_program wide;
    struct program program;
    char path[64];
    wide_draw(&wide, seed, WIDE_BASIC);
    wide_build(&wide, &program);
    snprintf(path, sizeof path, "%llu.picket", (unsigned long long)seed);
    const char *problem = program_save(&program, path);
    pass_compact(&program);
    snprintf(path, sizeof path, "%llu.c", (unsigned long long)seed);
    FILE *out = fopen(path, "w");
    if (out) {
        emit_program(&program, dialect, path, out);
        fclose(out);
    }
    program_delete(&program);
    return !problem && out;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fputs("usage: write_generated FIRST-SEED COUNT DIALECT\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    uint64_t end = seed + strtoull(arguments[2], NULL, 10);
    enum dialect dialect = DIALECT_SVCOMP;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        if (strcmp(arguments[3], dialect_names[i]) == 0) {
            dialect = (enum dialect)i;
        }
    }
    for (; seed < end; seed++) {
        if (!write_one(seed, dialect)) {
            fprintf(stderr, "cannot write program %llu\n", (unsigned long long)seed);
            return 1;
        }
    }
    return 0;
}
