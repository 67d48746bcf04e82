/* Witnesses: loaded, and replayed step by step against one program, whatever they say of it. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/witness.h"
#include "front/litmus.h"
#include "input_file.h"
#include "report/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The program of the witnesses in the corpus. */
static const char store_buffering[] = "X86 SB\n"
                                      "{ x=0; y=0; }\n"
                                      " P0          | P1          ;\n"
                                      " MOV [x],$1  | MOV [y],$1  ;\n"
                                      " MOV EAX,[y] | MOV EAX,[x] ;\n"
                                      " LOCK INC [x]| XCHG EBX,[x];\n"
                                      "exists (0:EAX=0 /\\ 1:EAX=0)\n";

static const struct program *fixed_program(void) {
    static struct program program;
    if (!program.header) {
        struct litmus_test test;
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        if (!litmus_read(input_file((const uint8_t *)store_buffering, sizeof store_buffering - 1), &test,
                         &diagnostics)) {
            abort();
        }
        program = litmus_take_program(&test);
        diagnostics_delete(&diagnostics);
    }
    return &program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *nowhere;
    const struct program *program = fixed_program();
    struct witness witness;
    struct diagnostics diagnostics;
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    if (!nowhere) {
        abort();
    }
    witness_init(&witness);
    diagnostics_init(&diagnostics);
    if (witness_load(&witness, input_file(data, size), &diagnostics)) {
        witness_replays(&witness, program);
        columns_print(&witness, program, nowhere);
    }
    diagnostics_delete(&diagnostics);
    witness_delete(&witness);
    return 0;
}
