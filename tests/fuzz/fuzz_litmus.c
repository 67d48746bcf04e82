/* Litmus tests: any text is refused with a message or becomes a test that can be printed and a program that runs. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "exercise.h"
#include "front/litmus.h"
#include "input_file.h"
#include "util/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const struct litmus_test *test) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        abort();
    }
    uint64_t *values = memory_allocate(test->locations.count * sizeof *values);
    litmus_print_condition(test, out);
    litmus_print_state(test, values, out);
    litmus_holds(test, test->condition, values);
    litmus_holds(test, test->filter, values);
    fclose(out);
    free(text);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct litmus_test test;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    if (litmus_read(input_file(data, size), &test, &diagnostics)) {
        print(&test);
        struct program program = litmus_take_program(&test);
        exercise_program(&program, XXH3_64bits(data, size));
    }
    diagnostics_delete(&diagnostics);
    return 0;
}
