/* Printers on programs that no front end makes but the checker accepts: unused fields hold anything, flags lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "seq/print/sequential.h"
#include "small_program.h"
#include "util/memory.h"

/* The program as C in every form, one after the other; the caller frees the text. */
static char *print_all(struct program *program) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    struct diagnostics diagnostics;
    struct sequential_options options = {
        .abstraction = ABSTRACTION_SC, .rounds = 2, .unroll = 1, .clock = 2, .queue = 2, .dialect = DIALECT_SVCOMP};
    diagnostics_init(&diagnostics);
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        emit_program(program, (enum dialect)dialect, "strange.c", out);
    }
    sequential_print(program, &options, "strange.c", out, &diagnostics);
    fclose(out);
    diagnostics_delete(&diagnostics);
    program_delete(program);
    return text;
}

static void unused_fields_are_not_read(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small,
               (struct instruction){
                   .op = OP_MOV, .width = 64, .dst = 2, .a = small_number(&small, 7), .b = 12345678, .c = 99999});
    small_emit(&small, (struct instruction){.op = OP_NOP, .dst = 12345678, .a = 12345678});
    small_emit(&small, (struct instruction){.op = OP_TRUNC, .width = 8, .dst = 3, .a = 2, .b = 1u << 30});
    small_store_register(&small, x, 3, 4);
    small_finish(&small, &program);
    char *text = print_all(&program);
    assert_non_null(strstr(text, "thread1"));
    free(text);
}

/* An AWAIT has no `sub`; the NOP that stands for it has one. */
static void awaits_with_a_selector(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    uint32_t await = small_here(&small);
    small_emit(&small, (struct instruction){.op = OP_AWAIT, .sub = 105});
    small_load(&small, 2, x, 4);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = await + 4, .c = await + 3});
    small_emit(&small, (struct instruction){.op = OP_AGAIN, .a = await, .b = await + 4});
    small_finish(&small, &program);
    free(print_all(&program));
}

/* A function that claims to stand for an operation, of which there is none of this name. */
static void operations_that_do_not_exist(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint32_t callee = builder_function(&small.builder, "callee", 0, 0, FUNCTION_LIBRARY | FUNCTION_WHOLE);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_CALL, .dst = NO_REGISTER, .a = callee});
    small_function(&small, callee);
    small_emit(&small, (struct instruction){.op = OP_NOP});
    small_finish(&small, &program);
    char *text = print_all(&program);
    assert_non_null(strstr(text, "callee"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unused_fields_are_not_read),
        cmocka_unit_test(awaits_with_a_selector),
        cmocka_unit_test(operations_that_do_not_exist),
    };
    return cmocka_run_group_tests_name("printers on strange programs", tests, NULL, NULL);
}
