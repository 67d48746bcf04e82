/* Thread automata: any text is refused with a message or becomes a program that runs. */
#include <string.h>
#include <xxhash.h>

#include "exercise.h"
#include "front/automaton.h"
#include "input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct program program;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    if (automaton_read(input_file(data, size), &program, &diagnostics)) {
        exercise_program(&program, XXH3_64bits(data, size));
    }
    diagnostics_delete(&diagnostics);
    return 0;
}
