/* Finds steps in one pass along the code of a thread, which has no cycles. */
#include "seq/print/steps.h"

#include <stdlib.h>

#include "util/memory.h"

#define UNREACHED UINT8_MAX

/* What the thread has done since it was resumed. */
enum deed { DEED_NONE, DEED_LOOKED, DEED_ACTED };

struct state {
    uint8_t depth; /* of atomic sections; UNREACHED */
    uint8_t deed;  /* enum deed */
    bool pending;  /* writes may be pending */
};

struct scan {
    const struct instruction *code;
    struct state *at; /* by instruction */
    struct state now;
    bool mismatch;
};

static void flow_into(void *data, uint32_t target) {
    struct scan *scan = data;
    struct state *there = &scan->at[target];
    if (there->depth == UNREACHED) {
        *there = scan->now;
        return;
    }
    if (scan->code[target].op == OP_CUT) {
        there->depth = there->depth > scan->now.depth ? there->depth : scan->now.depth; /* where all paths meet */
    } else {
        scan->mismatch |= there->depth != scan->now.depth;
    }
    there->deed = there->deed > scan->now.deed ? there->deed : scan->now.deed;
    there->pending |= scan->now.pending;
}

static bool is_shared_access(const struct cells *cells, const struct instruction *code) {
    const struct fact *fact = &cells->points->a[code - cells->points->unrolled->program.code];
    return code->op >= OP_LOAD && code->op <= OP_CAS && fact->set != 0 && !cells_is_own(cells, fact);
}

/* Does a step begin here? */
static bool needs_switch(const struct cells *cells, const struct instruction *code, const struct state *now) {
    if (now->depth > 0) {
        return false;
    }
    switch (code->op) {
    case OP_ASSUME:
        return now->deed == DEED_ACTED && !(code->a & OPERAND_CONSTANT);
    case OP_CUT:
        return now->deed == DEED_ACTED && code->sub == CUT_LOOP;
    case OP_FENCE:
        return now->pending && code->sub == ORDER_SEQ_CST && now->deed != DEED_NONE;
    case OP_SYNC:
        return now->deed != DEED_NONE && (code->width != SYNC_THREAD_CREATE || now->pending);
    case OP_RET:
    case OP_ATOMIC_BEGIN:
        return now->deed != DEED_NONE;
    default:
        return now->deed != DEED_NONE && is_shared_access(cells, code);
    }
}

static void take(const struct cells *cells, const struct instruction *code, bool buffered, struct state *now) {
    switch (code->op) {
    case OP_ATOMIC_BEGIN:
        now->deed = DEED_ACTED;
        now->pending = false;
        now->depth++;
        break;
    case OP_ATOMIC_END:
        now->depth -= now->depth > 0;
        break;
    case OP_FENCE:
        now->pending = now->pending && code->sub != ORDER_SEQ_CST;
        break;
    case OP_SYNC:
        now->deed = DEED_ACTED;
        now->pending = false;
        break;
    default:
        if (is_shared_access(cells, code)) {
            bool looks = code->op == OP_LOAD && now->deed != DEED_ACTED;
            now->deed = looks ? DEED_LOOKED : DEED_ACTED;
            now->pending = code->op == OP_STORE  ? buffered && now->depth == 0
                           : code->op == OP_LOAD ? now->pending
                                                 : false;
        }
        break;
    }
}

bool steps_init(struct steps *steps, const struct cells *cells, uint32_t thread, bool buffered,
                struct diagnostics *diagnostics) {
    const struct unrolled *unrolled = cells->points->unrolled;
    const struct program *program = &unrolled->program;
    const struct thread_plan *plan = vector_at(&unrolled->threads, thread);
    const struct function *function = &program->functions[plan->function];
    const struct instruction *code = function_code(program, plan->function);
    struct scan scan = {.code = code};
    scan.at = memory_allocate(((size_t)function->count + 1) * sizeof(struct state));
    steps->number = memory_allocate(((size_t)function->count + 1) * sizeof *steps->number);
    steps->before = memory_allocate(((size_t)function->count + 2) * sizeof *steps->before);
    steps->depth = memory_allocate((size_t)function->count + 1);
    steps->end = 1;
    for (uint32_t i = 1; i <= function->count; i++) {
        scan.at[i].depth = UNREACHED;
    }
    bool good = true;
    for (uint32_t i = 0; i < function->count && good; i++) {
        steps->before[i + 1] = steps->before[i];
        if (scan.at[i].depth == UNREACHED) {
            continue;
        }
        scan.now = scan.at[i];
        steps->depth[i] = scan.now.depth;
        if (needs_switch(cells, &code[i], &scan.now)) {
            steps->number[i] = steps->end++;
            steps->before[i + 1] = steps->number[i];
            scan.now.deed = DEED_NONE;
        }
        take(cells, &code[i], buffered, &scan.now);
        instruction_targets(program, &code[i], flow_into, &scan);
        if (!instruction_ends_block(&code[i])) {
            flow_into(&scan, i + 1);
        }
        if (scan.mismatch) {
            const struct position *position = &program->positions[code[i].pos];
            diagnostics_add(diagnostics, program_string(program, position->file), position->line, position->column,
                            "not supported: an atomic section that begins or ends on one path only");
            good = false;
        }
    }
    free(scan.at);
    if (!good) {
        steps_delete(steps);
    }
    return good;
}

void steps_delete(struct steps *steps) {
    free(steps->number);
    free(steps->before);
    free(steps->depth);
    *steps = (struct steps){0};
}
