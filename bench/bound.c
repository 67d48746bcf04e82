/* How large translated programs are, and how long the translation takes.
 *
 * Programs of two threads whose bodies are a row of statements: loads, stores, additions, and now and then a fence or a
 * read-modify-write.  For inputs of 50 to 50,000 instructions and bounds K of 1 to 8, of rounds and of age:
 * instructions and bytes of bookkeeping variables of the result over those of the input. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bound/bound.h"
#include "engine/limits.h"
#include "ir/builder.h"

#define VARIABLES 16

static void build(struct program *program, uint32_t instructions) {
    struct builder builder;
    uint64_t addresses[VARIABLES];
    builder_init(&builder);
    for (int i = 0; i < VARIABLES; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        uint32_t global = builder_global(&builder, name, 8, 8, 0);
        addresses[i] = builder_global_at(&builder, global)->address;
    }
    uint32_t main = builder_function(&builder, "main", 0, 0, 0);
    uint32_t thread = builder_function(&builder, "thread", 2, 1, 0);
    builder.entry = main;
    builder_begin(&builder, main);
    for (int i = 0; i < 2; i++) {
        uint32_t zero = builder_constant(&builder, 0);
        builder_emit(&builder, (struct instruction){.op = OP_SYNC,
                                                    .width = SYNC_THREAD_CREATE,
                                                    .sub = 1,
                                                    .dst = 0,
                                                    .a = builder_address(&builder, function_address(thread)),
                                                    .b = zero,
                                                    .c = zero});
    }
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = builder_constant(&builder, 0)});
    builder_end(&builder, 1);
    builder_begin(&builder, thread);
    for (uint32_t i = 0; i + 4 < instructions; i++) {
        uint32_t address = builder_address(&builder, addresses[i * 7 % VARIABLES]);
        if (i % 50 == 49) {
            builder_emit(&builder, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER});
        } else if (i % 50 == 24) {
            builder_emit(&builder, (struct instruction){.op = OP_RMW,
                                                        .width = 8,
                                                        .sub = ORDER_SEQ_CST,
                                                        .flags = INSTRUCTION_ATOMIC,
                                                        .dst = 2,
                                                        .a = address,
                                                        .b = 2,
                                                        .c = RMW_ADD});
        } else if (i % 3 == 0) {
            builder_emit(&builder, (struct instruction){.op = OP_LOAD, .width = 8, .dst = 2, .a = address});
        } else if (i % 3 == 1) {
            builder_emit(
                &builder,
                (struct instruction){.op = OP_ADD, .width = 64, .dst = 2, .a = 2, .b = builder_constant(&builder, 1)});
        } else {
            builder_emit(&builder,
                         (struct instruction){.op = OP_STORE, .width = 8, .dst = NO_REGISTER, .a = address, .b = 2});
        }
    }
    const uint32_t result = 2;
    builder_emit(&builder, (struct instruction){
                               .op = OP_RET, .dst = NO_REGISTER, .a = builder_operands(&builder, &result, 1), .b = 1});
    builder_end(&builder, 3);
    builder_finish(&builder, program);
}

/* Bytes of the variables that the translation adds. */
static uint64_t added_bytes(const struct program *from, const struct program *to) {
    uint64_t bytes = 0;
    for (size_t g = from->globals_count; g < to->globals_count; g++) {
        bytes += to->globals[g].size;
    }
    return bytes;
}

static void measure(uint32_t instructions, enum bound_kind kind, uint32_t bound) {
    struct program program;
    struct program translated;
    struct bound_options options = {.kind = kind, .bound = bound};
    struct diagnostics diagnostics;
    build(&program, instructions);
    diagnostics_init(&diagnostics);
    double start = limits_now();
    if (!bound_translate(&program, &options, &translated, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        exit(2);
    }
    double time = limits_now() - start;
    size_t bookkeeping = 0;
    for (size_t f = program.functions_count; f < translated.functions_count; f++) {
        bookkeeping += translated.functions[f].count;
    }
    double rest = (double)(translated.code_count - bookkeeping);
    printf("%7zu  %-6s %2u  %8zu  %8.3f  %8" PRIu64 "  %8.2f\n", program.code_count,
           kind == BOUND_ROUNDS ? "rounds" : "age", bound, translated.code_count, rest / (double)program.code_count,
           added_bytes(&program, &translated), time * 1e3);
    program_delete(&program);
    program_delete(&translated);
    diagnostics_delete(&diagnostics);
}

int main(void) {
    static const uint32_t sizes[] = {50, 500, 5000, 50000};
    static const uint32_t bounds[] = {1, 2, 4, 8};
    puts("Output: instructions; rest/in: those outside the bookkeeping functions, per instruction of the input;\n"
         "memory: bytes of bookkeeping variables.\n");
    puts("  input  bound       output   rest/in    memory   time/ms");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = BOUND_ROUNDS; kind <= BOUND_AGE; kind++) {
            for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
                measure(sizes[i], (enum bound_kind)kind, bounds[k]);
            }
        }
    }
}
