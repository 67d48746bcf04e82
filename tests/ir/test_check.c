/* The checker: a good program passes, and each rule, broken once, is reported in words. */
#include <string.h>

#include "ir/check.h"
#include "small_program.h"

/* A program with at least one instruction of every shape that the rules speak of. */
static void build_good(struct program *program) {
    struct small_program small;
    small_init(&small, 1);
    struct builder *builder = &small.builder;
    uint32_t callee = builder_function(builder, "callee", 1, 2, 0);
    uint64_t x = small_variable(&small, "x", 16);
    small_constant_variable(&small, "k", "abcd", 4);
    uint32_t tls = builder_global(builder, "t", 8, 8, GLOBAL_THREAD_LOCAL);
    uint32_t type = builder_type(builder);
    uint32_t fields = builder_fields(builder, 2);
    struct type *described = vector_at(&builder->types, type);
    *described = (struct type){.kind = TYPE_STRUCT, .size = 8, .first = fields, .count = 2};
    uint32_t pair = builder_constant_pair(builder, 1, 2);
    uint32_t text = builder_string(builder, "a text");
    uint32_t argument = small_number(&small, 5);
    uint32_t arguments = builder_operands(builder, &argument, 1);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_NOP, .sub = YIELD_PAUSE});
    small_emit(&small, (struct instruction){.op = OP_ADD, .width = 32, .dst = 2, .a = 0, .b = argument});
    small_emit(&small,
               (struct instruction){.op = OP_ICMP, .width = 32, .sub = PREDICATE_SLT, .dst = 2, .a = 0, .b = 1});
    small_emit(&small, (struct instruction){.op = OP_SEXT, .width = 8, .sub = 32, .dst = 2, .a = 0});
    small_emit(&small, (struct instruction){.op = OP_WIDE, .width = 128, .sub = OP_ADD, .dst = 4, .a = 2, .b = pair});
    small_emit(&small, (struct instruction){.op = OP_FLOAT, .width = 64, .sub = 0, .dst = 2, .a = 0, .b = 1});
    small_emit(&small, (struct instruction){.op = OP_TLS, .dst = 3, .a = tls});
    small_emit(&small, (struct instruction){.op = OP_ALLOCA, .dst = 3, .a = argument, .b = 8, .c = type});
    small_load(&small, 2, x, 4);
    small_store(&small, x, 1, 4, ORDER_RELEASE);
    small_rmw(&small, 2, RMW_ADD, x, 1, 4);
    small_cas(&small, 2, x, 0, 1, 8);
    small_fence(&small, ORDER_SEQ_CST);
    small_sync(&small, 2, SYNC_SEM_POST, x, 0);
    small_emit(&small, (struct instruction){.op = OP_CALL, .dst = 2, .a = callee, .b = arguments, .c = 1});
    small_emit(&small,
               (struct instruction){.op = OP_LIB, .sub = 1, .dst = 2, .a = LIB_OBJECT_SIZE, .b = arguments, .c = 1});
    small_emit(&small, (struct instruction){
                           .op = OP_NONDET, .width = 8, .dst = 2, .a = small_number(&small, 0), .b = argument});
    small_emit(&small, (struct instruction){.op = OP_ASSERT, .a = argument, .b = text});
    uint32_t await = small_here(&small);
    small_emit(&small, (struct instruction){.op = OP_AWAIT});
    small_load(&small, 2, x, 4);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = await + 4, .c = await + 3});
    small_emit(&small, (struct instruction){.op = OP_AGAIN, .a = await, .b = await});
    uint32_t here = small_here(&small);
    const uint32_t cases[] = {argument, here + 1};
    small_emit(&small, (struct instruction){
                           .op = OP_SWITCH, .dst = here + 2, .a = 2, .b = builder_operands(builder, cases, 2), .c = 1});
    small_emit(&small, (struct instruction){.op = OP_LEAVE});
    small_emit(&small, (struct instruction){.op = OP_ERROR, .sub = ERROR_ABORT, .a = text});
    small_function(&small, callee);
    const uint32_t results[] = {0, 0};
    small_emit(&small, (struct instruction){.op = OP_RET, .a = builder_operands(builder, results, 2), .b = 2});
    small_finish(&small, program);
}

/* The first instruction of thread 1's code with this operation, to be spoiled. */
static struct instruction *find(const struct program *program, enum op op) {
    for (size_t i = program->functions[1].first; i < program->code_count; i++) {
        if (program->code[i].op == op) {
            return (struct instruction *)&program->code[i];
        }
    }
    fail_msg("no %s", op_table[op].text);
    return NULL;
}

enum part { FIELD_OP, FIELD_WIDTH, FIELD_SUB, FIELD_DST, FIELD_A, FIELD_B, FIELD_C, FIELD_POS };

static void spoil(struct instruction *instruction, enum part field, uint32_t value) {
    uint32_t *words[] = {&instruction->dst, &instruction->a, &instruction->b, &instruction->c, &instruction->pos};
    uint8_t *bytes[] = {&instruction->op, &instruction->width, &instruction->sub};
    if (field <= FIELD_SUB) {
        *bytes[field] = (uint8_t)value;
    } else {
        *words[field - FIELD_DST] = value;
    }
}

static void good_program_passes(void **state) {
    (void)state;
    struct program program;
    char message[256] = "";
    build_good(&program);
    assert_true(program_check(&program, message, sizeof message));
    program_delete(&program);
}

static void broken_instructions_are_reported(void **state) {
    (void)state;
    static const struct {
        enum op op;
        enum part field;
        uint32_t value;
        const char *message;
    } cases[] = {
        {OP_ADD, FIELD_OP, OP_COUNT, "operation"},
        {OP_ADD, FIELD_A, SMALL_REGISTERS, "register"},
        {OP_ADD, FIELD_DST, SMALL_REGISTERS, "register"},
        {OP_ADD, FIELD_B, OPERAND_CONSTANT | 100000, "constant"},
        {OP_ADD, FIELD_POS, 100000, "position"},
        {OP_ADD, FIELD_WIDTH, 0, "width"},
        {OP_ADD, FIELD_WIDTH, 65, "width"},
        {OP_NOP, FIELD_SUB, YIELD_COUNT, "yield"},
        {OP_ICMP, FIELD_SUB, PREDICATE_COUNT, "predicate"},
        {OP_SEXT, FIELD_SUB, 4, "width"},
        {OP_WIDE, FIELD_WIDTH, 64, "width"},
        {OP_WIDE, FIELD_SUB, OP_SELECT, "width"},
        {OP_WIDE, FIELD_A, SMALL_REGISTERS - 1, "register"},
        {OP_WIDE, FIELD_DST, SMALL_REGISTERS - 1, "register"},
        {OP_FLOAT, FIELD_WIDTH, 16, "width"},
        {OP_FLOAT, FIELD_SUB, FLOAT_COUNT, "float"},
        {OP_TLS, FIELD_A, 100, "global"},
        {OP_ALLOCA, FIELD_C, 100, "type"},
        {OP_LOAD, FIELD_WIDTH, 3, "width"},
        {OP_LOAD, FIELD_WIDTH, 16, "width"}, /* only atomic ones */
        {OP_LOAD, FIELD_SUB, ORDER_COUNT, "order"},
        {OP_STORE, FIELD_SUB, ORDER_COUNT, "order"},
        {OP_RMW, FIELD_C, RMW_COUNT, "read-modify-write"},
        {OP_CAS, FIELD_DST, SMALL_REGISTERS - 1, "register"}, /* the flag has no place */
        {OP_FENCE, FIELD_SUB, ORDER_COUNT, "order"},
        {OP_SYNC, FIELD_WIDTH, SYNC_COUNT, "synchronisation"},
        {OP_CALL, FIELD_A, 100, "function"},
        {OP_CALL, FIELD_B, 100000, "operands"},
        {OP_CALL, FIELD_C, 100000, "operands"},
        {OP_CALL, FIELD_DST, SMALL_REGISTERS - 1, "register"}, /* two results */
        {OP_LIB, FIELD_A, LIB_COUNT, "library"},
        {OP_NONDET, FIELD_WIDTH, 65, "width"},
        {OP_ASSERT, FIELD_B, 100000, "text"},
        {OP_BR, FIELD_B, 1000, "branch"},
        {OP_BR, FIELD_C, 1000, "branch"},
        {OP_AGAIN, FIELD_A, 0, "await"},
        {OP_AGAIN, FIELD_A, 1000, "branch"},
        {OP_SWITCH, FIELD_DST, 1000, "branch"},
        {OP_SWITCH, FIELD_B, 100000, "operands"},
        {OP_ERROR, FIELD_SUB, ERROR_COUNT, "error"},
        /* A result that goes nowhere: only calls and operations may drop theirs. */
        {OP_ADD, FIELD_DST, NO_REGISTER, "register"},
        {OP_LOAD, FIELD_DST, NO_REGISTER, "register"},
        {OP_CAS, FIELD_DST, NO_REGISTER, "register"},
        {OP_NONDET, FIELD_DST, NO_REGISTER, "register"},
        {OP_SYNC, FIELD_DST, SMALL_REGISTERS, "register"},
        {OP_SYNC, FIELD_SUB, 3, "results"},
        {OP_LIB, FIELD_SUB, 3, "results"},
        {OP_LIB, FIELD_C, 0, "takes 1"},
        {OP_ALLOCA, FIELD_B, 0, "alignment"},
        {OP_ALLOCA, FIELD_B, 24, "alignment"},
        {OP_TLS, FIELD_A, 0, "thread-local"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        char message[256] = "";
        build_good(&program);
        spoil(find(&program, cases[i].op), cases[i].field, cases[i].value);
        if (program_check(&program, message, sizeof message) || !strstr(message, cases[i].message)) {
            fail_msg("case %zu (%s): \"%s\" does not speak of %s", i, op_table[cases[i].op].text, message,
                     cases[i].message);
        }
        program_delete(&program);
    }
}

static void assert_broken(struct program *program, const char *text) {
    char message[256] = "";
    assert_false(program_check(program, message, sizeof message));
    if (!strstr(message, text)) {
        fail_msg("\"%s\" does not speak of %s", message, text);
    }
    program_delete(program);
}

static void switch_values_are_constants(void **state) {
    (void)state;
    const uint32_t bad[] = {2, OPERAND_CONSTANT | 100000, SMALL_REGISTERS};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct program program;
        build_good(&program);
        ((uint32_t *)program.operands)[find(&program, OP_SWITCH)->b] = bad[i];
        assert_broken(&program, "constant");
    }
}

static void escaping_locals_end_before_the_return(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    *find(&program, OP_ERROR) = (struct instruction){.op = OP_RET};
    find(&program, OP_SWITCH)->dst--; /* to the LEAVE, as its other target */
    assert_true(program_check(&program, (char[256]){0}, 256));
    find(&program, OP_LEAVE)->op = OP_NOP;
    assert_broken(&program, "alive");
}

static void returns_have_as_many_values_as_the_function(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    ((struct function *)program.functions)[find(&program, OP_CALL)->a].results = 1;
    assert_broken(&program, "returns 2 values");
}

static void operations_printed_as_one_get_what_they_take(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    struct function *callee = (struct function *)&program.functions[find(&program, OP_CALL)->a];
    callee->flags = FUNCTION_LIBRARY | FUNCTION_WHOLE;
    assert_true(program_check(&program, (char[256]){0}, 256));
    find(&program, OP_CALL)->c = 0;
    assert_broken(&program, "hands over");
}

static void control_must_not_run_off_the_end(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    struct instruction *last = (struct instruction *)&program.code[program.code_count - 1];
    *last = (struct instruction){.op = OP_NOP};
    assert_broken(&program, "off the end");
}

static void functions_share_the_code_without_gap(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    ((struct function *)program.functions)[1].first++;
    assert_broken(&program, "code");
    build_good(&program);
    ((struct function *)program.functions)[1].count--;
    assert_broken(&program, "code");
    build_good(&program);
    ((struct function *)program.functions)[2].count--;
    assert_broken(&program, "code");
    build_good(&program);
    ((struct function *)program.functions)[1].parameters = SMALL_REGISTERS + 1;
    assert_broken(&program, "registers");
    build_good(&program);
    ((struct function *)program.functions)[1].registers = MAX_REGISTERS + 1;
    assert_broken(&program, "registers");
    build_good(&program);
    ((struct function *)program.functions)[1].pos = 100000;
    assert_broken(&program, "position");
    build_good(&program);
    ((struct function *)program.functions)[1].name = 100000;
    assert_broken(&program, "text");
}

static void entry_takes_and_returns_nothing(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    program.entry = 1;
    assert_broken(&program, "entry");
    build_good(&program);
    program.entry = 100;
    assert_broken(&program, "entry");
}

static void globals_lie_apart_and_have_their_bytes(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    ((struct global *)program.globals)[1].address = program.globals[0].address;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[1].address++;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[1].size = REGION_SIZE;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[1].size = MAX_OBJECT + 1;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[1].address = GLOBAL_BASE + HALF_SIZE;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[1].alignment = 3;
    assert_broken(&program, "damaged");
    build_good(&program);
    ((struct global *)program.globals)[1].alignment = 1u << 20;
    assert_broken(&program, "lies badly");
    build_good(&program);
    ((struct global *)program.globals)[2].size = MAX_OBJECT + 1;
    assert_broken(&program, "does not fit");
    build_good(&program);
    ((struct global *)program.globals)[1].initial_size = 100;
    assert_broken(&program, "damaged");
    build_good(&program);
    ((struct global *)program.globals)[1].initial = 1000;
    assert_broken(&program, "damaged");
    build_good(&program);
    ((struct global *)program.globals)[0].type = 100;
    assert_broken(&program, "damaged");
}

static void types_fields_and_positions_refer_to_what_exists(void **state) {
    (void)state;
    struct program program;
    build_good(&program);
    ((struct type *)program.types)[1].count = 100;
    assert_broken(&program, "type");
    build_good(&program);
    ((struct type *)program.types)[1] = (struct type){.kind = TYPE_ARRAY, .first = 100};
    assert_broken(&program, "type");
    build_good(&program);
    ((struct field *)program.fields)[1].type = 100;
    assert_broken(&program, "field");
    build_good(&program);
    ((struct field *)program.fields)[1].type = 1;
    assert_broken(&program, "part of itself");
    build_good(&program);
    ((struct type *)program.types)[1] = (struct type){.kind = TYPE_ARRAY, .first = 1, .count = 2};
    assert_broken(&program, "part of itself");
    build_good(&program);
    ((struct type *)program.types)[1].kind = TYPE_STRUCT + 1;
    assert_broken(&program, "type");
    build_good(&program);
    ((struct position *)program.positions)[1].file = 100000;
    assert_broken(&program, "text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_program_passes),
        cmocka_unit_test(broken_instructions_are_reported),
        cmocka_unit_test(switch_values_are_constants),
        cmocka_unit_test(escaping_locals_end_before_the_return),
        cmocka_unit_test(returns_have_as_many_values_as_the_function),
        cmocka_unit_test(operations_printed_as_one_get_what_they_take),
        cmocka_unit_test(control_must_not_run_off_the_end),
        cmocka_unit_test(functions_share_the_code_without_gap),
        cmocka_unit_test(entry_takes_and_returns_nothing),
        cmocka_unit_test(globals_lie_apart_and_have_their_bytes),
        cmocka_unit_test(types_fields_and_positions_refer_to_what_exists),
    };
    return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
