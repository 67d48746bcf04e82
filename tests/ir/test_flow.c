/* The flow graph and liveness, on functions small enough to be followed by hand. */
#include "ir/flow.h"
#include "ir/liveness.h"
#include "small_program.h"

static void emit_branch(struct small_program *small, uint32_t reg, uint32_t yes, uint32_t no) {
    small_emit(small, (struct instruction){.op = OP_BR, .a = reg, .b = yes, .c = no});
}

static void emit_jump(struct small_program *small, uint32_t to) {
    small_emit(small, (struct instruction){.op = OP_JMP, .a = to});
}

static void emit_move(struct small_program *small, uint32_t dst, uint32_t from) {
    small_emit(small, (struct instruction){.op = OP_MOV, .dst = dst, .a = from});
}

/*     0 mov r2 = 1
 *     1 br r0 -> 2, 4        outer header is 1
 *     2 mov r3 = r2          inner loop 2 .. 3
 *     3 br r1 -> 2, 1
 *     4 br r1 -> 5, 6        a diamond
 *     5 jmp 7
 *     6 mov r4 = r3
 *     7 ret
 *     8 jmp 7                unreachable
 *     9 ret */
static void build_nested(struct program *program) {
    struct small_program small;
    small_init(&small, 1);
    small_thread(&small, 1);
    emit_move(&small, 2, small_number(&small, 1));
    emit_branch(&small, 0, 2, 4);
    emit_move(&small, 3, 2);
    emit_branch(&small, 1, 2, 1);
    emit_branch(&small, 1, 5, 6);
    emit_jump(&small, 7);
    emit_move(&small, 4, 3);
    small_return(&small);
    emit_jump(&small, 7);
    small_finish(&small, program);
}

static void blocks_begin_where_control_arrives(void **state) {
    (void)state;
    struct program program;
    struct flow flow;
    build_nested(&program);
    flow_init(&flow, &program, 1);
    static const uint32_t starts[] = {0, 1, 2, 4, 5, 6, 7, 8, 9};
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        uint32_t block = flow.block_of[starts[i]];
        found += flow.blocks[block].first == starts[i];
    }
    assert_int_equal(found, 9);
    assert_int_equal(flow.block_of[3], flow.block_of[2]);
    for (uint32_t b = 0; b < flow.blocks_count; b++) {
        const struct block *block = &flow.blocks[b];
        assert_true(block->first < block->end);
        assert_int_equal(flow.block_of[block->end - 1], b);
        /* Every edge stands on both sides. */
        for (uint32_t i = 0; i < block->successors_count; i++) {
            const struct block *next = &flow.blocks[flow.edges[block->successors + i]];
            bool back = false;
            for (uint32_t k = 0; k < next->predecessors_count; k++) {
                back = back || flow.edges[next->predecessors + k] == b;
            }
            assert_true(back);
        }
    }
    flow_delete(&flow);
    program_delete(&program);
}

static void dominators(void **state) {
    (void)state;
    struct program program;
    struct flow flow;
    build_nested(&program);
    flow_init(&flow, &program, 1);
    static const struct {
        uint32_t above, below;
        bool dominates;
    } cases[] = {{0, 7, true},  {1, 2, true},  {1, 7, true},  {4, 7, true}, {5, 7, false},
                 {6, 7, false}, {2, 4, false}, {2, 1, false}, {2, 2, true}, {1, 6, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(flow_dominates(&flow, flow.block_of[cases[i].above], flow.block_of[cases[i].below]),
                         cases[i].dominates);
    }
    assert_int_equal(flow.blocks[flow.block_of[7]].dominator, flow.block_of[4]);
    assert_int_equal(flow.blocks[flow.block_of[0]].dominator, NO_BLOCK);
    assert_int_equal(flow.blocks[flow.block_of[8]].order, NO_BLOCK);
    flow_delete(&flow);
    program_delete(&program);
}

static void loops_nest(void **state) {
    (void)state;
    struct program program;
    struct flow flow;
    build_nested(&program);
    flow_init(&flow, &program, 1);
    assert_int_equal(flow.loops_count, 2);
    assert_false(flow.irreducible);
    uint32_t outer = flow.loops[0].header == flow.block_of[1] ? 0 : 1;
    uint32_t inner = 1 - outer;
    assert_int_equal(flow.loops[outer].header, flow.block_of[1]);
    assert_int_equal(flow.loops[inner].header, flow.block_of[2]);
    assert_true(loop_has(&flow.loops[outer], flow.block_of[2]));
    assert_false(loop_has(&flow.loops[inner], flow.block_of[1]));
    assert_false(loop_has(&flow.loops[outer], flow.block_of[4]));
    assert_int_equal(flow.loops[inner].parent, outer);
    assert_int_equal(flow.loops[outer].parent, NO_BLOCK);
    assert_true(flow.loops[inner].innermost);
    assert_false(flow.loops[outer].innermost);
    flow_delete(&flow);
    program_delete(&program);
}

static void a_cycle_with_two_entries_is_irreducible(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    struct flow flow;
    small_init(&small, 1);
    small_thread(&small, 1);
    emit_branch(&small, 0, 1, 2);
    emit_branch(&small, 1, 2, 3);
    emit_branch(&small, 1, 1, 3);
    small_finish(&small, &program);
    flow_init(&flow, &program, 1);
    assert_true(flow.irreducible);
    flow_delete(&flow);
    program_delete(&program);
}

static bool live(const struct liveness *liveness, uint32_t index, uint32_t reg) {
    return liveness_before(liveness, 1, index)[reg / 64] >> reg % 64 & 1;
}

static void registers_live_as_long_as_they_may_be_read(void **state) {
    (void)state;
    struct program program;
    struct liveness liveness;
    build_nested(&program);
    liveness_init(&liveness, &program);
    static const struct {
        uint32_t index, reg;
        bool lives;
    } cases[] = {
        {0, 0, true},                /* the argument decides a branch */
        {0, 2, false},               /* written before it is read */
        {1, 2, true},  {2, 2, true}, /* still read in the next iteration of the loops */
        {4, 2, false}, {4, 3, true}, /* one way out reads it */
        {5, 3, false}, {6, 3, true}, {6, 4, false}, {7, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (live(&liveness, cases[i].index, cases[i].reg) != cases[i].lives) {
            fail_msg("register %u before instruction %u", cases[i].reg, cases[i].index);
        }
    }
    liveness_delete(&liveness);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_begin_where_control_arrives),
        cmocka_unit_test(dominators),
        cmocka_unit_test(loops_nest),
        cmocka_unit_test(a_cycle_with_two_entries_is_irreducible),
        cmocka_unit_test(registers_live_as_long_as_they_may_be_read),
    };
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
