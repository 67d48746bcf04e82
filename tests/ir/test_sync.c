/* The codes of operations on synchronisation objects keep the rules of ir/sync.h.  Every path of every code is visited:
 * they are short, and go forward only. */
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include "ir/sync.h"

#define MAX_WRITTEN 8

/* What has come on the path so far. */
struct path {
    unsigned changes;
    unsigned choices;
    uint32_t written[MAX_WRITTEN]; /* address operands, as expressions: base and offset */
    uint64_t offsets[MAX_WRITTEN];
    unsigned written_count;
};

struct visit {
    const struct sync_code *code;
    unsigned kind;
    unsigned ends; /* of paths */
};

static bool is_constant(uint32_t operand) {
    return operand & OPERAND_CONSTANT;
}

/* An address is a register, or a register plus a constant that the instruction before has added. */
static void address_of(const struct visit *visit, uint32_t at, uint32_t operand, uint32_t *base, uint64_t *offset) {
    *base = operand;
    *offset = 0;
    for (uint32_t i = 0; i < at; i++) {
        const struct instruction *add = &visit->code->instructions[i];
        if (add->op == OP_ADD && add->width == 64 && add->dst == operand && is_constant(add->b)) {
            *base = add->a;
            *offset = sync_constants[add->b & ~OPERAND_CONSTANT];
        }
    }
}

static void check_operands(const struct visit *visit, const struct instruction *instruction) {
    const char *shape = op_table[instruction->op].shape;
    const uint32_t fields[] = {instruction->dst, instruction->a, instruction->b, instruction->c};
    for (int i = 0; i < 4; i++) {
        if ((shape[i] == 'r' || shape[i] == 'v') && !is_constant(fields[i])) {
            assert_true(fields[i] < visit->code->registers);
        }
        if (shape[i] == 'w' || shape[i] == 'V') {
            assert_true(fields[i] >= SYNC_INPUTS && fields[i] < SYNC_MAX_REGISTERS);
        }
    }
}

static void note_change(struct path *path, const struct visit *visit, uint32_t at, uint32_t operand) {
    assert_true(path->written_count < MAX_WRITTEN);
    address_of(visit, at, operand, &path->written[path->written_count], &path->offsets[path->written_count]);
    path->written_count++;
    path->changes++;
}

static void visit_from(struct visit *visit, uint32_t at, struct path path) {
    assert_true(at < visit->code->count); /* S1: a path does not run out */
    const struct instruction *instruction = &visit->code->instructions[at];
    check_operands(visit, instruction);
    uint32_t base;
    uint64_t offset;
    switch (instruction->op) {
    case OP_BR:
        assert_true(instruction->b > at && instruction->c > at); /* S1 */
        visit_from(visit, instruction->b, path);
        visit_from(visit, instruction->c, path);
        return;
    case OP_RESULT:
        visit->ends++;
        return;
    case OP_ERROR:
        assert_int_equal(path.changes, 0); /* S2 */
        visit->ends++;
        return;
    case OP_WAIT_UNLESS:
        assert_int_equal(path.changes, 0); /* S2 */
        assert_int_equal(path.choices, 0); /* S4 */
        break;
    case OP_NONDET:
        assert_int_equal(path.changes, 0);   /* S2 */
        assert_int_equal(path.choices++, 0); /* S4 */
        break;
    case OP_WAKE:
        path.choices += is_constant(instruction->b) && sync_constants[instruction->b & ~OPERAND_CONSTANT] == 0;
        assert_true(path.choices <= 1);                 /* S4 */
        assert_int_equal(instruction[1].op, OP_RESULT); /* S2 */
        path.changes++;
        break;
    case OP_STORE:
    case OP_ADD_TO:
        address_of(visit, at, instruction->a, &base, &offset);
        assert_true(base == SYNC_A || base == SYNC_B || base == SYNC_OWN || visit->code->uses_records); /* S5 */
        note_change(&path, visit, at, instruction->a);
        break;
    case OP_LOAD:
        address_of(visit, at, instruction->a, &base, &offset);
        for (unsigned i = 0; i < path.written_count; i++) {
            assert_false(path.written[i] == base && path.offsets[i] == offset); /* S3 */
        }
        break;
    default:
        assert_true(op_table[instruction->op].class == OP_LOCAL || instruction->op == OP_RECORD);
        break;
    }
    visit_from(visit, at + 1, path);
}

static void codes_keep_the_rules(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < SYNC_COUNT; kind++) {
        struct visit visit = {.code = &sync_codes()[kind], .kind = kind};
        if (visit.code->instructions) {
            visit_from(&visit, 0, (struct path){0});
            assert_true(visit.ends > 0);
        }
    }
}

/* What a kind's mode says of its code. */
static void modes_are_what_they_say(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < SYNC_COUNT; kind++) {
        const struct sync_code *code = &sync_codes()[kind];
        assert_true(sync_table[kind].mode == SYNC_MODE_WAIT || !code->may_wait);
        assert_true(sync_table[kind].mode != SYNC_MODE_TRY || !code->may_choose);
        assert_true(sync_table[kind].bytes == 0 || code->instructions);
        assert_true(code->registers <= SYNC_MAX_REGISTERS);
    }
    assert_true(sync_codes()[SYNC_MUTEX_LOCK].may_wait);
    assert_true(sync_codes()[SYNC_MUTEX_TIMEDLOCK].may_choose);
    assert_false(sync_codes()[SYNC_MUTEX_UNLOCK].may_wait);
    assert_true(sync_codes()[SYNC_COND_SIGNAL].may_choose);
    assert_false(sync_codes()[SYNC_COND_BROADCAST].may_choose);
    assert_int_equal(sync_codes()[SYNC_COND_RELEASE].second, MUTEX_BYTES);
    assert_true(sync_codes()[SYNC_THREAD_JOIN].uses_records);
    assert_false(sync_codes()[SYNC_WRITE_LOCK].uses_records);
}

static void records_do_not_overlap(void **state) {
    (void)state;
    assert_int_equal(record_number(record_address(0) + RECORD_WAITS), 0);
    assert_int_equal(record_number(record_address(7)), 7);
    assert_true(is_record(record_address(UINT64_MAX) + RECORD_BYTES - 1));
    assert_int_equal(record_number(record_address(UINT64_MAX)), RECORD_NUMBERS - 1);
    assert_false(is_record(RECORD_BASE - 1));
    assert_false(is_record(record_address(UINT64_MAX) + RECORD_BYTES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_keep_the_rules),
        cmocka_unit_test(modes_are_what_they_say),
        cmocka_unit_test(records_do_not_overlap),
    };
    return cmocka_run_group_tests_name("codes of operations", tests, NULL, NULL);
}
