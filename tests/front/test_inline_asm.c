/* The inline assembler: statements as LLVM hands them over, and the instructions that come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/inline_asm.h"
#include "ir/builder.h"
#include "ir/print.h"

#define MAX_VALUES 8

/* A statement in a function whose parameters are its inputs, in order; what comes out is text, one instruction a
 * line. */
struct fixture {
    struct asm_input inputs[MAX_VALUES];
    uint32_t inputs_count;
    struct asm_output outputs[MAX_VALUES];
    uint32_t outputs_count;
    char *printed;
    size_t printed_size;
    char message[300];
};

static void add_value(struct fixture *fixture, uint32_t width) {
    uint32_t index = fixture->inputs_count++;
    fixture->inputs[index] = (struct asm_input){.operand = index, .width = width};
}

static void add_memory(struct fixture *fixture, uint32_t width) {
    uint32_t index = fixture->inputs_count++;
    fixture->inputs[index] = (struct asm_input){.operand = index, .width = width, .indirect = true};
}

static void add_output(struct fixture *fixture, uint32_t width) {
    fixture->outputs[fixture->outputs_count++].width = width;
}

static bool lower(struct fixture *fixture, const char *text, const char *constraints) {
    struct builder builder;
    builder_init(&builder);
    uint32_t function = builder_function(&builder, "test", fixture->inputs_count, 0, 0);
    builder.entry = function;
    builder_begin(&builder, function);
    uint32_t next = fixture->inputs_count;
    for (uint32_t i = 0; i < fixture->outputs_count; i++) {
        fixture->outputs[i].dst = next++;
    }
    struct asm_statement statement = {.text = text,
                                      .constraints = constraints,
                                      .inputs = fixture->inputs,
                                      .inputs_count = fixture->inputs_count,
                                      .outputs = fixture->outputs,
                                      .outputs_count = fixture->outputs_count};
    bool good = inline_asm_lower(&builder, &next, &statement, fixture->message, sizeof fixture->message);
    if (!good) {
        builder_delete(&builder);
        return false;
    }
    uint32_t count = builder_here(&builder);
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .a = builder_constant(&builder, 0)});
    builder_end(&builder, next);
    builder_function_at(&builder, function)->parameters = 0;
    struct program program;
    builder_finish(&builder, &program);
    FILE *out = open_memstream(&fixture->printed, &fixture->printed_size);
    for (uint32_t i = 0; i < count; i++) {
        instruction_print(&program, function_code(&program, function) + i, out);
        fputc('\n', out);
    }
    fclose(out);
    program_delete(&program);
    return true;
}

static void check(struct fixture *fixture, const char *text, const char *constraints, const char *expected) {
    fixture->message[0] = 0;
    bool good = lower(fixture, text, constraints);
    if (!good) {
        print_error("%s\n", fixture->message);
    }
    assert_true(good);
    assert_string_equal(fixture->printed, expected);
    free(fixture->printed);
}

static void check_refused(const char *text, const char *expected) {
    struct fixture fixture = {0};
    add_value(&fixture, 64);
    add_memory(&fixture, 32);
    assert_false(lower(&fixture, text, "r,*m"));
    if (!strstr(fixture.message, expected)) {
        print_error("%s\n", fixture.message);
    }
    assert_non_null(strstr(fixture.message, expected));
}

static void test_moves(void **unused) {
    (void)unused;
    struct fixture load = {0};
    add_memory(&load, 32);
    add_output(&load, 32);
    check(&load, "movl $1, $0", "=q,*m,~{memory}",
          "r2 = load.4 plain r0\n"
          "r1 = mov.64 r2\n");
    struct fixture store = {0};
    add_memory(&store, 64);
    add_value(&store, 64);
    check(&store, "movq $1, $0", "=*m,q,~{memory}", "store.8 plain r0, r1\n");
    struct fixture number = {0};
    add_memory(&number, 8);
    check(&number, "movb $$-1, $0", "=*m", "store.1 plain r0, 255\n");
    struct fixture extended = {0};
    add_value(&extended, 8);
    add_output(&extended, 64);
    check(&extended, "movsbq $1, $0", "=r,r",
          "r2 = sext.8 to 64 r0\n"
          "r1 = mov.64 r2\n");
    struct fixture addressed = {0};
    add_value(&addressed, 64);
    add_value(&addressed, 64);
    add_output(&addressed, 64);
    check(&addressed, "movq 8($1,$2,4), $0", "=r,r,r",
          "r3 = mul.64 r1, 4\n"
          "r4 = add.64 r0, r3\n"
          "r5 = add.64 r4, 8\n"
          "r6 = load.8 plain r5\n"
          "r2 = mov.64 r6\n");
}

static void test_parts_of_registers(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_value(&fixture, 64);
    add_value(&fixture, 64);
    add_output(&fixture, 64);
    check(&fixture, "movb ${1:b}, ${0:b}", "=r,r,0",
          "r3 = trunc.8 r0\n"
          "r4 = and.64 r1, 0xffffffffffffff00\n"
          "r5 = or.64 r4, r3\n"
          "r2 = mov.64 r5\n");
    check(&fixture, "movl ${1:k}, ${0:k}", "=r,r,0",
          "r3 = trunc.32 r0\n"
          "r2 = mov.64 r3\n");
    check(&fixture, "xchgq %rbx, $0; movq $1, %rbx", "=r,r,0", "r2 = mov.64 0\n");
}

static void test_exchange(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 32);
    add_memory(&fixture, 32);
    add_value(&fixture, 32);
    add_output(&fixture, 32);
    const char *expected = "r4 = rmw.4 seq_cst xchg r0, r2\n"
                           "r3 = mov.64 r4\n";
    check(&fixture, "xchgl $0, $1", "=*m,=q,*m,1,~{memory}", expected);
    check(&fixture, "lock; xchg $1, $0", "=*m,=q,*m,1,~{memory}", expected);
}

static void test_locked_arithmetic(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 0);
    add_value(&fixture, 32);
    check(&fixture, "lock; addl $1, $0", "=*m,ir", "r2 = rmw.4 seq_cst add r0, r1\n");
    check(&fixture, "lock subw ${1:w}, $0", "=*m,ir",
          "r2 = trunc.16 r1\n"
          "r3 = rmw.2 seq_cst sub r0, r2\n");
    check(&fixture, "lock\n\tincq $0", "=*m,ir", "r2 = rmw.8 seq_cst add r0, 1\n");
    check(&fixture, "lock decb $0", "=*m,ir", "r2 = rmw.1 seq_cst sub r0, 1\n");
    check(&fixture, "lock notl $0", "=*m,ir", "r2 = rmw.4 seq_cst xor r0, 0xffffffff\n");
    check(&fixture, "lock negl $0", "=*m,ir", "r2 = rmw.4 seq_cst neg r0, 0\n");
    check(&fixture, "addl $1, $0", "=*m,ir",
          "r2 = load.4 plain r0\n"
          "r3 = add.32 r2, r1\n"
          "store.4 plain r0, r3\n");
    check(&fixture, "$(lock addl $1,$0$|lock add $0,$1$) # text; text", "=*m,ir", "r2 = rmw.4 seq_cst add r0, r1\n");
}

static void test_fetch_and_add(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 32);
    add_memory(&fixture, 32);
    add_value(&fixture, 32);
    add_output(&fixture, 32);
    check(&fixture, "lock; xaddl $1, $0", "=*m,=r,*m,1,~{memory},~{cc}",
          "r4 = rmw.4 seq_cst add r0, r2\n"
          "r3 = mov.64 r4\n");
}

static void test_compare_and_swap(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 8);
    add_value(&fixture, 8);
    add_memory(&fixture, 8);
    add_value(&fixture, 8);
    add_output(&fixture, 8);
    add_output(&fixture, 8);
    check(&fixture, "lock cmpxchgb $3, $0", "=*m,={@ccz},={ax},q,*m,2,~{memory},~{cc}",
          "r6, r7 = cas.1 seq_cst r0, r3, r1\n"
          "r4 = mov.64 r7\n"
          "r5 = mov.64 r6\n");
    struct fixture wide = {0};
    add_memory(&wide, 64);
    add_value(&wide, 64);
    add_value(&wide, 64);
    add_value(&wide, 64);
    add_memory(&wide, 64);
    add_output(&wide, 8);
    check(&wide, "movq 0($4), %rax;movq 8($4), %rdx;lock cmpxchg16b $0; setz $1",
          "=*m,=q,{bx},{cx},q,*m,~{memory},~{cc},~{rax},~{rdx}",
          "r6 = load.8 plain r3\n"
          "r7 = add.64 r3, 8\n"
          "r8 = load.8 plain r7\n"
          "r9 = mov.64 r6\n"
          "r10 = mov.64 r8\n"
          "r11 = mov.64 r1\n"
          "r12 = mov.64 r2\n"
          "r13, r14, r15 = cas.16 seq_cst r0, r9, r10, r11, r12\n"
          "r5 = mov.64 r15\n");
}

static void test_bits(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 64);
    add_value(&fixture, 32);
    add_output(&fixture, 8);
    check(&fixture, "lock btsl $2, $0; setc $1", "=*m,=q,r",
          "r3 = and.32 r1, 31\n"
          "r4 = sext.32 to 64 r1\n"
          "r5 = ashr.64 r4, 5\n"
          "r6 = mul.64 r5, 4\n"
          "r7 = add.64 r0, r6\n"
          "r8 = shl.32 1, r3\n"
          "r9 = rmw.4 seq_cst or r7, r8\n"
          "r10 = lshr.32 r9, r3\n"
          "r11 = and.32 r10, 1\n"
          "r2 = mov.64 r11\n");
    struct fixture number = {0};
    add_memory(&number, 64);
    check(&number, "lock btrq $$3, $0", "=*m",
          "r1 = shl.64 1, 3\n"
          "r2 = xor.64 r1, 0xffffffffffffffff\n"
          "r3 = rmw.8 seq_cst and r0, r2\n");
}

static void test_flags(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    add_memory(&fixture, 32);
    add_output(&fixture, 8);
    const char *zero = "r2 = rmw.4 seq_cst sub r0, 1\n"
                       "r3 = icmp.32 eq r2, 1\n"
                       "r1 = mov.64 r3\n";
    check(&fixture, "lock decl $0; setz $1", "=*m,=q", zero);
    check(&fixture, "lock decl $0\n\tsete $1", "=*m,=q", zero);
    check(&fixture, "lock decl $0", "=*m,={@cce}", zero);
    check(&fixture, ".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; decl $0; sete $1",
          "=*m,=q", zero);
    check(&fixture, "lock subl $$5, $0; setl $1", "=*m,=q",
          "r2 = rmw.4 seq_cst sub r0, 5\n"
          "r3 = sub.32 r2, 5\n"
          "r4 = icmp.32 slt r3, 0\n"
          "r5, r6 = overflow.32 ssub r2, 5\n"
          "r7 = xor.1 r4, r6\n"
          "r1 = mov.64 r7\n");
    struct fixture idiom = {0};
    add_memory(&idiom, 32);
    add_value(&idiom, 32);
    add_output(&idiom, 32);
    check(&idiom, "btl $$2, $1; sbbl $0,$0", "=r,=*m,r",
          "r3 = load.4 plain r0\n"
          "r4 = lshr.32 r3, 2\n"
          "r5 = and.32 r4, 1\n"
          "r6 = sub.32 0, 0\n"
          "r7 = sub.32 r6, r5\n"
          "r2 = mov.64 r7\n");
}

static void test_fences(void **unused) {
    (void)unused;
    struct fixture fixture = {0};
    check(&fixture, "", "~{memory}", "");
    check(&fixture, "mfence", "~{memory}", "fence seq_cst\n");
    check(&fixture, "lfence", "~{memory}", "fence acquire\n");
    check(&fixture, "sfence", "~{memory}", "store_barrier\n");
    check(&fixture, "lock; addl $$0,0(%rsp)", "~{memory}", "fence seq_cst\n");
    check(&fixture, "lock; addl $$0,-4(%rsp)", "~{memory},~{cc}", "fence seq_cst\n");
    check(&fixture, "lock; orq $$0,(%rsp)", "~{memory}", "fence seq_cst\n");
    check(&fixture, "pause", "~{memory}", "nop pause\n");
    check(&fixture, "rep; nop", "~{memory}", "nop pause\n");
    check(&fixture, "rep nop\n\tnop", "~{memory}", "nop pause\n");
}

static void test_others(void **unused) {
    (void)unused;
    struct fixture prefetch = {0};
    add_value(&prefetch, 64);
    check(&prefetch, "prefetchw ($0)", "r", "");
    struct fixture time = {0};
    add_output(&time, 32);
    add_output(&time, 32);
    check(&time, "rdtsc", "={ax},={dx}",
          "r2 = nondet.64 0, 0xffffffffffffffff\n"
          "r3 = trunc.32 r2\n"
          "r4 = lshr.64 r2, 32\n"
          "r0 = mov.64 r3\n"
          "r1 = mov.64 r4\n");
    struct fixture barrier = {0};
    add_value(&barrier, 64);
    add_output(&barrier, 64);
    check(&barrier, "", "=r,0,~{memory}", "r1 = mov.64 r0\n");
}

static void test_refused(void **unused) {
    (void)unused;
    check_refused("1: jmp 1b", "\"jmp 1b\"");
    check_refused("nop; cpuid", "\"cpuid\"");
    check_refused("movq %fs:0, %rax", "segment");
    check_refused("movl %gs:(%rax), %eax", "segment");
    check_refused("movq %rsp, %rax", "stack pointer");
    check_refused("lock movl $0, $1", "lock prefix");
    check_refused("lock addl $$1, %eax", "lock prefix");
    check_refused("rep movsb", "\"rep movsb\"");
    check_refused("rep; incl %eax", "repeated");
    check_refused("setz %al", "flag that is not known");
    check_refused("incl %eax; setc %al", "flag that is not known");
    check_refused("movl $$1, $7", "no such operand");
    check_refused("mov $$1, (%rax)", "sizes are not known");
    check_refused("addl $0", "number of operands");
    check_refused("movsd %xmm0, $1", "movsd");
    check_refused("lock", "ends in the middle");
    check_refused(".byte 0x90", ".byte 0x90");
    check_refused("cmpxchg16b $1", "lock prefix");
    check_refused("movl $$label, %eax", "form of number");
    check_refused("movl label, %eax", "form of operand");
    check_refused("movl ${0:z}, %eax", "modifier");
    check_refused("movl (%rax,%rbx,", "number of operands");
    check_refused("movl 4(%rax, %eax", "number of operands");
    check_refused("movl 4(%rax)x, %eax", "form of address");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_parts_of_registers),
        cmocka_unit_test(test_exchange),      cmocka_unit_test(test_locked_arithmetic),
        cmocka_unit_test(test_fetch_and_add), cmocka_unit_test(test_compare_and_swap),
        cmocka_unit_test(test_bits),          cmocka_unit_test(test_flags),
        cmocka_unit_test(test_fences),        cmocka_unit_test(test_others),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
