/* A thread as a function: numbered steps, which it can be resumed at and switched from.
 *
 *     static void thread_1(void) {
 *         static uint64_t r0;                     kept between resumptions
 *         switch (pc_1) { case 1: goto S1; ... }
 *         ...
 *         if (limit == 1) return;                 a step: the thread stops here if that was guessed
 *         S1: r0 = memory_read(at_x, 1);
 *
 * A thread that jumps over the step where it is to stop is dropped at once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "seq/print/printer.h"
#include "util/memory.h"

#define REGISTERS_PER_LINE 12
#define SMALL_DOMAIN 256u /* of values of the program's own */

/* --- Registers ---------------------------------------------------------------------------------------------------- */

static void registers_declare(struct printer *printer, const uint8_t *kept, bool wanted) {
    struct body *body = &printer->body;
    uint32_t printed = 0;
    for (uint32_t r = 0; r < body->function->registers; r++) {
        if (kept[r] != wanted) {
            continue;
        }
        const char *start = wanted ? "    MEMORY_PART uint64_t " : "    MEMORY_LOCAL uint64_t ";
        bool first = printed % REGISTERS_PER_LINE == 0;
        out(body, "%s%sr%u%s", first && printed > 0 ? ";\n" : "", first ? start : ", ", r, wanted ? "" : " = 0");
        printed++;
    }
    out(body, printed > 0 ? ";\n" : "");
}

/* Registers that hold something where the thread may be switched from. */
static uint8_t *find_kept(const struct printer *printer, uint32_t f, const struct liveness *liveness) {
    const struct function *function = printer->body.function;
    uint8_t *kept = memory_allocate((size_t)function->registers + 1);
    for (uint32_t i = 0; i < function->count; i++) {
        const uint64_t *live = liveness_before(liveness, f, i);
        for (uint32_t r = 0; printer->steps->number[i] != 0 && r < function->registers; r++) {
            kept[r] |= live[r / 64] >> r % 64 & 1;
        }
    }
    return kept;
}

/* --- Control ------------------------------------------------------------------------------------------------------ */

/* The number of the last step between two instructions, 0 if there is none. */
static uint32_t skipped_step(const struct printer *printer, uint32_t from, uint32_t to) {
    const uint32_t *before = printer->steps->before;
    return before[to] > before[from + 1] ? before[to] : 0;
}

static bool is_stop(const struct printer *printer, uint32_t index) {
    return printer->body.code[index].op == OP_CUT && printer->steps->number[index] == 0;
}

static void blocked_print(struct printer *printer) {
    need(&printer->emitter, HELPER_ERRORS);
    need(&printer->emitter, HELPER_REACH);
    out(&printer->body, "picket_error(ATOMIC_BLOCKED, \"a thread waits or ends in an atomic section\");");
}

static void goto_print(struct printer *printer, uint32_t target) {
    struct body *body = &printer->body;
    uint32_t skipped = skipped_step(printer, body->index, target);
    if (is_stop(printer, target) && body->code[target].sub == CUT_WAIT && in_section(printer)) {
        out(body, "{ ");
        blocked_print(printer);
        out(body, " }");
    } else if (is_stop(printer, target)) {
        out(body, "{ memory_assume(0); return; }");
    } else if (target == body->index + 1) {
        out(body, "{ }");
    } else if (skipped > 0) {
        out(body, "{ memory_assume(limit > %u); goto L%u; }", skipped, target);
    } else {
        out(body, "goto L%u;", target);
    }
}

static void switch_print(struct printer *printer, const struct instruction *code) {
    struct body *body = &printer->body;
    const uint32_t *pairs = printer->program->operands + code->b;
    out_operands(body, code, "switch ($a) {");
    for (uint32_t i = 0; i < code->c; i++) {
        out(body, " case ");
        operand_print(body, pairs[2 * i]);
        out(body, ": ");
        goto_print(printer, pairs[2 * i + 1]);
        out(body, " break;");
    }
    out(body, " default: ");
    goto_print(printer, code->dst);
    out(body, " break; }");
}

static void branch_print(struct printer *printer, const struct instruction *code) {
    struct body *body = &printer->body;
    bool first = code->b == body->index + 1;
    out_operands(body, code, first ? "if ($a == 0) " : "if ($a != 0) ");
    goto_print(printer, first ? code->c : code->b);
    uint32_t rest = first ? code->b : code->c;
    if (rest != body->index + 1) {
        out(body, " else ");
        goto_print(printer, rest);
    }
}

static void halt_print(struct printer *printer, const struct instruction *code) {
    if (code->a > 0) {
        need(&printer->emitter, HELPER_ERRORS);
        need(&printer->emitter, HELPER_REACH);
        out(&printer->body, "if (++arrived == %u) { picket_error(GOAL, \"all threads are in their final states\"); } ",
            code->a);
    }
    out(&printer->body, "goto end;");
}

/* If a jump leads here the thread has stopped already: what counts is the section of the instruction before. */
static void cut_print(struct printer *printer, const struct instruction *code) {
    uint32_t index = printer->body.index;
    const struct instruction *before = code - (index > 0);
    bool inside = index > 0 && (before->op == OP_ATOMIC_BEGIN ||
                                printer->steps->depth[index - 1] > (before->op == OP_ATOMIC_END ? 1 : 0));
    if (code->sub == CUT_WAIT && inside) {
        blocked_print(printer);
    } else {
        out(&printer->body, "memory_assume(0); return;");
    }
}

/* A value of a small domain is guessed bit by bit, as everything else is. */
static void nondet_print(struct printer *printer, const struct instruction *code) {
    struct body *body = &printer->body;
    uint64_t low;
    uint64_t high;
    bool known = operand_is_constant(body, code->a, &low) && operand_is_constant(body, code->b, &high);
    uint64_t mask = width_mask(code->width);
    if (!known || ((high - low) & mask) >= SMALL_DOMAIN) {
        effect_print(body, code);
        return;
    }
    out(body, "r%u = (0x%" PRIx64 "ul + memory_guess(%" PRIu64 ")) & 0x%" PRIx64 "ul;", code->dst, low & mask,
        ((high - low) & mask) + 1, mask);
}

static void control_print(struct printer *printer, const struct instruction *code) {
    struct body *body = &printer->body;
    switch (code->op) {
    case OP_JMP:
        if (code->a != body->index + 1) {
            goto_print(printer, code->a);
        }
        break;
    case OP_BR:
        branch_print(printer, code);
        break;
    case OP_SWITCH:
        switch_print(printer, code);
        break;
    case OP_RET:
        if (in_section(printer)) {
            blocked_print(printer);
        }
        thread_end_print(printer, code->b > 0 ? printer->program->operands[code->a] : NO_REGISTER);
        break;
    case OP_CUT:
        cut_print(printer, code);
        break;
    case OP_EXIT:
        out(body, "goto end;"); /* the other threads could have done before what they do now */
        break;
    case OP_HALT:
        halt_print(printer, code);
        break;
    case OP_ATOMIC_BEGIN:
        if (!in_section(printer)) {
            out(body, "memory_lock(%u);", printer->thread);
        }
        break;
    case OP_ATOMIC_END:
        if (printer->steps->depth[body->index] == 1) {
            out(body, "memory_unlock(%u);", printer->thread);
        }
        break;
    case OP_NONDET:
        nondet_print(printer, code);
        break;
    default:
        effect_print(body, code);
        break;
    }
}

/* --- Bodies ------------------------------------------------------------------------------------------------------- */

/* The instructions that some printed goto names. */
struct targets {
    const struct printer *printer;
    uint8_t *named;
    uint32_t from;
};

static void mark_target(void *data, uint32_t target) {
    struct targets *targets = data;
    targets->named[target] |= target != targets->from + 1 && !is_stop(targets->printer, target);
}

static uint8_t *find_targets(const struct printer *printer) {
    const struct function *function = printer->body.function;
    struct targets targets = {printer, memory_allocate((size_t)function->count + 1), 0};
    for (; targets.from < function->count; targets.from++) {
        instruction_targets(printer->program, &printer->body.code[targets.from], mark_target, &targets);
    }
    return targets.named;
}

static bool reaches_end(const struct printer *printer) {
    for (uint32_t i = 0; i < printer->body.function->count; i++) {
        const struct instruction *code = &printer->body.code[i];
        if (code->op == OP_RET || code->op == OP_EXIT || code->op == OP_HALT ||
            (code->op == OP_SYNC && code->width == SYNC_THREAD_EXIT)) {
            return true;
        }
    }
    return false;
}

static bool prints_nothing(const struct printer *printer, uint32_t index) {
    const struct instruction *code = &printer->body.code[index];
    return code->op == OP_NOP || (code->op == OP_JMP && code->a == index + 1);
}

static void statements_print(struct printer *printer, const uint8_t *targets) {
    struct body *body = &printer->body;
    struct cursor cursor = {0};
    for (uint32_t i = 0; i < body->function->count; i++) {
        const struct instruction *code = &body->code[i];
        uint32_t step = printer->steps->number[i];
        body->index = i;
        if (targets[i]) {
            cursor_move(body, &cursor, code, true);
            out(body, "L%u:;", i);
        }
        if (step > 0) {
            cursor_move(body, &cursor, code, true);
            out(body, "    if (limit == %u) { return; } S%u:;", step, step);
        }
        if (prints_nothing(printer, i)) {
            continue;
        }
        if (targets[i] || step > 0) {
            out(body, " ");
        } else {
            cursor_move(body, &cursor, code, false);
        }
        if (code->op == OP_SYNC) {
            sync_print(printer, code);
        } else if (!access_print(printer, code) && !arithmetic_print(body, code)) {
            control_print(printer, code);
        }
    }
    out(body, "\n");
}

static void resumption_print(struct printer *printer) {
    struct body *body = &printer->body;
    if (printer->steps->end == 1) {
        return;
    }
    out(body, "    switch (pc_%u) {\n", printer->thread);
    for (uint32_t i = 1; i < printer->steps->end; i++) {
        out(body, "    case %u:\n        goto S%u;\n", i, i);
    }
    out(body, "    default:\n        break;\n    }\n");
}

void thread_print(struct printer *printer, uint32_t thread, const struct liveness *liveness) {
    const struct thread_plan *plan = vector_at(&printer->unrolled->threads, thread);
    const struct function *function = &printer->program->functions[plan->function];
    struct body *body = &printer->body;
    printer->thread = thread;
    *body = (struct body){
        .emitter = &printer->emitter, .function = function, .code = function_code(printer->program, plan->function)};
    uint8_t *kept = find_kept(printer, plan->function, liveness);
    uint8_t *targets = find_targets(printer);
    out(body, "\n#line home\nstatic void thread_%u(void) {\n", thread);
    registers_declare(printer, kept, true);
    registers_declare(printer, kept, false);
    resumption_print(printer);
    for (uint32_t r = 0; r < function->parameters && r < 2; r++) {
        out(body, "    r%u = argument_%u[%u];\n", r, thread, r);
    }
    statements_print(printer, targets);
    out(body, "#line home\n");
    if (reaches_end(printer)) {
        out(body, "end:\n    memory_assume(limit == %u);\n", printer->steps->end);
    }
    out(body, "}\n");
    free(kept);
    free(targets);
}
