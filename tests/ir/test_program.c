/* A Program as a block: building, saving, loading, damage, printing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "ir/check.h"
#include "ir/print.h"
#include "small_program.h"

static void build_sample(struct program *program) {
    struct small_program small;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 8);
    small_constant_variable(&small, "k", "\x2a\0\0\0", 4);
    small_thread(&small, 1);
    small_load(&small, 2, x + 4, 4);
    small_emit(&small,
               (struct instruction){.op = OP_ADD, .width = 32, .dst = 2, .a = 2, .b = small_number(&small, 100000)});
    small_store_register(&small, x, 2, 4);
    small_cas(&small, 2, x, 0, 1, 4);
    small_rmw(&small, 4, RMW_XOR, x, 3, 8);
    small_fence(&small, ORDER_ACQ_REL);
    uint32_t here = small_here(&small);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 3, .b = here + 1, .c = here + 2});
    small_assert_equal(&small, 2, 7, 3);
    small_finish(&small, program);
}

static void texts_and_constants_are_interned(void **state) {
    (void)state;
    struct builder builder;
    builder_init(&builder);
    assert_int_equal(builder_string(&builder, ""), 0);
    uint32_t one = builder_string(&builder, "one");
    assert_int_not_equal(builder_string(&builder, "two"), one);
    assert_int_equal(builder_string(&builder, "one"), one);
    uint32_t five = builder_constant(&builder, 5);
    assert_int_equal(builder_constant(&builder, 5), five);
    assert_int_not_equal(builder_constant(&builder, 6), five);
    uint32_t pair = builder_constant_pair(&builder, 5, 6);
    const uint64_t *values = builder.constants.data;
    assert_int_equal(values[pair & ~OPERAND_CONSTANT], 5);
    assert_int_equal(values[(pair & ~OPERAND_CONSTANT) + 1], 6);
    builder_delete(&builder);
}

static void addresses_are_told_from_numbers(void **state) {
    (void)state;
    struct builder builder;
    struct program program;
    builder_init(&builder);
    uint32_t number = builder_constant(&builder, FUNCTION_BASE);
    uint32_t address = builder_address(&builder, FUNCTION_BASE);
    assert_int_not_equal(number, address);
    assert_int_equal(builder_constant(&builder, FUNCTION_BASE), number);
    assert_int_equal(builder_address(&builder, FUNCTION_BASE), address);
    uint32_t mixed = builder_constants_mixed(&builder, (const uint64_t[]){7, FUNCTION_BASE, 9},
                                             (const bool[]){false, true, false}, 3);
    assert_int_not_equal(mixed, builder_constants(&builder, (const uint64_t[]){7, FUNCTION_BASE, 9}, 3));
    uint32_t global = builder_global(&builder, "p", 16, 8, 0);
    builder_global_bytes(&builder, global, &(const uint64_t[]){5, FUNCTION_BASE}, 16);
    builder_global_relocation(&builder, global, 8);
    uint32_t function = builder_function(&builder, "start", 0, 0, 0);
    builder.entry = function;
    builder_begin(&builder, function);
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = number});
    builder_end(&builder, 0);
    builder_finish(&builder, &program);
    assert_int_equal(program.addresses_count, 2);
    assert_int_equal(program.addresses[0], address & ~OPERAND_CONSTANT);
    assert_int_equal(program.addresses[1], (mixed & ~OPERAND_CONSTANT) + 1);
    assert_int_equal(program.relocations_count, 1);
    assert_int_equal(program.relocations[0], program.globals[global].initial + 8);
    /* A pass that begins with the program needs no new constants for them, and mixes none up. */
    builder_init_from(&builder, &program);
    uint32_t again = builder_address(&builder, FUNCTION_BASE);
    assert_true(again == address || again == mixed + 1);
    assert_int_not_equal(builder_constant(&builder, FUNCTION_BASE), address);
    assert_int_not_equal(builder_constant(&builder, FUNCTION_BASE), mixed + 1);
    assert_int_equal(builder.constants.count, program.constants_count);
    builder_delete(&builder);
    program_delete(&program);
}

static void globals_lie_a_page_apart(void **state) {
    (void)state;
    struct builder builder;
    builder_init(&builder);
    static const uint64_t sizes[] = {0, 1, 4096, 4097, 8192, 100000};
    uint64_t end = GLOBAL_BASE;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t global = builder_global(&builder, "g", sizes[i], i == 4 ? 65536 : 8, 0);
        uint64_t address = builder_global_at(&builder, global)->address;
        assert_true(address >= end + PAGE_SIZE);
        assert_int_equal(address % (i == 4 ? 65536 : PAGE_SIZE), 0);
        end = address + sizes[i];
    }
    builder_delete(&builder);
}

static void saved_program_comes_back(void **state) {
    (void)state;
    struct program program;
    struct program loaded;
    char path[] = "unit_program_XXXXXX";
    char message[256];
    build_sample(&program);
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_null(program_save(&program, path));
    assert_null(program_load(&loaded, path));
    assert_true(program_check(&loaded, message, sizeof message));
    assert_int_equal(program_hash(&loaded), program_hash(&program));
    assert_int_equal(loaded.header->size, program.header->size);
    assert_memory_equal(loaded.header, program.header, program.header->size);
    program_delete(&loaded);
    program_delete(&program);
    unlink(path);
    assert_non_null(program_load(&loaded, path));
}

static void *copy_of(const struct program *program) {
    void *block = malloc(program->header->size);
    assert_non_null(block);
    memcpy(block, program->header, program->header->size);
    return block;
}

static void truncated_programs_are_refused(void **state) {
    (void)state;
    struct program program;
    struct program damaged;
    build_sample(&program);
    for (size_t size = 0; size < program.header->size; size++) {
        void *block = malloc(size + 1);
        assert_non_null(block);
        memcpy(block, program.header, size);
        assert_non_null(program_adopt(&damaged, block, size));
    }
    program_delete(&program);
}

/* What the damage left must be refused, or be a program that can be printed. */
static void look_at(void *block, size_t size, bool whole, FILE *sink) {
    struct program damaged;
    char message[256];
    const char *problem = program_adopt(&damaged, block, size);
    if (problem) {
        return;
    }
    assert_false(!whole);
    if (program_check(&damaged, message, sizeof message)) {
        program_print(&damaged, sink);
    }
    program_delete(&damaged);
}

static void damage_at_every_byte_is_refused_or_harmless(void **state) {
    (void)state;
    static const uint8_t patterns[] = {0x01, 0x80, 0xff, 0x10};
    struct program program;
    FILE *sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    build_sample(&program);
    size_t size = program.header->size;
    size_t header = sizeof(struct program_header);
    for (size_t offset = 0; offset < size; offset++) {
        for (size_t i = 0; i < sizeof patterns; i++) {
            uint8_t *block = copy_of(&program);
            block[offset] ^= patterns[i];
            /* Behind the header the checksum sees every change. */
            look_at(block, size, offset < header, sink);
            /* Someone who knows the checksum gets further; the checker must then be on its guard. */
            block = copy_of(&program);
            block[offset] ^= patterns[i];
            ((struct program_header *)block)->checksum = XXH3_64bits(block + header, size - header);
            look_at(block, size, true, sink);
        }
    }
    fclose(sink);
    program_delete(&program);
}

static char *printed(const struct program *program) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    program_print(program, out);
    fclose(out);
    return text;
}

static void programs_are_printed_for_people(void **state) {
    (void)state;
    struct program program;
    build_sample(&program);
    char *text = printed(&program);
    static const char *const expected[] = {
        "global x: 8 bytes",
        "global k: 4 bytes",
        "constant, starts 2a 00 00 00",
        "function main: 0 parameters, 0 results, 16 registers, entry",
        "sync thread_create &thread1",
        "r2 = load.4 plain &x+4",
        "r2 = add.32 r2, 0x186a0",
        "store.4 plain &x, r2",
        "r2, r3 = cas.4 seq_cst &x, 0, 1",
        "r4 = rmw.8 seq_cst xor &x, 3",
        "fence acq_rel",
        "br r3, @7, @8",
        "assert r3, \"a register's value\"",
        "; small.c:",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (!strstr(text, expected[i])) {
            fail_msg("\"%s\" is not in:\n%s", expected[i], text);
        }
    }
    free(text);
    program_delete(&program);
}

static void every_operation_can_be_printed(void **state) {
    (void)state;
    struct program program;
    build_sample(&program);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        struct instruction instruction = {.op = (uint8_t)op, .width = op == OP_SYNC ? 1 : 32};
        if (op == OP_WIDE) {
            instruction.sub = OP_ADD;
        }
        instruction_print(&program, &instruction, out);
        fclose(out);
        assert_non_null(strstr(text, op_table[op].text));
        free(text);
    }
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_constants_are_interned),
        cmocka_unit_test(addresses_are_told_from_numbers),
        cmocka_unit_test(globals_lie_a_page_apart),
        cmocka_unit_test(saved_program_comes_back),
        cmocka_unit_test(truncated_programs_are_refused),
        cmocka_unit_test(damage_at_every_byte_is_refused_or_harmless),
        cmocka_unit_test(programs_are_printed_for_people),
        cmocka_unit_test(every_operation_can_be_printed),
    };
    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
